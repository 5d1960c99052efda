/** Checks redirect targets: loopback at any port (RFC 8252), https, and custom schemes with the platform's callback path. */
import { customSchemeRedirect, defaultCustomScheme, isCustomScheme, isDefaultSchemeOfAnother } from '@sallyport/protocol'

const CUSTOM = /^([A-Za-z][A-Za-z0-9+.-]*):\/authorize\/callback$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** `custom` redirects need PKCE: any program can claim a scheme. */
export type RedirectKind = 'web' | 'custom'

/** The application that asks, and the prefix of default schemes. */
interface Asker {
  readonly applicationId: string
  readonly customSchemePrefix: string
  /** What it registered; undefined: nothing. */
  readonly registered?: readonly string[] | undefined
}

/** Undefined for what can be no redirect of the application. An https address must be registered. */
export function redirectKind(uri: string, { applicationId, customSchemePrefix, registered = [] }: Asker): RedirectKind | undefined {
  const scheme = CUSTOM.exec(uri)?.[1]
  if (scheme !== undefined)
    return isCustomScheme(scheme) && !isDefaultSchemeOfAnother(scheme, customSchemePrefix, applicationId) ? 'custom' : undefined
  const url = URL.parse(uri)
  if (url === null || url.username !== '' || url.password !== '' || uri.includes('#')) return undefined
  return isLoopback(url) || (url.protocol === 'https:' && registered.includes(uri)) ? 'web' : undefined
}

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname)

/**
 * Whether the redirect is among the registered ones. Without any, these are loopback and the default scheme. A loopback address stands for all of
 * its ports and paths (RFC 8252).
 */
export function isRegistered(uri: string, { applicationId, customSchemePrefix, registered }: Asker): boolean {
  const url = URL.parse(uri)
  const all = registered ?? ['http://127.0.0.1', 'http://[::1]', 'http://localhost', defaultRedirect(customSchemePrefix, applicationId)]
  return all.some((one) => {
    const other = URL.parse(one)
    return one === uri || (url !== null && other !== null && isLoopback(url) && isLoopback(other) && url.hostname === other.hostname)
  })
}

/** The default redirect of an application. */
export const defaultRedirect = (customSchemePrefix: string, applicationId: string): string =>
  customSchemeRedirect(defaultCustomScheme(customSchemePrefix, applicationId))

/** Adds parameters to a redirect. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${added.toString()}`
}

/** The `form-action` source of a redirect, because browsers also apply it to redirects after a form. */
export function formActionSource(uri: string): string {
  const scheme = CUSTOM.exec(uri)?.[1]
  if (scheme !== undefined) return `${scheme}:`
  const { hostname, origin } = new URL(uri)
  // CSP sources have no IPv6 addresses.
  return hostname.startsWith('[') ? 'http:' : origin
}
