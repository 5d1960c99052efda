/** Decides from a row's requirement and what a caller holds. Handlers never check scopes; this runs before them and denies by default. */
import { type Requirement, satisfies } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { PeerIdentity } from '../ipc/transport/transport.ts'

const LOCAL: ReadonlySet<string> = new Set(['rpc.local'])

/** What a connection holds before anybody signs in on it: a local program may what a page in a browser may not. */
export const CONNECTION_SCOPES: Readonly<Record<PeerIdentity['trust'], ReadonlySet<string>>> = {
  kernel: LOCAL,
  directory: LOCAL,
  origin: new Set(),
}
/** The pseudo-scope that a connection holds after AUTHENTICATE. */
export const AUTHENTICATED_SCOPE = 'rpc.authenticated'

const inWords = (requirement: Requirement): string => requirement.map((set) => set.join(' + ')).join(' or ')

/** Throws INVALID_PERMISSIONS, naming what is missing. */
export function admit(what: string, requirement: Requirement, held: ReadonlySet<string>): void {
  if (satisfies(requirement, held)) return
  const hint = held.has(AUTHENTICATED_SCOPE) ? 'authorize again with that scope' : 'sign in with AUTHORIZE and AUTHENTICATE first'
  throw new BridgeError('INVALID_PERMISSIONS', `${what} needs the scope ${inWords(requirement)}; ${hint}.`)
}
