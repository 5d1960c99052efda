/**
 * One sign-in on 127.0.0.1: an address that leads the browser to the platform's page, and the redirect that ends it (RFC 8252 §7.3). One port,
 * one answer, then it is gone.
 *
 *   /go/NONCE  ──▶ 302 to the platform's page, with a cookie ──▶ /callback, which takes the answer with that cookie alone
 *
 * Every user of the machine can read the command line that opens the browser, so it carries this address and nothing of the page.
 * Who opens it must be this user. Where the system does not say who does, the address works once, and a second visit ends the sign-in.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { LOOPBACK, LoopbackServer } from '../../loopback/loopback-server.ts'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import { type Page, PAGES } from './loopback-pages.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

export interface SignInParts {
  /** What the answer must carry; undefined: it comes by another way, and none is taken here. */
  readonly state: string | undefined
  readonly clock: Clock
  readonly peers: TcpPeers
}

export interface SignIn extends RedirectListener {
  /** The address that leads to this page of the platform. */
  readonly leadTo: (page: URL) => URL
}

const CALLBACK = '/callback'
const GO = '/go/'
const SECRET_BYTES = 32
const NAME_BYTES = 8
const SECOND_MS = 1000
/** Browsers open a few spare connections; nobody else has business here. */
const PATIENCE_MS = 30_000

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Rejects with SERVICE_UNAVAILABLE when no port can be had. */
export async function openSignIn({ state, clock, peers }: SignInParts): Promise<SignIn> {
  const { promise: redirect, resolve, reject } = Promise.withResolvers<Redirect>()
  const server = new LoopbackServer({ clock, patienceMs: PATIENCE_MS })
  const origin = `http://${LOOPBACK}:${await listen(server)}`
  const cookie = makeCookie()
  const go = `${GO}${secret()}`
  let page: URL | undefined
  let isOpened = false
  let isOver = false

  const visit = (response: ServerResponse, to: URL, isOurs: boolean): void => {
    if (isOpened && !isOurs) return end(response, PAGES.openedTwice, () => reject(openedTwice()))
    isOpened = true
    lead(response, to, cookie.set)
  }
  const end = (response: ServerResponse, shown: Page, settle: () => void): void => {
    isOver = true
    // After the page is out, so that closing at once does not cut it off; 'close' also comes when the browser has left.
    response.once('close', settle)
    show(response, shown)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = readRequest(request, { origin, go, page, state, cookie })
    if ('refused' in asked) return show(response, asked.refused)
    const owner = await peers.ownerOf(request.socket)
    if (owner === 'another-user') return show(response, PAGES.anotherUser)
    if (isOver) return show(response, PAGES.notFound)
    if ('page' in asked) return visit(response, asked.page, owner === 'this-user')
    end(response, asked.redirect.kind === 'code' ? PAGES.allowed : PAGES.denied, () => resolve(asked.redirect))
  }
  server.http.on('request', (request, response) => void answer(request, response))

  return {
    redirectUri: `${origin}${CALLBACK}`,
    redirect,
    leadTo(to) {
      page = to
      return new URL(go, origin)
    },
    close: server.close,
  }
}

async function listen(server: LoopbackServer): Promise<number> {
  try {
    return await server.listen(0)
  } catch (cause) {
    throw new BridgeError('SERVICE_UNAVAILABLE', 'No local port could be opened for the answer of the sign-in page.', {}, { cause })
  }
}

const openedTwice = (): BridgeError =>
  new BridgeError(
    'TRANSACTION_ABORTED',
    'The address of the sign-in was opened twice, and this system does not say by whom; authorize again, and open it once.',
  )

interface Cookie {
  /** As the browser is told it. */
  readonly set: string
  isIn(request: IncomingMessage): boolean
}

/**
 * What the browser that was led away brings back. Not SameSite=Strict: the redirect comes from the platform's site, and the browser would hold
 * the cookie back; Lax sends it with such a navigation. The name is of this sign-in alone, since browsers share cookies between all ports.
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

/** What is right by itself, whoever asks. */
type Asked = { readonly page: URL } | { readonly redirect: Redirect } | { readonly refused: Page }

const REFUSALS = {
  other: { refused: PAGES.notFound },
  method: { refused: PAGES.wrongMethod },
  state: { refused: PAGES.wrongState },
  browser: { refused: PAGES.wrongBrowser },
  incomplete: { refused: PAGES.incomplete },
} as const satisfies Record<string, Asked>

interface Expected {
  readonly origin: string
  readonly go: string
  readonly page: URL | undefined
  readonly state: string | undefined
  readonly cookie: Cookie
}

function readRequest(request: IncomingMessage, { origin, go, page, state, cookie }: Expected): Asked {
  // A page that made its own name point here sends that name.
  if (`http://${request.headers.host}` !== origin) return REFUSALS.other
  const url = URL.parse(request.url ?? '', origin)
  const isGo = page !== undefined && url !== null && sameText(url.pathname, go)
  if (url === null || !(isGo || (url.pathname === CALLBACK && state !== undefined))) return REFUSALS.other
  if (request.method !== 'GET') return REFUSALS.method
  if (isGo) return { page }
  const given = url.searchParams
  if (state === undefined || !sameText(given.get('state') ?? '', state)) return REFUSALS.state
  if (!cookie.isIn(request)) return REFUSALS.browser
  const redirect = readRedirect(given)
  return redirect === undefined ? REFUSALS.incomplete : { redirect }
}

const UNSEEN = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }

function lead(response: ServerResponse, to: URL, cookie: string): void {
  response.writeHead(302, { ...UNSEEN, location: to.href, 'set-cookie': cookie, 'content-length': 0 })
  response.end()
}

function show(response: ServerResponse, page: Page): void {
  response.writeHead(page.status, {
    ...UNSEEN,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page.html),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(page.html)
}
