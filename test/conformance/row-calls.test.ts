/** Each endpoint row says enough to call it; the odd ones are few. The walk of e2e/permissions.test.ts makes these calls for every caller. */
import { COMMANDS, ENDPOINTS, type EndpointRow } from '@sallyport/protocol'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { MOST_ODD_ROWS, ODD_ROWS } from '#test/support/odd-rows.ts'
import { fixturesOf, plainArgsOf, withoutFixture } from '#test/support/row-call.ts'
import { FIXTURES } from '#test/support/row-fixtures.ts'
import { VALUES } from '#test/support/row-values.ts'

const rows = Object.values<EndpointRow>(ENDPOINTS).filter(({ name }) => Object.hasOwn(COMMANDS, name))

it.each(rows)('$name has a fixture for each object that it names', (row) => {
  expect(withoutFixture(row), 'write a fixture that gives it in test/support/row-fixtures.ts').toEqual([])
})

it.each(rows)('$name accepts its derived arguments', (row) => {
  const advice = 'add a value to test/support/row-values.ts, or the row to test/support/odd-rows.ts'
  expect(row.args.safeParse(plainArgsOf(row)).error?.issues, advice).toBeUndefined()
})

it('names the arguments of a new row for which nothing is known', () => {
  const toy: EndpointRow = {
    ...ENDPOINTS.GET_GUILD_BY_BOT,
    path: '/guilds/{guild_id}/toys/{toy}',
    pathParameters: ['guild_id', 'toy'],
    args: z.strictObject({ guild_id: z.string(), toy: z.string(), owner_id: z.string(), box_ids: z.array(z.string()), size: z.int() }),
  }
  expect(withoutFixture(toy)).toEqual(['toy', 'box_ids'])
})

it('has few odd rows, each with a reason', () => {
  const odd = Object.entries(ODD_ROWS)
  expect(odd.length).toBeLessThanOrEqual(MOST_ODD_ROWS)
  expect(
    odd.filter(([name, { bot }]) => !rows.some((row) => row.name === name && (bot === undefined || row.platformErrors.includes(bot)))),
  ).toEqual([])
  expect(odd.filter(([, { reason }]) => reason.split(' ').length < 5)).toEqual([])
})

it('has no fixture and no value that no row uses', () => {
  const used = new Set(rows.flatMap((row) => fixturesOf(row)))
  expect(FIXTURES.filter((one) => !used.has(one)).map(({ gives, on }) => `${gives.join()} ${on?.source ?? ''}`)).toEqual([])
  const named = new Set(rows.flatMap((row) => Object.keys(plainArgsOf(row))))
  expect(Object.keys(VALUES).filter((name) => !named.has(name))).toEqual([])
})
