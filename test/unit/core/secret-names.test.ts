import { COMMANDS, ENDPOINTS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { SECRET_NAMES, extractSecrets } from '@sallyport/core/secret-names'

/** Names of all properties of a schema, however deep. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []),
    ...namesIn(value),
  ])
}

const SECRET = /(?:^|_)(?:tokens?|secrets?|verifier|proof|password)$/

test('the names of all secret arguments are listed', () => {
  const unknown = [...Object.values(COMMANDS), ...Object.values(ENDPOINTS)].flatMap(({ name, args }) =>
    namesIn(z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' }))
      .filter((argument) => SECRET.test(argument) && !SECRET_NAMES.includes(argument))
      .map((argument) => `${argument} of ${name}`),
  )
  expect(unknown).toEqual([])
})

test('finds secrets at any depth, and everything below their name', () => {
  const args = {
    content: 'plain',
    token: 'a',
    limit: 3,
    activities: [{ name: 'plain', secrets: { join: 'b', others: ['c'] } }],
    deep: { deeper: [{ access_token: 'd' }] },
    id_token: null,
    code: 7,
  }
  expect([...extractSecrets(args)].toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

test('searches plain data only, at any depth', () => {
  let deep: object = { token: 'found' }
  for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep }
  expect(extractSecrets(deep)).toEqual(['found'])
  expect(extractSecrets({ file: Buffer.from('x'), other: new Map([['token', 'kept']]) })).toEqual([])
  expect(extractSecrets('token')).toEqual([])
})
