/** Tables of the dashboard: connected games, grants, accounts, and facts about the daemon. */
import type { DashboardAccount, DashboardGrant, DashboardProvider, DashboardSession, DashboardSnapshot } from '../snapshot.ts'
import { button, code, definitions, hint, linkTo, make, named, problem, soft, table } from './dom.ts'

const day = (ms: number): string => new Date(ms).toLocaleDateString()

const canLink = ({ user, subscriptions }: DashboardSession): boolean => user === undefined && subscriptions.includes('AUTHORIZE_REQUEST')

const sessionCells =
  (sessions: readonly DashboardSession[]) =>
  (session: DashboardSession): readonly (Node | string)[] => {
    const { applicationId, user, program, pid, subscriptions } = session
    // One button per application: it reaches all of its sessions.
    const hasButton = sessions.find((other) => canLink(other) && other.applicationId === applicationId) === session
    return [
      code(applicationId, 'whole'),
      user === undefined ? soft('not signed in') : named(user.username),
      code(program, 'path'),
      pid === undefined ? soft('unknown') : String(pid),
      subscriptions.length === 0 ? soft('none') : subscriptions.join(', '),
      hasButton ? button('Link account', `/api/applications/${applicationId}/link`, { isRepeatable: true }) : '',
    ]
  }

export const sessionsTable = ({ sessions, ipc }: DashboardSnapshot): HTMLElement =>
  sessions.length === 0
    ? hint('No game is connected. Try ', code('npm run example'), ', or start one that looks for ', code(ipc[0] ?? 'a local socket'), '.')
    : table(['Application', 'User', 'Program', 'Process', 'Subscriptions', ''], sessions, sessionCells(sessions))

const grantCells = (grant: DashboardGrant): readonly (Node | string)[] => [
  code(grant.program, 'path'),
  grant.applicationName === undefined ? code(grant.applicationId, 'whole') : named(grant.applicationName),
  grant.username === undefined ? code(grant.userId, 'whole') : named(grant.username),
  named(grant.scopes.join(' ')),
  grant.basis === 'token' ? soft('uses its own token') : day(grant.grantedAt),
  day(grant.lastUsedAt),
  button('Revoke', `/api/grants/${grant.id}/revoke`),
]

export const grantsTable = ({ grants }: DashboardSnapshot): HTMLElement =>
  grants.length === 0
    ? hint('No program has a grant.')
    : table(['Program', 'Application', 'User', 'Scopes', 'Since', 'Last used', ''], grants, grantCells)

const accountCells = ({ username, userId, applicationId, scopes }: DashboardAccount): readonly (Node | string)[] => [
  username === undefined ? code(userId, 'whole') : named(username),
  code(applicationId, 'whole'),
  named(scopes.join(' ')),
]

export function accountsTable({ accounts, vaultProblem }: DashboardSnapshot): HTMLElement {
  if (vaultProblem !== null) return problem(vaultProblem)
  if (accounts.length > 0) return table(['User', 'Application', 'Scopes'], accounts, accountCells)
  return hint('No user is signed in. ', code('npm run sallyport -- login'), ' signs in from the terminal.')
}

const health = ({ state, reason }: DashboardProvider): HTMLElement =>
  make('span', `health ${state}`, state, reason === undefined ? undefined : soft(`: ${reason}`))

export const factsList = ({ platform, ipc, sandboxOrigin, sources }: DashboardSnapshot): HTMLElement =>
  definitions([
    ['Platform', platform],
    ...ipc.map((path) => ['Listens at', code(path)] as const),
    ...(sandboxOrigin === null ? [] : [['Sandbox', linkTo(sandboxOrigin, sandboxOrigin)] as const]),
    ...sources.map((source) => [`Events via ${source.name}`, health(source)] as const),
  ])

export const countersList = ({ counters }: DashboardSnapshot): HTMLElement =>
  definitions(Object.entries(counters).map(([name, count]) => [name, String(count)]))
