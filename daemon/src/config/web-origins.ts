/** Kinds of settings that normalize web origins to rules. */
import { activityApplicationOf, isLocalActivityProxy } from '@sallyport/protocol/activity-urls'
import { isOriginAllowed, ORIGIN_RULE } from '@sallyport/core/origins'
import { isObject, type Kind, listOf } from './kinds.ts'

const APPLICATION = /^[1-9][0-9]{0,19}$/

/** Browsers omit the default port, so a rule with it would match no page. */
const DEFAULT_PORT = /^(https:.*):443$|^(http:.*):80$/
const originRule: Kind<string> = (given) => {
  const rule = typeof given === 'string' ? given.trim().toLowerCase() : ''
  return ORIGIN_RULE.test(rule) ? rule.replace(DEFAULT_PORT, '$1$2') : undefined
}
const parts = (text: string): string[] => text.split(',')

/** Accepts `ORIGIN,ORIGIN` or a list. */
export const originRules: Kind<string[]> = (given) => {
  const rules: unknown = typeof given === 'string' ? parts(given) : given
  return Array.isArray(rules) ? listOf(originRule, rules) : undefined
}

const pairOf = (text: string): string[] => {
  const [id = '', ...origin] = text.split('=')
  return [id, origin.join('=')]
}
const pairsOf = (given: Readonly<Record<string, unknown>>): unknown[][] =>
  Object.entries(given).flatMap(([id, origins]) => (Array.isArray(origins) ? origins : [origins]).map((origin: unknown) => [id, origin]))

const pair: Kind<string> = (given) => {
  const [id, origin] = given as readonly unknown[]
  const application = String(id).trim()
  const rule = originRule(origin)
  return APPLICATION.test(application) && rule !== undefined ? `${application}=${rule}` : undefined
}

/** Accepts `ID=ORIGIN,ID=ORIGIN`, or an object with an origin or a list per application; the value is a list of `ID=ORIGIN`. */
export const applicationOrigins: Kind<string[]> = (given) => {
  if (typeof given === 'string') return listOf(pair, parts(given).map(pairOf))
  return isObject(given) ? listOf(pair, pairsOf(given)) : undefined
}

/**
 * Whether pages of an origin may connect as an application. `forAll`: rules for every application; `pairs`: a value of `applicationOrigins`.
 * Without an application id, the rule of any application suffices, because the handshake then names the application.
 */
export function rpcOriginRules(forAll: readonly string[], pairs: readonly string[] = []) {
  const own = pairs.map(pairOf)
  return (origin: string, applicationId: string | null): boolean => {
    const named = own.filter(([id]) => applicationId === null || id === applicationId).map(([, rule = '']) => rule)
    return isOriginAllowed(origin, [...forAll, ...named])
  }
}

/**
 * Rules for embedded activities, whose origins are hosts of the activity proxy. A proxy of this machine gives each application its own
 * origin, so its activity may connect as that application. An activity of another proxy needs a rule, as every foreign page.
 */
export const activityOriginRules = ({ activityProxyHost: host }: { readonly activityProxyHost: string }) => ({
  isActivity: (origin: string): boolean => activityApplicationOf(origin, host) !== undefined,
  isAllowed: (origin: string, applicationId: string | null): boolean =>
    applicationId !== null && isLocalActivityProxy(host) && activityApplicationOf(origin, host) === applicationId,
})
