/** The form of each command, by the document that the page gets, and what is checked of what the user types. */
import type { DocumentSchema } from '@sallyport/protocol'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { REDACTED, UNKNOWN } from '@sallyport/core/redacted'
import { formProtocol } from '#daemon/packaging/form-protocol.ts'
import { argumentsOf, fieldsOf, type FormProtocol, refill } from '#daemon/src/operator/dashboard/page/argument-fields.ts'

let protocol: FormProtocol
beforeAll(async () => {
  protocol = JSON.parse(gunzipSync(Buffer.from(await formProtocol(), 'base64')).toString()) as FormProtocol
})
const fieldsIn = (command: string) => fieldsOf(protocol.commands.find(({ name }) => name === command)?.args, protocol.$defs)
const read = (schema: DocumentSchema, text: string) =>
  argumentsOf(fieldsOf({ type: 'object', properties: { one: schema } }, {}), new Map([['one', text]]))

test('each command has a field for each of its arguments, and no reference is left open', () => {
  for (const { name, args } of [...protocol.commands, ...protocol.events]) {
    const text = JSON.stringify(args ?? {})
    for (const [, definition = ''] of text.matchAll(/#\/\$defs\/(\w+)/g))
      expect({ name, has: definition in protocol.$defs }).toEqual({ name, has: true })
    for (const field of fieldsOf(args, protocol.$defs)) {
      expect({ name, field: field.name, well: field.kind !== 'choice' || field.choices.size > 0 }).toMatchObject({ well: true })
    }
  }
  expect(fieldsIn('SEND_LOBBY_MESSAGE').map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['lobby_id', 'text', true],
    ['content', 'text', true],
    ['metadata', 'json', false],
    ['flags', 'integer', false],
  ])
  expect(fieldsIn('GET_BRIDGE_STATUS')).toEqual([])
})

describe('a value', () => {
  test.each<[string, DocumentSchema, string, unknown]>([
    ['a text', { type: 'string' }, '12', '12'],
    ['a number', { type: 'number' }, '1.5', 1.5],
    ['a whole number', { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }, '7', 7],
    ['a boolean', { type: ['boolean', 'null'] }, 'false', false],
    ['one of several', { enum: ['a', 2] }, '2', 2],
    ['a list', { type: 'array' }, '[1]', [1]],
    ['an object', { type: 'object' }, '{"a":null}', { a: null }],
    ['a list or a text', { anyOf: [{ type: 'array' }, { type: 'string' }] }, 'guilds rpc', 'guilds rpc'],
    ['nothing', { type: 'string' }, '', undefined],
  ])('%s', (_, schema, text, value) => {
    const { args, problems } = read(schema, text)
    expect([args['one'], [...problems]]).toEqual([value, []])
  })

  test.each<[DocumentSchema, string, string]>([
    [{ type: 'string', maxLength: 2 }, 'abc', 'It must have at most 2 characters, and has 3.'],
    [{ type: 'string', minLength: 4 }, 'abc', 'It must have at least 4 characters, and has 3.'],
    [{ type: 'string', pattern: '^[0-9]+$' }, 'abc', 'It must match ^[0-9]+$.'],
    [{ type: 'integer' }, '1.5', 'It must be a whole number.'],
    [{ type: 'number' }, 'abc', 'It must be a number.'],
    [{ type: 'number', minimum: 3 }, '2', 'It must be at least 3.'],
    [{ type: 'number', maximum: 3 }, '4', 'It must be at most 3.'],
    [{ enum: ['a', 'b'] }, 'c', 'It must be one of a, b.'],
    [{ type: 'object' }, '{a}', 'It must be JSON: texts and names need quotation marks.'],
  ])('%j refuses %s', (schema, text, problem) => {
    expect(read(schema, text).problems.get('one')).toBe(problem)
  })

  test('that is required is asked for', () => {
    expect([...argumentsOf(fieldsIn('GET_GUILD'), new Map()).problems]).toEqual([['guild_id', 'It is required.']])
  })
})

describe('the arguments of a call that was made', () => {
  test('fill the form, and are the same when it is sent', () => {
    const args = { pid: 7, activity: { state: 'At the pier', party: { size: [1, 2] } } }
    const fields = fieldsIn('SET_ACTIVITY')
    const { typed, masked } = refill(args, fields)
    expect([argumentsOf(fields, typed).args, masked]).toEqual([args, []])
  })

  test('have no mask in place of a value: it is left out, and named', () => {
    const args = { pid: 7, activity: { state: 'x', secrets: { join: REDACTED }, extra: UNKNOWN } }
    const fields = fieldsIn('SET_ACTIVITY')
    const { typed, masked } = refill(args, fields)
    expect([argumentsOf(fields, typed).args, masked]).toEqual([
      { pid: 7, activity: { state: 'x' } },
      ['activity.secrets.join', 'activity.extra'],
    ])
    expect(refill({ access_token: REDACTED }, fieldsIn('AUTHENTICATE'))).toEqual({ typed: new Map(), masked: ['access_token'] })
  })

  test('that are secrets are typed into a hidden field', () => {
    expect(fieldsIn('AUTHENTICATE').map(({ name, isSecret }) => [name, isSecret])).toEqual([
      ['access_token', true],
      ['user_id', false],
    ])
  })
})
