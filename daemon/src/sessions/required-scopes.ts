/** Checks a row's scope requirement against the scopes of a session. It runs before every handler and denies by default. */
import { CLIENT_KINDS, type ClientKind, type Requirement, satisfies } from '@sallyport/protocol'
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

const requirementText = (requirement: Requirement): string => requirement.map((set) => set.join(' + ')).join(' or ')

/** Throws INVALID_PERMISSIONS with the missing scopes. */
export function requireScopes(what: string, requirement: Requirement, held: ReadonlySet<string>): void {
  if (satisfies(requirement, held)) return
  const hint = held.has(AUTHENTICATED_SCOPE) ? 'authorize again with that scope' : 'sign in with AUTHORIZE and AUTHENTICATE first'
  throw new BridgeError('INVALID_PERMISSIONS', `${what} needs the scope ${requirementText(requirement)}; ${hint}.`)
}
