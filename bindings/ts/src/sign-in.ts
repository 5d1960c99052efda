/** Signing in as one step: ask the player, exchange the code with the proof key, authenticate the connection. */
import type { SignInOptions } from './api.ts'
import { createPkce } from './pkce.ts'

/** How long a player may take to answer, milliseconds: the longest time a call may have. */
const CONSENT_MS = 300_000

export type Call = (
  command: string,
  args: object,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
) => Promise<unknown>

const field = (data: unknown, name: string): string => {
  const value = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>)[name] : undefined
  if (typeof value !== 'string')
    throw new Error(`the server answered the authorization without ${name}; signing in needs a Sallyport bridge`)
  return value
}

/** The daemon gave the tokens and could not keep them. */
const isLost = (tokens: unknown): boolean => typeof tokens === 'object' && tokens !== null && 'kept' in tokens && tokens.kept === false

/**
 * Resolves with the answer of AUTHENTICATE. The tokens stay with the daemon, which refreshes them and takes them for the sign-ins that follow.
 * Rejects with CallError: OAUTH2_ERROR when the player declines, INVALID_COMMAND when the server is not a bridge.
 */
export async function signIn(call: Call, applicationId: string, { scopes, prompt, timeoutMs, signal }: SignInOptions): Promise<unknown> {
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
    { ...abort, timeoutMs: timeoutMs ?? CONSENT_MS },
  )
  const exchange = { code: field(authorization, 'code'), code_verifier: verifier, redirect_uri: field(authorization, 'redirect_uri') }
  const tokens = await call('GET_TOKEN', exchange, abort)
  if (!isLost(tokens)) return call('AUTHENTICATE', {}, abort)
  const signedIn = (await call('AUTHENTICATE', { access_token: field(tokens, 'access_token') }, abort)) as object
  return { ...signedIn, kept: false }
}
