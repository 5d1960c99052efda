/** Which headers the proxy passes on. Pure. */
import type { IncomingHttpHeaders } from 'node:http'

type Headers = Readonly<Record<string, string | string[]>>

/** They describe one connection, not the message. */
const OF_CONNECTION = ['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']
/** A client could claim another sender with these. */
const OF_PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|proxy-.*)$/
/** They would outlive the proxy in the browser. */
const LASTING = ['alt-svc', 'strict-transport-security']

/** Also the headers that `connection` lists. */
function passed(headers: IncomingHttpHeaders, dropped: readonly string[]): Record<string, string | string[]> {
  const listed = (headers.connection ?? '').toLowerCase().split(',')
  const left = new Set([...OF_CONNECTION, ...listed.map((name) => name.trim()), ...dropped])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || left.has(name) || OF_PROXIES.test(name) ? [] : [[name, value]],
    ),
  )
}

/** What the game's server receives. `host`: its own name and port. */
export const requestHeaders = (headers: IncomingHttpHeaders, host: string): Headers => ({ ...passed(headers, ['host']), host })

/**
 * What the browser receives: with the proxy's policy beside the server's own one. The page may load only what is mapped, as on the
 * platform, and the API of the platform, here the sandbox.
 */
export function responseHeaders(headers: IncomingHttpHeaders, policy: string): Headers {
  const kept = passed(headers, LASTING)
  const own = kept['content-security-policy']
  return { ...kept, 'content-security-policy': own === undefined ? policy : [policy, own].flat() }
}

/** `host`: name and port of the activity. `apiOrigin`: origin of the sandbox. */
export const activityPolicy = (host: string, apiOrigin: string): string =>
  [
    `default-src 'self' blob: data: 'unsafe-inline' 'unsafe-eval'`,
    `connect-src 'self' blob: data: ws://${host} ${apiOrigin}/api/`,
    `img-src 'self' blob: data: ${apiOrigin}/attachments/`,
    "frame-ancestors 'self'",
    "base-uri 'self'",
    "object-src 'none'",
  ].join('; ')
