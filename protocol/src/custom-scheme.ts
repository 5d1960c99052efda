/** Authorization redirects to a custom URI scheme of a game: the allowed schemes and their redirect URIs. */

const PATH = '/authorize/callback'
/** RFC 3986 §3.1; limited to 64 characters. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,63}$/
const REDIRECT = /^([A-Za-z][A-Za-z0-9+.-]{0,63}):(?:\/\/)?\/authorize\/callback$/

/** Schemes reserved by browsers or operating systems. */
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

/** Whether a game can register this scheme. */
export const isCustomScheme = (text: string): boolean => SCHEME.test(text) && !RESERVED_SCHEMES.has(text.toLowerCase())

/** As `custom_scheme` of AUTHORIZE: an empty text selects the default scheme. */
export const isCustomSchemeOrEmpty = (text: string): boolean => text === '' || isCustomScheme(text)

/** Default scheme of a game. */
export const defaultCustomScheme = (platformPrefix: string, applicationId: string): string => `${platformPrefix}-${applicationId}`

/** Whether a scheme is the default one of another application, which would receive the code. Schemes have no case. */
export function isDefaultSchemeOfAnother(scheme: string, platformPrefix: string, applicationId: string): boolean {
  const start = `${platformPrefix}-`.toLowerCase()
  const rest = scheme.toLowerCase().startsWith(start) ? scheme.slice(start.length) : ''
  return /^[0-9]+$/.test(rest) && rest !== applicationId
}

/** Redirect URI for this scheme. */
export const customSchemeRedirect = (scheme: string): string => `${scheme}:${PATH}`

/** Returns the scheme of such a redirect URI (without query), in lower case; undefined for any other URI. */
export function schemeOfRedirect(address: string): string | undefined {
  const scheme = REDIRECT.exec(address)?.[1]
  return scheme !== undefined && isCustomScheme(scheme) ? scheme.toLowerCase() : undefined
}
