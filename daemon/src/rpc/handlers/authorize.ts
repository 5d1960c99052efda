/** AUTHORIZE, ABORT_AUTHORIZE, and DELIVER_AUTHORIZE_CALLBACK, which delivers the redirect of a custom scheme. */
import { LIMITS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { Session } from '../../sessions/session.ts'
import type { CallContext, Handler } from '../context.ts'
import { authorizationRequest } from './authorization-request.ts'
import { authorizeSilently } from './silent-authorize.ts'

/** Returns the session's application id. Throws INVALID_CLIENTID if the call names another. */
export function requireOwnApplication(named: string | undefined, { session }: CallContext): string {
  if (named === undefined || named === session.applicationId) return session.applicationId
  throw new BridgeError('INVALID_CLIENTID', `The application id ${named} is not the one of this connection, ${session.applicationId}.`)
}

/** Added to the call's deadline, so that the prompt's own timeout, which has a better message, comes first. */
export const CONSENT_GRACE_MS = 5_000

/** Time for a consent prompt and then the platform's page. */
const PROMPT_AND_PAGE_MS = 2 * LIMITS.authorizationMs.value + CONSENT_GRACE_MS

/** Authorizations from the start of their call: a game may abort while the daemon still verifies the program. */
const pendingAuthorizations = new WeakMap<Session, Set<AbortController>>()

/** Runs `run` with a signal that ABORT_AUTHORIZE fires too. */
async function abortable<T>(session: Session, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const all = pendingAuthorizations.get(session) ?? new Set()
  pendingAuthorizations.set(session, all.add(own))
  try {
    return await run(AbortSignal.any([signal, own.signal]))
  } finally {
    all.delete(own)
  }
}

export const authorize: Handler<'AUTHORIZE'> = (args, context) => {
  const request = authorizationRequest(args, requireOwnApplication(args.client_id ?? undefined, context))
  return context.withDeadline(async ({ signal }) => {
    const answer = await abortable(context.session, signal, (stop) => authorizeSilently(request, context, stop))
    // Only a state from the game is returned to it, as the platform would. The daemon compares a generated one itself.
    const state = request.state === undefined ? {} : { state: request.state }
    return { code: answer.code.reveal(), redirect_uri: answer.redirectUri, ...state }
  }, PROMPT_AND_PAGE_MS)
}

export const abortAuthorize: Handler<'ABORT_AUTHORIZE'> = (_args, { session, services }) => {
  for (const one of pendingAuthorizations.get(session) ?? []) one.abort()
  services.authorizer.abort(session)
  return null
}

export const deliverAuthorizeCallback: Handler<'DELIVER_AUTHORIZE_CALLBACK'> = ({ url }, { session, services }) => {
  const { applicationId, error } = services.authorizer.deliver(new Secret(url), session.programKey)
  return error === undefined
    ? { application_id: applicationId, outcome: 'allowed' }
    : { application_id: applicationId, outcome: 'refused', error }
}
