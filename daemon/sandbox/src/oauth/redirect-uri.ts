/** Which redirect targets the sandbox allows: loopback at any port (RFC 8252), and custom schemes with the callback path of the platform. */

import { customSchemeRedirect, defaultCustomScheme, isCustomScheme } from '@sallyport/protocol'

const CUSTOM = /^([A-Za-z][A-Za-z0-9+.-]*):\/authorize\/callback$/
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** `custom` redirects need PKCE: any program can claim a scheme. */
export type RedirectKind = 'loopback' | 'custom'

/** Undefined when the target is not allowed. */
export function redirectKind(uri: string): RedirectKind | undefined {
  const scheme = CUSTOM.exec(uri)?.[1]
  if (scheme !== undefined) return isCustomScheme(scheme) ? 'custom' : undefined
  const url = URL.parse(uri)
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return undefined
  const plain = url.username === '' && url.password === '' && !uri.includes('#')
  return plain ? 'loopback' : undefined
}

/** The redirect of an application that names none. */
export const defaultRedirect = (customSchemePrefix: string, applicationId: string): string =>
  customSchemeRedirect(defaultCustomScheme(customSchemePrefix, applicationId))

/** The redirect with parameters added to what it carries already. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${added.toString()}`
}

/** What a page must list in `form-action`, because browsers apply it to the redirect that follows a form. */
export function formActionSource(uri: string): string {
  const scheme = CUSTOM.exec(uri)?.[1]
  if (scheme !== undefined) return `${scheme}:`
  const { hostname, origin } = new URL(uri)
  // The grammar of these sources has no IPv6 addresses.
  return hostname.startsWith('[') ? 'http:' : origin
}
