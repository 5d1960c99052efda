/**
 * Loopback server for one sign-in on 127.0.0.1: an entry URL that redirects the browser to the platform's page, and the redirect endpoint
 * (RFC 8252 §7.3). It closes after one redirect.
 *
 *   /go/NONCE  ──▶ 302 to the platform's page, with a cookie ──▶ /callback, which requires that cookie
 *
 * Every user of the machine can read the command line that opens the browser, so it contains only the entry URL.
 * Only this user may open it. When the system cannot identify the visitor, the URL works once, and a second visit ends the sign-in.
 */
import { SECOND_MS } from '@sallyport/core/durations'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { LOOPBACK } from '@sallyport/core/loopback'
import { LoopbackServer } from '../../loopback/loopback-server.ts'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import { type Page, PAGES } from './loopback-pages.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

export interface SignInDeps {
  /** The state that the redirect must carry; undefined: the redirect arrives elsewhere, and this server accepts none. */
  readonly state: string | undefined
  readonly clock: Clock
  readonly peers: TcpPeers
}

export interface SignIn extends RedirectListener {
  /** The local URL that redirects to this page of the platform. */
  readonly entryUrlFor: (page: URL) => URL
  /** Resolves once a browser of this user was redirected. */
  readonly visited: Promise<void>
}

const CALLBACK = '/callback'
const ENTRY = '/go/'
const SECRET_BYTES = 32
const NAME_BYTES = 8
/** Browsers open spare connections; other idle clients are closed. */
const IDLE_TIMEOUT_MS = 30_000

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Rejects with SERVICE_UNAVAILABLE when no port is available. */
export async function openSignIn({ state, clock, peers }: SignInDeps): Promise<SignIn> {
  const { promise: redirect, resolve, reject } = Promise.withResolvers<Redirect>()
  const server = new LoopbackServer({
    clock,
    peerTimeoutMs: IDLE_TIMEOUT_MS,
    onRequest: (request, response) => void answer(request, response),
  })
  const origin = `http://${LOOPBACK}:${await listen(server)}`
  const cookie = makeCookie()
  const entryPath = `${ENTRY}${secret()}`
  let page: URL | undefined
  let isOpened = false
  let isOver = false
  const { promise: visited, resolve: onVisited } = Promise.withResolvers<void>()

  const visit = (response: ServerResponse, to: URL, isOurs: boolean): void => {
    if (isOpened && !isOurs) return end(response, PAGES.openedTwice, () => reject(openedTwice()))
    isOpened = true
    response.once('close', onVisited)
    redirectTo(response, to, cookie.set)
  }
  const end = (response: ServerResponse, shown: Page, settle: () => void): void => {
    isOver = true
    // Settles after the page is sent, so that closing does not truncate it; 'close' also fires when the browser disconnects.
    response.once('close', settle)
    show(response, shown)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parsed = readRequest(request, { origin, entryPath, page, state, cookie })
    if ('refused' in parsed) return show(response, parsed.refused)
    const owner = await peers.ownerOf(request.socket)
    if (owner === 'another-user') return show(response, PAGES.anotherUser)
    if (isOver) return show(response, PAGES.notFound)
    if ('page' in parsed) return visit(response, parsed.page, owner === 'this-user')
    end(response, parsed.redirect.kind === 'code' ? PAGES.allowed : PAGES.denied, () => resolve(parsed.redirect))
  }

  return {
    redirectUri: `${origin}${CALLBACK}`,
    redirect,
    visited,
    entryUrlFor(to) {
      page = to
      return new URL(entryPath, origin)
    },
    close: server.close,
  }
}

async function listen(server: LoopbackServer): Promise<number> {
  try {
    return await server.listen()
  } catch (cause) {
    throw new BridgeError('SERVICE_UNAVAILABLE', 'No local port could be opened for the redirect of the sign-in page.', {}, { cause })
  }
}

const openedTwice = (): BridgeError =>
  new BridgeError(
    'TRANSACTION_ABORTED',
    'The sign-in address was opened twice, and this system cannot identify the visitors. Authorize again, and open it once.',
  )

interface Cookie {
  /** Value of the Set-Cookie header. */
  readonly set: string
  isIn(request: IncomingMessage): boolean
}

/**
 * The cookie that identifies the redirected browser. SameSite=Strict would not work, because the redirect comes from the platform's site;
 * Lax sends the cookie with such a navigation. The name is unique per sign-in, because browsers share cookies between all ports.
 */
function makeCookie(): Cookie {
  const name = `sign-in-${randomBytes(NAME_BYTES).toString('hex')}`
  const value = secret()
  const seconds = LIMITS.authorizationMs.value / SECOND_MS
  return {
    set: `${name}=${value}; Path=${CALLBACK}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`,
    isIn({ headers }) {
      const given = headers.cookie?.split(/; */).find((one) => one.startsWith(`${name}=`))
      return sameText(given?.slice(name.length + 1) ?? '', value)
    },
  }
}

/** A request by its content, before the visitor is checked. */
type ParsedRequest = { readonly page: URL } | { readonly redirect: Redirect } | { readonly refused: Page }

const REFUSALS = {
  other: { refused: PAGES.notFound },
  method: { refused: PAGES.wrongMethod },
  state: { refused: PAGES.wrongState },
  browser: { refused: PAGES.wrongBrowser },
  incomplete: { refused: PAGES.incomplete },
} as const satisfies Record<string, ParsedRequest>

interface Expected {
  readonly origin: string
  readonly entryPath: string
  readonly page: URL | undefined
  readonly state: string | undefined
  readonly cookie: Cookie
}

function readRequest(request: IncomingMessage, { origin, entryPath, page, state, cookie }: Expected): ParsedRequest {
  // Rejects DNS rebinding: a page whose name resolves to this address sends its own name.
  if (`http://${request.headers.host}` !== origin) return REFUSALS.other
  const url = URL.parse(request.url ?? '', origin)
  const isEntry = page !== undefined && url !== null && sameText(url.pathname, entryPath)
  if (url === null || !(isEntry || (url.pathname === CALLBACK && state !== undefined))) return REFUSALS.other
  if (request.method !== 'GET') return REFUSALS.method
  if (isEntry) return { page }
  const given = url.searchParams
  if (state === undefined || !sameText(given.get('state') ?? '', state)) return REFUSALS.state
  if (!cookie.isIn(request)) return REFUSALS.browser
  const redirect = readRedirect(given)
  return redirect === undefined ? REFUSALS.incomplete : { redirect }
}

const NO_TRACE_HEADERS = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }

function redirectTo(response: ServerResponse, to: URL, cookie: string): void {
  response.writeHead(302, { ...NO_TRACE_HEADERS, location: to.href, 'set-cookie': cookie, 'content-length': 0 })
  response.end()
}

function show(response: ServerResponse, page: Page): void {
  response.writeHead(page.status, {
    ...NO_TRACE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page.html),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(page.html)
}
