/** AUTHORIZE asks the user what the game may do; ABORT_AUTHORIZE gives that up; DELIVER_AUTHORIZE_CALLBACK brings the answer when it comes by a scheme. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { Session } from '../../sessions/session.ts'
import type { CallContext, Handler } from '../context.ts'
import { authorizationRequest } from './authorization-request.ts'
import { authorizeQuietly } from './quiet-authorize.ts'

/** The application id of a call: its own or none. Throws INVALID_CLIENTID for any other. */
export function ownApplication(named: string | undefined, { caller }: CallContext): string {
  if (named === undefined || named === caller.applicationId) return caller.applicationId
  throw new BridgeError('INVALID_CLIENTID', `The application id ${named} is not the one of this connection, ${caller.applicationId}.`)
}

/** The end that whoever asks the user comes to comes first, since it says more. */
export const CONSENT_GRACE_MS = 5_000

/** A question of our own, and then the page. */
const ASKING_TWICE_MS = 2 * LIMITS.authorizationMs.value + CONSENT_GRACE_MS

/** Authorizations from their call on: it takes a moment to make sure of the program, and a game may give up in it. */
const underWay = new WeakMap<Session, Set<AbortController>>()

/** Runs `ask` under a signal that ABORT_AUTHORIZE fires too. */
async function abortable<T>(caller: Session, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const all = underWay.get(caller) ?? new Set()
  underWay.set(caller, all.add(own))
  try {
    return await ask(AbortSignal.any([signal, own.signal]))
  } finally {
    all.delete(own)
  }
}

export const authorize: Handler<'AUTHORIZE'> = (args, context) => {
  const request = authorizationRequest(args, ownApplication(args.client_id ?? undefined, context))
  return context.wait(async ({ signal }) => {
    const answer = await abortable(context.caller, signal, (stop) => authorizeQuietly(request, context, stop))
    // A generated state is ours to compare; the game's own comes back to it, as it would from the platform.
    const state = request.state === undefined ? {} : { state: request.state }
    return { code: answer.code.reveal(), redirect_uri: answer.redirectUri, ...state }
  }, ASKING_TWICE_MS)
}

export const abortAuthorize: Handler<'ABORT_AUTHORIZE'> = (_args, { caller, services }) => {
  for (const one of underWay.get(caller) ?? []) one.abort()
  services.authorizer.abort(caller)
  return null
}

export const deliverAuthorizeCallback: Handler<'DELIVER_AUTHORIZE_CALLBACK'> = ({ url }, { caller, services }) => {
  const { applicationId, error } = services.authorizer.deliver(new Secret(url), caller.place)
  return error === undefined
    ? { application_id: applicationId, outcome: 'allowed' }
    : { application_id: applicationId, outcome: 'refused', error }
}
