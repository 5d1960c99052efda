/** The consent surface that stands in for a browser and a person who allows. Works only with a platform on this machine that consents by itself. */
import { schemeOfRedirect } from '@sallyport/protocol'
import { BridgeError } from '../../core/errors.ts'
import { Secret } from '../../core/secret.ts'
import type { ConsentSurface } from '../auth.ts'
import { isLoopback, type WebSend } from '../web.ts'

const MAX_HOPS = 10
const HEADERS = { accept: 'text/html' }

export interface AutoAllowParts {
  readonly send: WebSend
  /** Takes redirects to custom schemes, which no server can be asked for. */
  readonly deliver: (url: Secret<string>) => unknown
}

export const autoAllow = ({ send, deliver }: AutoAllowParts): ConsentSurface => ({
  async open(authorizeUrl, signal) {
    if (!isLoopback(authorizeUrl)) throw unavailable('Consent can only be automatic with a platform on this machine.')
    const redirectUri = authorizeUrl.searchParams.get('redirect_uri')
    let url = authorizeUrl
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const { status, headers } = await send({ method: 'GET', url: url.href, headers: HEADERS }, signal).catch((cause: unknown) => {
        throw unavailable('The authorization page of the platform cannot be reached.', cause)
      })
      if (url.origin + url.pathname === redirectUri) return
      const location = headers.location
      const next = status >= 300 && status < 400 && typeof location === 'string' ? URL.parse(location, url) : null
      if (next === null) throw unavailable('The authorization page needs a person; run the bridge with --consent prompt.')
      if (redirectUri !== null && schemeOfRedirect(redirectUri) !== undefined && next.href.split('?')[0] === redirectUri) {
        deliver(new Secret(next.href))
        return
      }
      if (next.origin !== authorizeUrl.origin && next.origin + next.pathname !== redirectUri) {
        throw unavailable('The authorization page leads to another host.')
      }
      url = next
    }
    throw unavailable('The authorization page redirects without end.')
  },
})

const unavailable = (message: string, cause?: unknown): BridgeError => new BridgeError('SERVICE_UNAVAILABLE', message, {}, { cause })
