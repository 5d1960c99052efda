/** Checks a row's scope requirement against the scopes of a session. It runs before every handler and denies by default. */
import { type Requirement, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { PeerIdentity } from '../ipc/transport/transport.ts'

const LOCAL: ReadonlySet<string> = new Set(['rpc.local'])

/** Scopes of a session before a sign-in. A local program has more than a web page. */
export const UNAUTHENTICATED_SCOPES: Readonly<Record<PeerIdentity['trust'], ReadonlySet<string>>> = {
  kernel: LOCAL,
  directory: LOCAL,
  origin: new Set(),
}
/** The pseudo-scope of a session after AUTHENTICATE. */
export const AUTHENTICATED_SCOPE = 'rpc.authenticated'

const requirementText = (requirement: Requirement): string => requirement.map((set) => set.join(' + ')).join(' or ')

/** Throws INVALID_PERMISSIONS with the missing scopes. */
export function requireScopes(what: string, requirement: Requirement, held: ReadonlySet<string>): void {
  if (satisfies(requirement, held)) return
  const hint = held.has(AUTHENTICATED_SCOPE) ? 'authorize again with that scope' : 'sign in with AUTHORIZE and AUTHENTICATE first'
  throw new BridgeError('INVALID_PERMISSIONS', `${what} needs the scope ${requirementText(requirement)}; ${hint}.`)
}
