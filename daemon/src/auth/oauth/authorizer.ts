/** Opens the platform's consent page and waits for the redirect, via a loopback port or the game's custom scheme. */
import { randomBytes } from 'node:crypto'
import { customSchemeRedirect, defaultCustomScheme, isDefaultSchemeOfAnother, LIMITS } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import { traceWait } from '@sallyport/core/current-call'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { AuthorizationRequest, AuthorizationResult, Authorizer, PageOpener, PageRequester, Requester } from '../auth.ts'
import { authorizeUrl } from './authorize-url.ts'
import type { CallbackRegistry } from './callback-registry.ts'
import type { PendingNonces } from './pending-nonces.ts'
import { openSignIn, type SignIn } from './loopback.ts'
import { OAuthError } from './oauth-error.ts'
import { isChallenge } from './pkce.ts'
import type { Redirect } from './redirect.ts'

interface AuthorizerDeps {
  readonly profile: Pick<PlatformProfile, 'authorizeUrl' | 'customSchemePrefix' | 'issuer'>
  readonly opener: PageOpener
  readonly callbacks: CallbackRegistry
  readonly nonces: PendingNonces
  readonly clock: Clock
  readonly peers: TcpPeers
  /** Charges a page to the program for which it opens and returns the release. Throws when the program is at its limit. */
  readonly chargePage: (program: Program, applicationId: string) => () => void
}

/** How long a page may stay open, in ms. */
const AUTHORIZATION_MS = LIMITS.authorizationMs.value
const STATE_BYTES = 32

interface PendingAuthorization {
  readonly requester: Requester
  abort(): void
}

/** One authorization per program and application at a time, because a second page would confuse the user. */
export function createAuthorizer({ profile, opener, callbacks, nonces, clock, peers, chargePage }: AuthorizerDeps): Authorizer {
  const reserved = new Map<string, PendingAuthorization>()

  const begin = async ({ applicationId, customScheme, state: own }: AuthorizationRequest, state: string): Promise<SignIn> => {
    if (customScheme === undefined) return openSignIn({ state, clock, peers })
    const scheme = customScheme || defaultCustomScheme(profile.customSchemePrefix, applicationId)
    const callback = callbacks.open(applicationId, customSchemeRedirect(scheme), state, state !== own)
    try {
      const signIn = await openSignIn({ state: undefined, clock, peers })
      return {
        redirectUri: callback.redirectUri,
        redirect: Promise.race([callback.redirect, signIn.redirect]),
        entryUrlFor: signIn.entryUrlFor,
        visited: signIn.visited,
        close: async () => void (await Promise.all([callback.close(), signIn.close()])),
      }
    } catch (failure) {
      await callback.close()
      throw failure
    }
  }

  const openPage = async (
    request: AuthorizationRequest,
    signal: AbortSignal,
    { program, pid }: Requester,
  ): Promise<AuthorizationResult> => {
    // Some platforms do not return an empty state, so it counts as absent.
    const state = request.state || randomBytes(STATE_BYTES).toString('base64url')
    const signIn = await begin(request, state)
    try {
      const page = signIn.entryUrlFor(authorizeUrl(profile, request, state, signIn.redirectUri))
      const redirect = await firstOf(signIn.redirect, page, signal, { program, pid, applicationId: request.applicationId })
      checkIssuer(redirect, profile.issuer)
      if (redirect.kind === 'error') throw new OAuthError(redirect.error, redirect.description)
      // Without openid there is no ID token.
      nonces.add(redirect.code, request.scopes.includes('openid') ? request.nonce : undefined)
      return { code: redirect.code, redirectUri: signIn.redirectUri }
    } finally {
      await signIn.close()
    }
  }

  /** The redirect. Rejects when the page cannot be opened, the call is cancelled or the deadline passes. Then the opener stops. */
  const firstOf = async (redirect: Promise<Redirect>, page: URL, signal: AbortSignal, requester: PageRequester): Promise<Redirect> => {
    const stop = new AbortController()
    const { promise: ended, reject } = Promise.withResolvers<never>()
    const cancel = () => reject(new BridgeError('TRANSACTION_ABORTED', 'The authorization was cancelled before the user answered.'))
    const cancelTimer = clock.after(AUTHORIZATION_MS, () =>
      reject(
        new BridgeError(
          'TRANSACTION_ABORTED',
          `The user did not answer the authorization page within ${AUTHORIZATION_MS / 60_000} minutes; authorize again.`,
        ),
      ),
    )
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    else opener.open(page, stop.signal, requester).catch(reject)
    try {
      return await Promise.race([redirect, ended])
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', cancel)
      stop.abort()
    }
  }

  return {
    reserve(request, signal, requester) {
      const { applicationId } = request
      checkProof(request)
      checkScheme(request, profile.customSchemePrefix)
      // The key includes the program, so that one program cannot block another.
      const key = `${applicationId} ${requester.programKey}`
      if (reserved.has(key)) {
        throw new BridgeError('TRANSACTION_ABORTED', 'An authorization page of this application is already open; answer or close it first.')
      }
      const aborted = new AbortController()
      const stop = AbortSignal.any([signal, aborted.signal])
      reserved.set(key, { requester, abort: () => aborted.abort() })
      const held = new DisposableStack()
      held.defer(() => reserved.delete(key))
      return {
        signal: stop,
        charge(changed) {
          held.defer(chargePage(requester.program, applicationId))
          return { open: () => traceWait('the page of the platform', clock, () => openPage({ ...request, ...changed }, stop, requester)) }
        },
        [Symbol.dispose]: () => held.dispose(),
      }
    },
    abort(requester) {
      for (const pending of reserved.values()) if (pending.requester === requester) pending.abort()
    },
    deliver: (url, programKey) => callbacks.deliver(url, programKey),
  }
}

/** Rejects a redirect of another platform, whose code is not valid here (RFC 9207). */
function checkIssuer({ issuer }: Redirect, expected: string | undefined): void {
  if (issuer === undefined || expected === undefined || issuer === expected) return
  throw new OAuthError('invalid_issuer', 'The redirect of the sign-in comes from another platform than the one in the profile.')
}

/** The platform refuses it as a redirect that the application has not registered. */
function checkScheme({ applicationId, customScheme }: AuthorizationRequest, prefix: string): void {
  if (customScheme === undefined || !isDefaultSchemeOfAnother(customScheme, prefix, applicationId)) return
  const own = defaultCustomScheme(prefix, applicationId)
  throw new BridgeError('INVALID_PAYLOAD', `${customScheme} is the scheme of another application. Use ${own}, or a scheme of your own.`, {
    path: 'custom_scheme',
  })
}

function checkProof({ codeChallenge, customScheme }: AuthorizationRequest): void {
  const refused = (message: string) => new BridgeError('INVALID_PAYLOAD', message, { path: 'code_challenge' })
  if (codeChallenge === undefined) {
    // Any program can register a scheme and would receive the code.
    if (customScheme !== undefined)
      throw refused('A custom scheme needs a code_challenge, because other programs can register the scheme too.')
  } else if (!isChallenge(codeChallenge)) {
    throw refused('code_challenge must be the base64url SHA-256 of the verifier: 43 characters without padding.')
  }
}
