/** Redirects of an authorization to a scheme of the game's own: which schemes may be named, and the addresses they give. */

const PATH = '/authorize/callback'
/** RFC 3986 §3.1; longer names help nobody. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,63}$/
const REDIRECT = /^([A-Za-z][A-Za-z0-9+.-]{0,63}):(?:\/\/)?\/authorize\/callback$/

/** Schemes to which browsers or systems give a meaning of their own: no game can own them. */
export const RESERVED_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'intent',
  'jar',
  'javascript',
  'mailto',
  'sms',
  'ssh',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/** Whether a game can be reached by this scheme. */
export const isCustomScheme = (text: string): boolean => SCHEME.test(text) && !RESERVED_SCHEMES.has(text.toLowerCase())

/** The scheme of a game that names none. */
export const defaultCustomScheme = (platformPrefix: string, applicationId: string): string => `${platformPrefix}-${applicationId}`

/** Where the platform sends the answer for a game with this scheme. */
export const customSchemeRedirect = (scheme: string): string => `${scheme}:${PATH}`

/** The scheme of such a redirect, without its query, in lower case; undefined for every other address. */
export function schemeOfRedirect(address: string): string | undefined {
  const scheme = REDIRECT.exec(address)?.[1]
  return scheme !== undefined && isCustomScheme(scheme) ? scheme.toLowerCase() : undefined
}
