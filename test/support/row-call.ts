/** Derives a call from an endpoint row: its arguments from samples, values and fixtures, and what each kind of caller gets. */
import { type EndpointName, type EndpointRow, PERMISSIONS } from '@sallyport/protocol'
import type { World } from '#test/e2e/support/row-world.ts'
import { ODD_ROWS, type OddRow } from './odd-rows.ts'
import { CODES_OF_STRANGERS, type Fixture, FIXTURES } from './row-fixtures.ts'
import { leastSampleOf } from './row-samples.ts'
import { VALUES } from './row-values.ts'

type Args = Readonly<Record<string, unknown>>

const oddOf = ({ name }: EndpointRow): OddRow | undefined => ODD_ROWS[name as EndpointName]

const namesOf = ({ args }: EndpointRow): readonly string[] =>
  Object.keys((args as unknown as { readonly shape: Readonly<Record<string, unknown>> }).shape)

/** Fixtures of the row. No two give the same argument. */
export function fixturesOf(row: EndpointRow): readonly Fixture[] {
  const all = new Set(namesOf(row))
  const required = new Set(Object.keys(leastSampleOf(row)))
  const given = new Set<string>()
  return FIXTURES.filter(({ gives, on, evenIfOptional }) => {
    const wanted = evenIfOptional === true ? all : required
    const isFitting = gives.every((name) => wanted.has(name) && !given.has(name)) && (on?.test(`${row.method} ${row.path}`) ?? true)
    if (isFitting) for (const name of gives) given.add(name)
    return isFitting
  })
}

/** The arguments without the fixtures: what the schema requires, and the values of the arguments that the row has. */
export function plainArgsOf(row: EndpointRow): Args {
  const values = namesOf(row).flatMap((name) => (Object.hasOwn(VALUES, name) ? [[name, VALUES[name]] as const] : []))
  return { ...leastSampleOf(row), ...Object.fromEntries(values), ...oddOf(row)?.args }
}

const NAMES_AN_OBJECT = /_ids?(?:_\d)?$/

/** Arguments that name an object for which there is no fixture. */
export function withoutFixture(row: EndpointRow): readonly string[] {
  const given = new Set([...fixturesOf(row).flatMap(({ gives }) => gives), ...Object.keys(VALUES), ...Object.keys(oddOf(row)?.args ?? {})])
  const required = Object.keys(leastSampleOf(row)).filter((name) => NAMES_AN_OBJECT.test(name))
  return [...new Set([...row.pathParameters, ...required])].filter((name) => !given.has(name))
}

/** Arguments of a call that works in a fresh sandbox for Ada and for the bot. An argument that names a user as the caller names Ada. */
export async function argsOf(row: EndpointRow, world: World): Promise<Args> {
  const made: Args[] = []
  for (const { make } of fixturesOf(row)) made.push(await make(world))
  const caller = row.botFor?.otherUser
  return { ...plainArgsOf(row), ...Object.assign({}, ...made), ...(caller === undefined ? {} : { [caller]: world.user('ada') }) }
}

/** Code of the platform for the bot, which holds these permission bits in the guild; undefined: success. */
export function codeOfBot(row: EndpointRow, held: bigint): number | undefined {
  const isAllowed = row.permissions.every((name) => (held & PERMISSIONS[name].bit) !== 0n)
  return oddOf(row)?.bot ?? (isAllowed ? undefined : 50_013)
}

/** Code of the platform for Mary, who shares no guild and no lobby with Ada; undefined: success. */
export function codeOfStranger(row: EndpointRow): number | undefined {
  const named = [...row.pathParameters, ...Object.keys(leastSampleOf(row))]
  return named.map((name) => CODES_OF_STRANGERS[name]).find((code) => code !== undefined && row.platformErrors.includes(code))
}
