/** Matches origins of web pages (`scheme://host[:port]`, as browsers send them) against rules of the same form. Pure. */

/** A rule: an origin, or an origin with `:*` for any port. */
export const ORIGIN_RULE = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?:\d{1,5}|\*))?$/

const ANY_PORT = ':*'
const PORT = /^(?::\d{1,5})?$/

const matchesRule = (rule: string, origin: string): boolean => {
  if (!rule.endsWith(ANY_PORT)) return rule === origin
  const base = rule.slice(0, -ANY_PORT.length)
  return origin.startsWith(base) && PORT.test(origin.slice(base.length))
}

export const isOriginAllowed = (origin: string, rules: readonly string[]): boolean => rules.some((rule) => matchesRule(rule, origin))

/** Origins of pages that this machine serves. */
export const LOOPBACK_ORIGINS: readonly string[] = ['http', 'https'].flatMap((scheme) =>
  ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${scheme}://${host}${ANY_PORT}`),
)

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Whether the Host header of a request is a loopback name. Any other name may be DNS rebinding. */
export const isLoopbackHost = (host: string | undefined): boolean => host !== undefined && LOOPBACK_HOST.test(host)
