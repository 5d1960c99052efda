/** What a developer does about a call that failed: a sentence for the terminal and for the page. Pure. */
import type { CallTrace } from '@sallyport/protocol'

const UNAUTHORIZED = 401
const TOO_MANY = 429
const FIRST_SERVER_ERROR = 500

type Remedy = (call: CallTrace) => string | undefined

const lastOf = ({ requests = [] }: CallTrace) => requests.at(-1)
const statusOf = (call: CallTrace): number => call.error?.http_status ?? lastOf(call)?.status ?? 0

const missingScopes: Remedy = ({ scopes }) => {
  const { missing = [], held = [] } = scopes ?? {}
  if (missing.length === 0) return undefined
  const wanted = missing.filter((scope) => scope !== 'rpc.authenticated')
  const ask = wanted.length === 0 ? '' : ` with the scope ${wanted.join(' and ')}`
  return held.includes('rpc.authenticated')
    ? `Call AUTHORIZE once more${ask}, and sign in with AUTHENTICATE.`
    : `Sign in first: call AUTHORIZE${ask}, then AUTHENTICATE.`
}

/** By the code of OAuth 2 that the message names. */
const REFUSED_SIGN_INS: ReadonlyMap<string, string> = new Map([
  ['invalid_scope', 'Leave out the scope that the error names, or let the platform approve it for the application.'],
  ['access_denied', 'Ask again when the user wants to sign in: the user, or the operator of the daemon, refused.'],
  ['invalid_grant', 'Call AUTHORIZE once more: a code or a stored sign-in is no longer valid.'],
])

/** Before the requests are judged: the daemon stops reading a page of the platform once it has the refusal. */
const refusedSignIn: Remedy = ({ error }) => {
  const refusal = /^OAuth2 Error: (\w+)/.exec(error?.message ?? '')
  return refusal === null ? undefined : (REFUSED_SIGN_INS.get(refusal[1] ?? '') ?? 'Do what the error says, then call AUTHORIZE once more.')
}

const refusedToken: Remedy = (call) =>
  statusOf(call) === UNAUTHORIZED ? 'Sign in again with AUTHORIZE: the platform no longer accepts the token.' : undefined

const rateLimit: Remedy = (call) => {
  const { retry_after: seconds } = call.error ?? {}
  if (seconds !== undefined) return `Call less often, and repeat this call after ${seconds} s at the earliest.`
  return statusOf(call) === TOO_MANY ? 'Call less often.' : undefined
}

const deadPlatform: Remedy = (call) =>
  lastOf(call)?.failure === undefined
    ? undefined
    : 'Check the network and the address of the platform with sallyport doctor, and try again later: no whole reply came.'

const brokenPlatform: Remedy = (call) =>
  statusOf(call) >= FIRST_SERVER_ERROR ? 'Try again later: the platform failed, not the game.' : undefined

const wrongArgument: Remedy = ({ error }) =>
  error?.path === undefined || error.path === '' ? undefined : `Correct the argument ${error.path}, as the error says.`

/** The first that knows one. */
const REMEDIES: readonly Remedy[] = [missingScopes, refusedSignIn, refusedToken, rateLimit, deadPlatform, brokenPlatform, wrongArgument]

/** Undefined of a call that did not fail, or of whose error no more is known than its message. */
export function remedyOf(call: CallTrace): string | undefined {
  if (call.error === undefined) return undefined
  for (const remedy of REMEDIES) {
    const found = remedy(call)
    if (found !== undefined) return found
  }
  return undefined
}
