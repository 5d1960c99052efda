/** Asks the user on the platform's consent page and waits for the redirect to this machine. */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '@sallyport/protocol'
import type { PlatformProfile } from '../config/profile.ts'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import type { AuthorizationAnswer, AuthorizationRequest, Authorizer, ConsentSurface } from './auth.ts'
import { authorizeUrl } from './authorize-url.ts'
import { listenForRedirect, type Redirect } from './loopback.ts'
import { OAuthError } from './oauth-error.ts'
import { isChallenge } from './pkce.ts'

export interface AuthorizerParts {
  readonly profile: Pick<PlatformProfile, 'authorizeUrl'>
  readonly surface: ConsentSurface
  readonly clock: Clock
}

/** How long the page may stay unanswered. */
export const AUTHORIZATION_MS = LIMITS.authorizationMs.value
const STATE_BYTES = 32

/** One authorization per application at a time: a second page would only confuse the user. */
export function createAuthorizer({ profile, surface, clock }: AuthorizerParts): Authorizer {
  const open = new Set<string>()

  const ask = async (request: AuthorizationRequest, signal: AbortSignal): Promise<AuthorizationAnswer> => {
    // An empty state is not sent back by every platform, so it counts as none.
    const state = request.state || randomBytes(STATE_BYTES).toString('base64url')
    const listener = await listenForRedirect(state)
    try {
      const url = authorizeUrl(profile, request, state, listener.redirectUri)
      const redirect = await firstOf(listener.redirect, url, signal)
      if (redirect.kind === 'error') throw new OAuthError(redirect.error, redirect.description)
      return { code: redirect.code, redirectUri: listener.redirectUri }
    } finally {
      await listener.close()
    }
  }

  /** The redirect, unless the surface fails, the caller leaves or nobody answers; then everything begun is told to stop. */
  const firstOf = async (redirect: Promise<Redirect>, url: URL, signal: AbortSignal): Promise<Redirect> => {
    const stop = new AbortController()
    const { promise: ended, reject } = Promise.withResolvers<never>()
    const leave = () => reject(new BridgeError('TRANSACTION_ABORTED', 'The authorization was given up before the user answered.'))
    const cancelTimer = clock.after(AUTHORIZATION_MS, () =>
      reject(
        new BridgeError(
          'TRANSACTION_ABORTED',
          `Nobody answered the authorization page within ${AUTHORIZATION_MS / 60_000} minutes; authorize again.`,
        ),
      ),
    )
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    else surface.open(url, stop.signal).catch(reject)
    try {
      return await Promise.race([redirect, ended])
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', leave)
      stop.abort()
    }
  }

  return {
    async authorize(request, signal) {
      const { applicationId, codeChallenge } = request
      if (codeChallenge !== undefined && !isChallenge(codeChallenge)) {
        throw new BridgeError(
          'INVALID_PAYLOAD',
          'code_challenge must be the base64url SHA-256 of the verifier: 43 characters without padding.',
          {
            path: 'code_challenge',
          },
        )
      }
      if (open.has(applicationId)) {
        throw new BridgeError('TRANSACTION_ABORTED', 'An authorization page of this application is open already; answer or close it first.')
      }
      open.add(applicationId)
      try {
        return await ask(request, signal)
      } finally {
        open.delete(applicationId)
      }
    },
  }
}
