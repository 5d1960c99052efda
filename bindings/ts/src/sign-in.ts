/** The complete sign-in: authorize in the browser, exchange the code with the proof key, authenticate the connection. */
import type { SignInOptions } from './api.ts'
import { CallError } from './errors.ts'
import { createPkce } from './pkce.ts'

/** Time limit for the player's decision in milliseconds; the longest timeout of a call. */
const CONSENT_TIMEOUT_MS = 300_000

export type Call = (
  command: string,
  args: object,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
) => Promise<unknown>

const field = (data: unknown, name: string): string => {
  const value = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>)[name] : undefined
  if (typeof value !== 'string') throw new Error(`the response to the authorization has no ${name}; signing in requires a Sallyport bridge`)
  return value
}

/** What the daemon says of tokens that it did not store; undefined for others. */
function notKept(tokens: unknown): object | undefined {
  const { kept, not_kept_reason } = (tokens ?? {}) as { readonly kept?: unknown; readonly not_kept_reason?: unknown }
  if (kept !== false) return undefined
  return typeof not_kept_reason === 'string' ? { kept, not_kept_reason } : { kept }
}

/**
 * Signs in with the stored grant of this program, and asks the player only if nothing valid is stored. A rate limit, an unreachable platform and a
 * refusal are no reasons to open a browser: it rejects with them.
 */
export async function signIn(call: Call, applicationId: string, options: SignInOptions): Promise<unknown> {
  try {
    return await call('AUTHENTICATE', {}, options.signal === undefined ? {} : { signal: options.signal })
  } catch (error) {
    if (!(error instanceof CallError) || error.errorName !== 'INVALID_TOKEN') throw error
    return askToSignIn(call, applicationId, options)
  }
}

/**
 * Asks the player. Resolves with the response to AUTHENTICATE. The daemon stores and refreshes the tokens and uses them for later sign-ins.
 * Rejects with CallError: OAUTH2_ERROR when the player declines, INVALID_COMMAND when the server is not a bridge.
 */
export async function askToSignIn(
  call: Call,
  applicationId: string,
  { scopes, prompt, timeoutMs, signal }: SignInOptions,
): Promise<unknown> {
  const abort = signal === undefined ? {} : { signal }
  const { verifier, challenge, method } = createPkce()
  const authorization = await call(
    'AUTHORIZE',
    {
      client_id: applicationId,
      response_type: 'code',
      scopes: [...scopes],
      code_challenge: challenge,
      code_challenge_method: method,
      ...(prompt === undefined ? {} : { prompt }),
    },
    { ...abort, timeoutMs: timeoutMs ?? CONSENT_TIMEOUT_MS },
  )
  const exchange = { code: field(authorization, 'code'), code_verifier: verifier, redirect_uri: field(authorization, 'redirect_uri') }
  const tokens = await call('GET_TOKEN', exchange, abort)
  const facts = notKept(tokens)
  if (facts === undefined) return call('AUTHENTICATE', {}, abort)
  const signedIn = (await call('AUTHENTICATE', { access_token: field(tokens, 'access_token') }, abort)) as object
  return { ...signedIn, ...facts }
}
