/** AUTHORIZE, ABORT_AUTHORIZE, and DELIVER_AUTHORIZE_CALLBACK, which delivers the redirect of a custom scheme. */
import { DEFAULT_COMMUNICATION_SCOPES, DEFAULT_PRESENCE_SCOPES, LIMITS, type ParsedArgsOf } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import type { Authorizer } from '../../auth/auth.ts'
import { challengeOf, createVerifier } from '../../auth/oauth/pkce.ts'
import { withWarnings } from '../../ipc/connection/with-warnings.ts'
import { clientKindOf } from '../../sessions/required-scopes.ts'
import type { Session } from '../../sessions/session.ts'
import type { HandlerMap } from '../context.ts'
import type { HeldCodes } from './held-sign-ins.ts'
import { authorizationRequest, warningsOf } from './authorization-request.ts'
import { requireOwnApplication } from './own-application.ts'
import { authorizeInPlaceOfClient } from './authorize-in-place-of-client.ts'
import type { AuthorizeWithConsentDeps } from './authorize-with-consent.ts'
import type { DesktopClientDeps } from './desktop-client.ts'

export interface AuthorizeDeps extends AuthorizeWithConsentDeps, DesktopClientDeps {
  readonly authorizer: Authorizer
  readonly heldCodes: HeldCodes
  /** Loads the HTTP client while the user reads the page, so that the first request of the game does not wait for it. */
  readonly prepareHttp: () => void
}

/** Added to the call's deadline, so that the prompt's own timeout, which has a better message, comes first. */
export const CONSENT_GRACE_MS = 5_000

/** Time for a consent prompt and then the platform's page. */
export const PROMPT_AND_PAGE_MS = 2 * LIMITS.authorizationMs.value + CONSENT_GRACE_MS

/** The platform's client shows its page even to an activity that requests none, where consent is missing. */
const allowPageForActivity = (args: ParsedArgsOf<'AUTHORIZE'>, { connection }: Session): ParsedArgsOf<'AUTHORIZE'> =>
  args.prompt === 'none' && clientKindOf(connection.peer) === 'activity' ? { ...args, prompt: null } : args

export function authorizeHandlers(deps: AuthorizeDeps) {
  const { authorizer, heldCodes, prepareHttp } = deps
  /** Authorizations from the start of their call: a game may abort while the daemon still verifies the program. */
  const pending = new WeakMap<Session, Set<AbortController>>()

  /** Runs `run` with a signal that ABORT_AUTHORIZE fires too. */
  const abortable = async <T>(session: Session, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const own = new AbortController()
    const all = pending.get(session) ?? new Set()
    pending.set(session, all.add(own))
    try {
      return await run(AbortSignal.any([signal, own.signal]))
    } finally {
      all.delete(own)
    }
  }

  return {
    AUTHORIZE: (args, context) => {
      const { session } = context
      const request = authorizationRequest(allowPageForActivity(args, session), requireOwnApplication(args.client_id ?? undefined, session))
      prepareHttp()
      return context.withDeadline(async ({ signal }) => {
        const answer = await abortable(session, signal, (stop) => authorizeInPlaceOfClient(request, session, stop, deps))
        // Only a state from the game is returned to it, as the platform would. The daemon compares a generated one itself.
        const state = request.state === undefined ? {} : { state: request.state }
        const code = 'codeVerifier' in answer ? heldCodes.hold(answer, session, request.codeChallenge) : answer.code.reveal()
        return withWarnings({ code, redirect_uri: answer.redirectUri, ...state }, warningsOf(args, request))
      }, PROMPT_AND_PAGE_MS)
    },

    CREATE_AUTHORIZATION_CODE_VERIFIER: () => {
      const verifier = createVerifier()
      return { code_verifier: verifier.reveal(), code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    },

    GET_DEFAULT_SCOPES: () => ({ presence: [...DEFAULT_PRESENCE_SCOPES], communication: [...DEFAULT_COMMUNICATION_SCOPES] }),

    ABORT_AUTHORIZE: (_args, { session }) => {
      for (const one of pending.get(session) ?? []) one.abort()
      authorizer.abort(session)
      return null
    },

    DELIVER_AUTHORIZE_CALLBACK: ({ url }, { session }) => {
      const { applicationId, error } = authorizer.deliver(new Secret(url), session.programKey)
      return error === undefined
        ? { application_id: applicationId, outcome: 'allowed' }
        : { application_id: applicationId, outcome: 'refused', error }
    },
  } satisfies Partial<HandlerMap>
}
