/** Checks a row's scope requirement against the scopes of a session. It runs before every handler and denies by default. */
import { CLIENT_KINDS, type ClientKind, onlyFor, type Requirement, satisfies, type ScopeName } from '@sallyport/protocol'
import { currentCall } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'
import type { PeerIdentity } from '../ipc/transport/transport.ts'

/** Scopes of a session before a sign-in. A local program has more than a web page. */
const UNAUTHENTICATED_SCOPES: Readonly<Record<ClientKind, ReadonlySet<string>>> = {
  program: new Set(CLIENT_KINDS.program.holds),
  page: new Set(CLIENT_KINDS.page.holds),
  activity: new Set(CLIENT_KINDS.activity.holds),
}

export function clientKindOf({ trust, isActivity }: Pick<PeerIdentity, 'trust' | 'isActivity'>): ClientKind {
  if (trust !== 'origin') return 'program'
  return isActivity === true ? 'activity' : 'page'
}

export const unauthenticatedScopes = (peer: Pick<PeerIdentity, 'trust' | 'isActivity'>): ReadonlySet<string> =>
  UNAUTHENTICATED_SCOPES[clientKindOf(peer)]

/** The pseudo-scope of a session after AUTHENTICATE. */
export const AUTHENTICATED_SCOPE = 'rpc.authenticated'

/** The parts of a session that say how its client behaves. */
interface Caller {
  readonly contract: string | undefined
  readonly signedIn: object | undefined
  readonly connection: { readonly peer: Pick<PeerIdentity, 'trust'> }
}

/** Whether the session may get more once its user has signed in, and its client does not ask again then. */
export const awaitsSignIn = ({ contract, signedIn, connection }: Caller): boolean =>
  contract === undefined && signedIn === undefined && connection.peer.trust !== 'origin'

const requirementText = (requirement: Requirement): string => requirement.map((set) => set.join(' + ')).join(' or ')

/** The scopes of a session. */
interface HeldScopes {
  readonly scopes: ReadonlySet<string>
  /** Those that the user took from the program. */
  readonly deniedScopes?: ReadonlySet<string>
}

/** `checkScopes` for a check inside a call, which its trace then has. */
export function requireScopes(what: string, requirement: Requirement, held: HeldScopes): void {
  currentCall()?.steps?.scopesChecked(requirement, held.scopes)
  checkScopes(what, requirement, held)
}

/** Throws INVALID_PERMISSIONS with the missing scopes, or with the connections that the row is for when no sign-in can help. */
export function checkScopes(what: string, requirement: Requirement, { scopes, deniedScopes }: HeldScopes): void {
  if (satisfies(requirement, scopes)) return
  const denied = deniedScopes === undefined ? undefined : whatIsDenied(requirement, scopes, deniedScopes)
  throw new BridgeError('INVALID_PERMISSIONS', `${what} ${denied ?? whatIsMissing(requirement, scopes)}.`)
}

/** Undefined when more is missing than the user took. */
function whatIsDenied(requirement: Requirement, held: ReadonlySet<string>, denied: ReadonlySet<string>): string | undefined {
  const set = requirement.find((scopes) => scopes.every((scope) => held.has(scope) || denied.has(scope)))
  const taken = set?.filter((scope) => !held.has(scope))
  return (
    taken && `needs the scope ${taken.join(' + ')}, which the user does not allow this program; \`sallyport grants narrow\` changes that`
  )
}

function whatIsMissing(requirement: Requirement, held: ReadonlySet<string>): string {
  const isObtainable = (scope: ScopeName): boolean => held.has(scope) || onlyFor(scope) === undefined
  const obtainable = requirement.filter((set) => set.every(isObtainable))
  if (obtainable.length > 0 || requirement.length === 0) {
    const hint = held.has(AUTHENTICATED_SCOPE) ? 'authorize again with that scope' : 'sign in with AUTHORIZE and AUTHENTICATE first'
    return `needs the scope ${requirementText(obtainable)}; ${hint}`
  }
  const others = new Set(requirement.flatMap((set) => set.flatMap((scope) => (isObtainable(scope) ? [] : (onlyFor(scope) ?? [])))))
  return `is only for ${[...others].join(' and ')}; no sign-in makes it available on this connection`
}
