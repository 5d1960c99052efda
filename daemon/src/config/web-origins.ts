/** Settings that name origins of web pages, from however they are written to rules. */
import * as z from 'zod'
import { isOriginAllowed, ORIGIN_RULE } from '@sallyport/core/origins'

const APPLICATION = /^[1-9][0-9]{0,19}$/

/** Browsers leave out the port that goes without saying; a rule that names it would match no page. */
const USUAL_PORT = /^(https:.*):443$|^(http:.*):80$/
const OriginRule = z
  .string()
  .trim()
  .toLowerCase()
  .regex(ORIGIN_RULE)
  .transform((rule) => rule.replace(USUAL_PORT, '$1$2'))
const parts = (text: string): string[] => text.split(',')

/** `ORIGIN,ORIGIN`, or a list of the same. */
export const OriginRules = z.union([z.string().transform(parts), z.array(z.string())]).pipe(z.array(OriginRule).min(1))

const Pair = z.tuple([z.string().trim().regex(APPLICATION), OriginRule])
const pairOf = (text: string): string[] => {
  const [id = '', ...origin] = text.split('=')
  return [id, origin.join('=')]
}
const pairsOf = (given: Readonly<Record<string, string | string[]>>): string[][] =>
  Object.entries(given).flatMap(([id, origins]) => [origins].flat().map((origin) => [id, origin]))

/** `ID=ORIGIN,ID=ORIGIN`, or an object with one origin or a list for each application; gives `ID=ORIGIN` of each. */
export const ApplicationOrigins = z
  .union([
    z.string().transform((text) => parts(text).map(pairOf)),
    z.record(z.string(), z.union([z.string(), z.array(z.string())])).transform(pairsOf),
  ])
  .pipe(z.array(Pair).min(1))
  .transform((pairs) => pairs.map(([id, origin]) => `${id}=${origin}`))

/**
 * Whether pages of an origin may speak for an application. `forAll`: rules that hold for each of them; `pairs`: as ApplicationOrigins gave them.
 * Where a page does not say which one it is for, any of them will do, since it is told so next.
 */
export function rpcOriginRules(forAll: readonly string[], pairs: readonly string[] = []) {
  const own = pairs.map(pairOf)
  return (origin: string, applicationId: string | null): boolean => {
    const named = own.filter(([id]) => applicationId === null || id === applicationId).map(([, rule = '']) => rule)
    return isOriginAllowed(origin, [...forAll, ...named])
  }
}
