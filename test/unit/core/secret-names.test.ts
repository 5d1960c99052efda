import { COMMANDS, ENDPOINTS, EVENTS } from '@sallyport/protocol'
import { REDACTED, redacted } from '@sallyport/core/redacted'
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

const SECRET = /(?:^|_)(?:tokens?|tickets?|secrets?|verifier|proof|password)$/

/** A schema whose JSON Schema cannot be made has no names to check. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' })

/** A field that the tables describe as a secret: by its name, or in its description. */
function secretsIn(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { description } = schema as { description?: unknown }
  const isSecret =
    name !== '' && (SECRET.test(name) || /\b[Aa] secret\b(?! (?:must|is))/.test(typeof description === 'string' ? description : ''))
  return [
    ...(isSecret ? [name] : []),
    ...Object.entries(schema).flatMap(([key, value]) =>
      key === 'properties' && typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([inner, below]) => secretsIn(below, inner))
        : secretsIn(value),
    ),
  ]
}

const FIELDS = [
  ...Object.values(COMMANDS).flatMap(({ name, args, data }) => [
    [`${name} arguments`, jsonSchema(args, 'input')] as const,
    [`${name} data`, jsonSchema(data, 'output')] as const,
  ]),
  ...Object.values(ENDPOINTS).flatMap(({ name, args, response }) => [
    [`${name} arguments`, jsonSchema(args, 'input')] as const,
    [`${name} response`, jsonSchema(response, 'output')] as const,
  ]),
  ...Object.values(EVENTS).flatMap(({ name, data }) => [[`${name} event`, jsonSchema(data, 'output')] as const]),
].flatMap(([where, schema]) => [...new Set(secretsIn(schema))].map((field) => [field, where] as const))

test('the tables have fields that are secrets', () => {
  expect(FIELDS.map(([field]) => field)).toEqual(expect.arrayContaining(['ticket', 'access_token', 'client_secret', 'secret']))
})

test('an address is kept without its code', () => {
  expect(redacted({ url: 'my-game:/callback?code=planted-value-1' })).toEqual({ url: `my-game:/callback?code=${REDACTED}` })
})

test.each(FIELDS.filter(([field]) => field !== 'url'))('%s of %s is removed from what readers get', (field) => {
  expect(redacted({ data: { [field]: 'planted-value-1' }, repeated: 'has planted-value-1' })).toEqual({
    data: { [field]: REDACTED },
    repeated: REDACTED,
  })
})

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
