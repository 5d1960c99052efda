/** Tables of the dashboard: connected games, grants, accounts, and facts about the daemon. */
import type { BridgeState } from '@sallyport/protocol'
import { button, code, definitions, hint, linkTo, make, named, problem, soft, table } from './dom.ts'

type Game = BridgeState['games'][number]
type Grant = BridgeState['grants'][number]
type Account = BridgeState['accounts'][number]
type Provider = BridgeState['providers'][number]

const day = (ms: number): string => new Date(ms).toLocaleDateString()

const gameCells =
  (games: readonly Game[]) =>
  (game: Game): readonly (Node | string)[] => {
    const { application_id: applicationId, user, program, pid, subscriptions } = game
    // One button per application: it reaches all of its games.
    const hasButton = games.find((other) => other.can_link && other.application_id === applicationId) === game
    return [
      code(applicationId, 'whole'),
      user === undefined ? soft('not signed in') : named(user.username),
      code(program, 'path'),
      pid === undefined ? soft('unknown') : String(pid),
      subscriptions.length === 0 ? soft('none') : subscriptions.join(', '),
      hasButton ? button('Link account', `/api/applications/${applicationId}/link`, { isRepeatable: true }) : '',
    ]
  }

export const gamesTable = ({ games, ipc, omitted }: BridgeState): HTMLElement =>
  games.length === 0
    ? hint('No game is connected. Try ', code('npm run example'), ', or start one that looks for ', code(ipc[0] ?? 'a local socket'), '.')
    : table(['Application', 'User', 'Program', 'Process', 'Subscriptions', ''], {
        items: games,
        cellsOf: gameCells(games),
        omitted: omitted.games,
      })

const grantCells = (grant: Grant): readonly (Node | string)[] => [
  code(grant.program, 'path'),
  grant.application_name === undefined ? code(grant.application_id, 'whole') : named(grant.application_name),
  grant.username === undefined ? code(grant.user_id, 'whole') : named(grant.username),
  named(grant.scopes.join(' ')),
  grant.basis === 'allowed' ? day(grant.granted_at) : soft(grant.basis === 'token' ? 'uses its own token' : 'is blocked'),
  day(grant.last_used_at),
  button('Revoke', `/api/grants/${grant.id}/revoke`),
]

export const grantsTable = ({ grants, omitted }: BridgeState): HTMLElement =>
  grants.length === 0
    ? hint('No program has a grant.')
    : table(['Program', 'Application', 'User', 'Scopes', 'Since', 'Last used', ''], {
        items: grants,
        cellsOf: grantCells,
        omitted: omitted.grants,
      })

const accountCells = ({ username, user_id: userId, application_id: applicationId, scopes }: Account): readonly (Node | string)[] => [
  username === undefined ? code(userId, 'whole') : named(username),
  code(applicationId, 'whole'),
  named(scopes.join(' ')),
]

export function accountsTable({ accounts, vault_problem: vaultProblem, omitted }: BridgeState): HTMLElement {
  if (vaultProblem !== undefined) return problem(vaultProblem)
  if (accounts.length > 0)
    return table(['User', 'Application', 'Scopes'], { items: accounts, cellsOf: accountCells, omitted: omitted.accounts })
  return hint('No user is signed in. ', code('npm run sallyport -- login'), ' signs in from the terminal.')
}

const health = ({ state, reason }: Provider): HTMLElement =>
  make('span', `health ${state}`, state, reason === undefined ? undefined : soft(`: ${reason}`))

export const factsList = ({ platform, ipc, sandbox_origin: sandbox, bots, providers }: BridgeState): HTMLElement =>
  definitions([
    ['Platform', platform],
    ...ipc.map((path) => ['Listens at', code(path)] as const),
    ...(sandbox === undefined ? [] : [['Sandbox', linkTo(sandbox, sandbox)] as const]),
    ...bots.map(({ application_id: id, name }) => [`Bot of ${id}`, named(name)] as const),
    ...providers.map((provider) => [`Provider ${provider.name}`, health(provider)] as const),
  ])

export const countersList = ({ counters }: BridgeState): HTMLElement =>
  definitions(Object.entries(counters).map(([name, count]) => [name.replaceAll('_', ' '), String(count)]))
