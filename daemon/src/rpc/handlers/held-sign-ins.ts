/**
 * Sign-ins whose tokens a program does not get, because they give more than the user allows it: the platform gives an umbrella scope as a whole.
 * The daemon exchanges the code itself. The game gets a code and tokens of the daemon in their place, which are worth nothing at the platform.
 */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { randomToken } from '@sallyport/core/os/random-token'
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { AuthorizationResult } from '../../auth/auth.ts'
import { withoutDenied } from '../../auth/grants/terms.ts'
import { challengeOf } from '../../auth/oauth/pkce.ts'
import { isSamePath, type Program } from '../../identity/program.ts'
import type { Session } from '../../sessions/session.ts'

const PREFIX = 'sallyport-held.'
/** Games that were signed in and did not exchange their code. */
const MAX_CODES = 256

/** A code of the platform, with the verifier of the daemon. */
export interface HeldCode extends AuthorizationResult {
  readonly codeVerifier: Secret<string>
}

interface Entry {
  readonly held: HeldCode
  readonly program: Program
  readonly applicationId: string
  /** What the game proves that it began the authorization with; undefined if it gave none. */
  readonly gameChallenge: string | undefined
}

/** In place of a token: it names the stored sign-in of a user. Only a program with a grant for that user can use it, so it is no secret. */
export const heldToken = (userId: string): string => `${PREFIX}${userId}`

/** The user of such a token; undefined for any other. */
export const heldUserOf = (token: string): string | undefined => (token.startsWith(PREFIX) ? token.slice(PREFIX.length) : undefined)

/** What GET_TOKEN returns instead of the platform's response. */
export const heldResponse = (userId: string, scopes: readonly string[], denied: readonly string[], expiresIn: number) => ({
  access_token: heldToken(userId),
  token_type: 'Bearer',
  expires_in: expiresIn,
  scope: withoutDenied(scopes, denied).join(' '),
  refresh_token: heldToken(userId),
})

export class HeldCodes {
  readonly #codes = new BoundedMap<string, Entry>(MAX_CODES)

  /** The code for the game. */
  hold(held: HeldCode, { program, applicationId }: Session, gameChallenge: string | undefined): string {
    const code = `${PREFIX}${randomToken()}`
    this.#codes.set(code, { held, program, applicationId, gameChallenge })
    return code
  }

  /** The code behind the one of the game, once. Undefined for a code of the platform. Throws OAUTH2_ERROR for any other game or verifier. */
  take(code: string, codeVerifier: Secret<string>, { program, applicationId }: Session): HeldCode | undefined {
    if (!code.startsWith(PREFIX)) return undefined
    const entry = this.#codes.get(code)
    const isOwn = entry !== undefined && isSamePath(entry.program, program) && entry.applicationId === applicationId
    const isProven = entry?.gameChallenge === undefined || entry.gameChallenge === challengeOf(codeVerifier)
    if (!isOwn || !isProven)
      throw new BridgeError(
        'OAUTH2_ERROR',
        'OAuth2 Error: invalid_grant: This code was used before, or is of another game; authorize again.',
      )
    this.#codes.delete(code)
    return entry.held
  }
}
