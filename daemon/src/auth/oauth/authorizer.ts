/** Asks the user on the platform's consent page and waits for the redirect to this machine, by a port or by a scheme of the game's own. */
import { randomBytes } from 'node:crypto'
import { customSchemeRedirect, defaultCustomScheme, LIMITS } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { Asker, AuthorizationAnswer, AuthorizationRequest, Authorizer, ConsentSurface, PageAsker } from '../auth.ts'
import { authorizeUrl } from './authorize-url.ts'
import type { CallbackDesk } from './callback-desk.ts'
import type { ExpectedNonces } from './expected-nonces.ts'
import { openSignIn, type SignIn } from './loopback.ts'
import { OAuthError } from './oauth-error.ts'
import { isChallenge } from './pkce.ts'
import type { Redirect } from './redirect.ts'

export interface AuthorizerParts {
  readonly profile: Pick<PlatformProfile, 'authorizeUrl' | 'customSchemePrefix' | 'issuer'>
  readonly surface: ConsentSurface
  readonly callbacks: CallbackDesk
  readonly nonces: ExpectedNonces
  readonly clock: Clock
  readonly peers: TcpPeers
  /** Charges a page to the program for which it opens, and gives back how to return that. Throws when the program has its share. */
  readonly chargePage: (program: Program, applicationId: string) => () => void
}

/** How long the page may stay unanswered. */
export const AUTHORIZATION_MS = LIMITS.authorizationMs.value
const STATE_BYTES = 32

interface Asking {
  readonly asker: Asker
  abort(): void
}

/** One authorization per program and application at a time: a second page would only confuse the user. */
export function createAuthorizer({ profile, surface, callbacks, nonces, clock, peers, chargePage }: AuthorizerParts): Authorizer {
  const open = new Map<string, Asking>()

  const begin = async ({ applicationId, customScheme, state: own }: AuthorizationRequest, state: string): Promise<SignIn> => {
    if (customScheme === undefined) return openSignIn({ state, clock, peers })
    const scheme = customScheme || defaultCustomScheme(profile.customSchemePrefix, applicationId)
    const desk = callbacks.open(applicationId, customSchemeRedirect(scheme), state, state !== own)
    try {
      const signIn = await openSignIn({ state: undefined, clock, peers })
      return {
        redirectUri: desk.redirectUri,
        redirect: Promise.race([desk.redirect, signIn.redirect]),
        leadTo: signIn.leadTo,
        close: async () => void (await Promise.all([desk.close(), signIn.close()])),
      }
    } catch (failure) {
      await desk.close()
      throw failure
    }
  }

  const ask = async (request: AuthorizationRequest, signal: AbortSignal, { program, pid }: Asker): Promise<AuthorizationAnswer> => {
    // An empty state is not sent back by every platform, so it counts as none.
    const state = request.state || randomBytes(STATE_BYTES).toString('base64url')
    const signIn = await begin(request, state)
    try {
      const page = signIn.leadTo(authorizeUrl(profile, request, state, signIn.redirectUri))
      const redirect = await firstOf(signIn.redirect, page, signal, { program, pid, applicationId: request.applicationId })
      checkIssuer(redirect, profile.issuer)
      if (redirect.kind === 'error') throw new OAuthError(redirect.error, redirect.description)
      // Without openid there is no ID token that could carry it.
      nonces.note(redirect.code, request.scopes.includes('openid') ? request.nonce : undefined)
      return { code: redirect.code, redirectUri: signIn.redirectUri }
    } finally {
      await signIn.close()
    }
  }

  /** The redirect, unless the surface fails, the caller leaves or nobody answers; then everything begun is told to stop. */
  const firstOf = async (redirect: Promise<Redirect>, page: URL, signal: AbortSignal, who: PageAsker): Promise<Redirect> => {
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
    else surface.open(page, stop.signal, who).catch(reject)
    try {
      return await Promise.race([redirect, ended])
    } finally {
      cancelTimer()
      signal.removeEventListener('abort', leave)
      stop.abort()
    }
  }

  return {
    async authorize(request, signal, asker, first) {
      const { applicationId } = request
      checkProof(request)
      // Of the program too: else one program could keep another from asking.
      const key = `${applicationId} ${asker.place}`
      if (open.has(key)) {
        throw new BridgeError('TRANSACTION_ABORTED', 'An authorization page of this application is open already; answer or close it first.')
      }
      const aborted = new AbortController()
      open.set(key, { asker, abort: () => aborted.abort() })
      let release = () => {}
      try {
        const stop = AbortSignal.any([signal, aborted.signal])
        await first?.(stop)
        release = chargePage(asker.program, applicationId)
        return await ask(request, stop, asker)
      } finally {
        release()
        open.delete(key)
      }
    },
    abort(asker) {
      for (const asking of open.values()) if (asking.asker === asker) asking.abort()
    },
    deliver: (url, place) => callbacks.deliver(url, place),
  }
}

/** An answer of another platform than the one that was asked has a code that is not for this one (RFC 9207). */
function checkIssuer({ issuer }: Redirect, expected: string | undefined): void {
  if (issuer === undefined || expected === undefined || issuer === expected) return
  throw new OAuthError('invalid_issuer', 'The answer of the sign-in comes from another platform than the one of the profile.')
}

function checkProof({ codeChallenge, customScheme }: AuthorizationRequest): void {
  const refused = (message: string) => new BridgeError('INVALID_PAYLOAD', message, { path: 'code_challenge' })
  if (codeChallenge === undefined) {
    // Any program can claim a scheme, and would be handed the code.
    if (customScheme !== undefined) throw refused('A custom scheme needs a code_challenge, since other programs can claim the scheme too.')
  } else if (!isChallenge(codeChallenge)) {
    throw refused('code_challenge must be the base64url SHA-256 of the verifier: 43 characters without padding.')
  }
}
