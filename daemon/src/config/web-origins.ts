/** Schemas that normalize settings with web origins to rules. */
import * as z from 'zod'
import { activityApplicationOf, isLocalActivityProxy } from '@sallyport/protocol'
import { isOriginAllowed, ORIGIN_RULE } from '@sallyport/core/origins'

const APPLICATION = /^[1-9][0-9]{0,19}$/

/** Browsers omit the default port, so a rule with it would match no page. */
const DEFAULT_PORT = /^(https:.*):443$|^(http:.*):80$/
const OriginRule = z
  .string()
  .trim()
  .toLowerCase()
  .regex(ORIGIN_RULE)
  .transform((rule) => rule.replace(DEFAULT_PORT, '$1$2'))
const parts = (text: string): string[] => text.split(',')

/** Accepts `ORIGIN,ORIGIN` or a list. */
export const OriginRules = z.union([z.string().transform(parts), z.array(z.string())]).pipe(z.array(OriginRule).min(1))

const Pair = z.tuple([z.string().trim().regex(APPLICATION), OriginRule])
const pairOf = (text: string): string[] => {
  const [id = '', ...origin] = text.split('=')
  return [id, origin.join('=')]
}
const pairsOf = (given: Readonly<Record<string, string | string[]>>): string[][] =>
  Object.entries(given).flatMap(([id, origins]) => [origins].flat().map((origin) => [id, origin]))

/** Accepts `ID=ORIGIN,ID=ORIGIN`, or an object with an origin or a list per application; the output is a list of `ID=ORIGIN`. */
export const ApplicationOrigins = z
  .union([
    z.string().transform((text) => parts(text).map(pairOf)),
    z.record(z.string(), z.union([z.string(), z.array(z.string())])).transform(pairsOf),
  ])
  .pipe(z.array(Pair).min(1))
  .transform((pairs) => pairs.map(([id, origin]) => `${id}=${origin}`))

/**
 * Whether pages of an origin may connect as an application. `forAll`: rules for every application; `pairs`: the output of ApplicationOrigins.
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
