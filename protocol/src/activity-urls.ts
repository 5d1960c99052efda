/** URLs of embedded activities: their proxy, its optional path prefix, and the mapping of external URLs to it. */

/** Optional path prefix of the proxy; a URL means the same without it. */
const PROXY_PREFIX = '/.proxy'

/** First version of the Embedded SDK that maps URLs without the prefix. */
const PREFIXLESS_SINCE = { major: 2, minor: 2 } as const

/** Maps URLs below `target` (host and path, without scheme) to paths below `prefix`. */
export interface ActivityMapping {
  readonly prefix: string
  readonly target: string
}

/** Host of the proxy of one application: `<application id>.<proxy host>`. */
export const activityHost = (applicationId: string, proxyHost: string): string => `${applicationId}.${proxyHost}`

/** Whether the proxy runs on this machine. Browsers resolve every name below localhost to it. */
export const isLocalActivityProxy = (proxyHost: string): boolean => /^(?:[^\s/:]+\.)?localhost(?::\d{1,5})?$/i.test(proxyHost)

/** A proxy on this machine has no certificate, and browsers trust it without. */
const httpScheme = (proxyHost: string): 'http' | 'https' => (isLocalActivityProxy(proxyHost) ? 'http' : 'https')

/** Origin of the pages of one application. */
export const activityOrigin = (applicationId: string, proxyHost: string): string =>
  `${httpScheme(proxyHost)}://${activityHost(applicationId, proxyHost)}`

/** The application whose embedded activity has this origin; undefined for all other pages. */
export function activityApplicationOf(origin: string, proxyHost: string): string | undefined {
  const [, applicationId] = /^https?:\/\/([1-9][0-9]{0,19})\./.exec(origin) ?? []
  return applicationId !== undefined && activityOrigin(applicationId, proxyHost).toLowerCase() === origin ? applicationId : undefined
}

/** Returns a proxy path without its prefix. */
export const canonicalActivityPath = (path: string): string =>
  path === PROXY_PREFIX ? '/' : path.startsWith(`${PROXY_PREFIX}/`) ? path.slice(PROXY_PREFIX.length) : path

/** Whether this version of the Embedded SDK adds the prefix to mapped URLs. Text that is not a version counts as the newest. */
export function writesProxyPrefix(embeddedSdkVersion: string | undefined): boolean {
  const [, major, minor] = /^([0-9]{1,6})\.([0-9]{1,6})/.exec(embeddedSdkVersion ?? '') ?? []
  if (major === undefined || minor === undefined) return false
  if (Number(major) !== PREFIXLESS_SINCE.major) return Number(major) < PREFIXLESS_SINCE.major
  return Number(minor) < PREFIXLESS_SINCE.minor
}

const withSlash = (path: string): string => (path.startsWith('/') ? path : `/${path}`)
const trimmed = (path: string): string => path.replace(/\/+$/, '')

interface Address {
  readonly scheme: string
  readonly host: string
  readonly path: string
  /** Query and fragment. */
  readonly rest: string
}

/** Parses an absolute http(s) or ws(s) URL without user and password. */
function addressOf(text: string): Address | undefined {
  const [, scheme, host, path, rest] = /^(https?|wss?):\/\/([^\s/?#@]+)(\/[^\s?#]*)?([?#]\S*)?$/i.exec(text) ?? []
  if (scheme === undefined || host === undefined) return undefined
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path: path ?? '/', rest: rest ?? '' }
}

/** Returns the path after `target` if the URL is below it. */
function restBelow({ host, path }: Address, target: string): string | undefined {
  const [targetHost = '', ...segments] = target.replace(/^[a-z]+:\/\//i, '').split('/')
  const targetPath = trimmed(withSlash(segments.join('/')))
  if (host !== targetHost.toLowerCase()) return undefined
  if (targetPath === '' || path === targetPath) return path.slice(targetPath.length)
  return path.startsWith(`${targetPath}/`) ? path.slice(targetPath.length) : undefined
}

export interface ActivityMapOptions {
  readonly applicationId: string
  readonly proxyHost: string
  readonly mappings: readonly ActivityMapping[]
  /** Version of the Embedded SDK that the URLs are for; default: the newest. */
  readonly embeddedSdkVersion?: string | undefined
}

/**
 * Maps an external URL to the proxy URL that the activity must call; the mapping with the longest target wins. A URL of the proxy
 * itself is returned in the form that this SDK uses. `unmapped`: no mapping matches; `not-an-address`: not http, https, ws or wss.
 */
export function mapActivityUrl(
  text: string,
  options: ActivityMapOptions,
): { readonly url: string } | { readonly problem: 'unmapped' | 'not-an-address' } {
  const address = addressOf(text)
  if (address === undefined) return { problem: 'not-an-address' }
  const host = activityHost(options.applicationId, options.proxyHost)
  const http = httpScheme(options.proxyHost)
  const scheme = address.scheme.startsWith('ws') ? http.replace('http', 'ws') : http
  const prefix = writesProxyPrefix(options.embeddedSdkVersion) ? PROXY_PREFIX : ''
  const through = (path: string) => ({ url: `${scheme}://${host}${prefix}${path}${address.rest}` })
  if (address.host === host.toLowerCase()) return through(canonicalActivityPath(address.path))
  const [best] = options.mappings
    .flatMap((mapping) => {
      const below = restBelow(address, mapping.target)
      return below === undefined ? [] : [{ mapping, below }]
    })
    .toSorted((one, other) => other.mapping.target.length - one.mapping.target.length)
  if (best === undefined) return { problem: 'unmapped' }
  return through(withSlash(`${trimmed(withSlash(best.mapping.prefix))}${best.below}`))
}

/**
 * The mapping of a proxy path, and the rest of the path below its prefix. The first mapping whose prefix matches wins, as on the
 * platform: a longer prefix must come before a shorter one.
 */
export function findActivityMapping<M extends Pick<ActivityMapping, 'prefix'>>(
  path: string,
  mappings: readonly M[],
): { readonly mapping: M; readonly rest: string } | undefined {
  const canonical = canonicalActivityPath(path)
  for (const mapping of mappings) {
    const prefix = trimmed(withSlash(mapping.prefix))
    if (canonical === prefix || canonical.startsWith(`${prefix}/`)) return { mapping, rest: canonical.slice(prefix.length) }
  }
  return undefined
}
