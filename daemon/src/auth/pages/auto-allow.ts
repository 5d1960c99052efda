/** Answers the authorization page without a browser or a user. It works only with a local platform that consents automatically. */
import { schemeOfRedirect } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { PageOpener } from '../auth.ts'
import { isLoopback, type WebReply, type WebRequest, type WebSend } from '../oauth/web.ts'

const MAX_HOPS = 10
const REFUSED = 400
const FIRST_FAULT = 500
const UNREGISTERED = 'Invalid OAuth2 redirect_uri'
/** The path of the page opens it, so traces do not have it. */
const SHOWN_ENTRY = '/go/{page}'
const HEADERS = { accept: 'text/html' }

interface AutoAllowDeps {
  readonly send: WebSend
  /** Delivers redirects to custom schemes, which no HTTP request can follow. */
  readonly deliver: (url: Secret<string>) => unknown
}

export const autoAllow = ({ send, deliver }: AutoAllowDeps): PageOpener => ({
  async open(page, signal) {
    const get = (url: URL, more: Partial<WebRequest> = {}): Promise<WebReply> =>
      send({ method: 'GET', url: url.href, headers: HEADERS, ...more }, signal).catch((cause: unknown) => {
        throw unavailable('The authorization page of the platform cannot be reached.', cause)
      })
    const opened = await get(page, { shownPath: SHOWN_ENTRY })
    const authorizeUrl = redirectTarget(opened, page)
    if (authorizeUrl === null || !isLoopback(authorizeUrl))
      throw unavailable('Automatic consent works only with a platform on this machine.')
    const redirectUri = authorizeUrl.searchParams.get('redirect_uri')
    let url = authorizeUrl
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      if (url.origin + url.pathname === redirectUri) {
        await get(url, { headers: { ...HEADERS, cookie: cookieOf(opened) } })
        return true
      }
      const reply = await get(url)
      if (reply.status === REFUSED) throw new BridgeError('OAUTH2_ERROR', refusalOf(reply))
      const next = redirectTarget(reply, url)
      if (reply.status >= FIRST_FAULT)
        throw unavailable(`The platform answered ${reply.status} to its authorization page; try again later.`)
      if (next === null) throw unavailable('The authorization page needs a user; run the bridge with --consent prompt.')
      if (redirectUri !== null && schemeOfRedirect(redirectUri) !== undefined && next.href.split('?')[0] === redirectUri) {
        deliver(new Secret(next.href))
        return true
      }
      if (next.origin !== authorizeUrl.origin && next.origin + next.pathname !== redirectUri) {
        throw unavailable('The authorization page leads to another host.')
      }
      url = next
    }
    throw unavailable('The authorization page redirects without end.')
  },
})

/** A platform shows a page when it cannot send an error to the redirect, because it does not accept the redirect. */
const refusalOf = ({ body }: WebReply): string =>
  body.includes(UNREGISTERED)
    ? `OAuth2 Error: ${UNREGISTERED}: register the redirect with the application, or leave custom_scheme out.`
    : 'OAuth2 Error: invalid_request: the authorization page of the platform refuses the request.'

const redirectTarget = ({ status, headers: { location } }: WebReply, from: URL): URL | null =>
  status >= 300 && status < 400 && typeof location === 'string' ? URL.parse(location, from) : null

/** The cookie that a browser would send: the first response sets it, the last request needs it. */
const cookieOf = ({ headers }: WebReply): string => [headers['set-cookie']].flat()[0]?.split(';')[0] ?? ''

const unavailable = (message: string, cause?: unknown): BridgeError => new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause })
