/** Receives the redirect of one authorization on 127.0.0.1 (RFC 8252 §7.3): one port, one path, one answer, then it is gone. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../core/clock.ts'
import { BridgeError } from '../core/errors.ts'
import { LOOPBACK, LoopbackServer } from '../transport/loopback-server.ts'
import { type Page, PAGES } from './loopback-pages.ts'
import { type Redirect, type RedirectListener, readRedirect, sameText } from './redirect.ts'

const PATH = '/callback'
/** Browsers open a few spare connections; nobody else has business here. */
const PATIENCE_MS = 30_000

/** Rejects with SERVICE_UNAVAILABLE when no port can be had. */
export async function listenForRedirect(state: string, clock: Clock): Promise<RedirectListener> {
  const { promise: redirect, resolve } = Promise.withResolvers<Redirect>()
  const server = new LoopbackServer({ clock, patienceMs: PATIENCE_MS })
  const origin = `http://${LOOPBACK}:${await listen(server)}`
  let isAnswered = false

  server.http.on('request', (request, response) => {
    const answer = isAnswered ? REFUSALS.other : readRequest(request, origin, state)
    if ('refused' in answer) return show(response, answer.refused)
    isAnswered = true
    // After the page is out, so that closing at once does not cut it off; 'close' also comes when the browser has left.
    response.once('close', () => resolve(answer.redirect))
    show(response, answer.redirect.kind === 'code' ? PAGES.allowed : PAGES.denied)
  })
  return { redirectUri: `${origin}${PATH}`, redirect, close: server.close }
}

async function listen(server: LoopbackServer): Promise<number> {
  try {
    return await server.listen(0)
  } catch (cause) {
    throw new BridgeError('SERVICE_UNAVAILABLE', 'No local port could be opened for the answer of the sign-in page.', {}, { cause })
  }
}

type Answer = { readonly redirect: Redirect } | { readonly refused: Page }

const REFUSALS = {
  other: { refused: PAGES.notFound },
  method: { refused: PAGES.wrongMethod },
  state: { refused: PAGES.wrongState },
  incomplete: { refused: PAGES.incomplete },
} as const satisfies Record<string, Answer>

function readRequest(request: IncomingMessage, origin: string, state: string): Answer {
  // A page that made its own name point here sends that name.
  if (`http://${request.headers.host}` !== origin) return REFUSALS.other
  const url = URL.parse(request.url ?? '', origin)
  if (url === null || url.pathname !== PATH) return REFUSALS.other
  if (request.method !== 'GET') return REFUSALS.method
  const given = url.searchParams
  if (!sameText(given.get('state') ?? '', state)) return REFUSALS.state
  const redirect = readRedirect(given)
  return redirect === undefined ? REFUSALS.incomplete : { redirect }
}

function show(response: ServerResponse, page: Page): void {
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page.html),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end(page.html)
}
