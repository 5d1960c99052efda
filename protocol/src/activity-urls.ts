/** Addresses of embedded activities: the proxy in front of them, its optional path prefix, and the mapping of outside addresses onto it. */

/** Path prefix of the proxy. With it and without it an address means the same. */
const PROXY_PREFIX = '/.proxy'

/** Version of the Embedded SDK from which mapped addresses come without the prefix. */
const PREFIXLESS_SINCE = { major: 2, minor: 2 } as const

/** A rule: addresses below `target` (host and path, without scheme) are reached below `prefix`. */
export interface ActivityMapping {
  readonly prefix: string
  readonly target: string
}

/** `<application id>.<proxy host>`: where the proxy of one application listens. */
export const activityHost = (applicationId: string, proxyHost: string): string => `${applicationId}.${proxyHost}`

/** A path of the proxy without its prefix: the one form of the two that mean the same. */
export const canonicalActivityPath = (path: string): string =>
  path === PROXY_PREFIX ? '/' : path.startsWith(`${PROXY_PREFIX}/`) ? path.slice(PROXY_PREFIX.length) : path

/** Whether this version of the Embedded SDK writes the prefix into mapped addresses. Text that is no version counts as the newest. */
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

/** An absolute address of the web or of a web socket, without user and password. */
function addressOf(text: string): Address | undefined {
  const [, scheme, host, path, rest] = /^(https?|wss?):\/\/([^\s/?#@]+)(\/[^\s?#]*)?([?#]\S*)?$/i.exec(text) ?? []
  if (scheme === undefined || host === undefined) return undefined
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path: path ?? '/', rest: rest ?? '' }
}

/** What stands behind `target` when the address is below it. */
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
  /** Version of the Embedded SDK whose addresses are wanted; absent: the newest. */
  readonly embeddedSdkVersion?: string | undefined
}

/**
 * An outside address as the activity must call it: through the proxy, by the mapping with the longest target. An address of the proxy
 * itself is given back in the form that this SDK writes. `unmapped`: no mapping fits; `not-an-address`: not http, https, ws or wss.
 */
export function mapActivityUrl(
  text: string,
  options: ActivityMapOptions,
): { readonly url: string } | { readonly problem: 'unmapped' | 'not-an-address' } {
  const address = addressOf(text)
  if (address === undefined) return { problem: 'not-an-address' }
  const host = activityHost(options.applicationId, options.proxyHost)
  const scheme = address.scheme.startsWith('ws') ? 'wss' : 'https'
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
