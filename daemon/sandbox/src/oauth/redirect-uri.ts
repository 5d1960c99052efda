/** Checks redirect targets: loopback at any port (RFC 8252), and custom schemes with the platform's callback path. */

import { customSchemeRedirect, defaultCustomScheme, isCustomScheme, isDefaultSchemeOfAnother } from '@sallyport/protocol'

const CUSTOM = /^([A-Za-z][A-Za-z0-9+.-]*):\/authorize\/callback$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** `custom` redirects need PKCE: any program can claim a scheme. */
export type RedirectKind = 'loopback' | 'custom'

/** The application that asks, and the prefix of default schemes. */
interface Asker {
  readonly applicationId: string
  readonly customSchemePrefix: string
}

/** Undefined when the target is not allowed: nothing is registered here, but no application has the default scheme of another. */
export function redirectKind(uri: string, { applicationId, customSchemePrefix }: Asker): RedirectKind | undefined {
  const scheme = CUSTOM.exec(uri)?.[1]
  if (scheme !== undefined)
    return isCustomScheme(scheme) && !isDefaultSchemeOfAnother(scheme, customSchemePrefix, applicationId) ? 'custom' : undefined
  const url = URL.parse(uri)
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return undefined
  const plain = url.username === '' && url.password === '' && !uri.includes('#')
  return plain ? 'loopback' : undefined
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
