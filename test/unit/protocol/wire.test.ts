/** What `npm run wire` finds in a description of the platform: each missing field once, and no exception that nothing needs. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEFT_OUT, LEFT_OUT_FIELDS, OTHER_KINDS } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildModel } from '#protocol/codegen/model.ts'
import { acceptedBy, compare, type Tables } from '#protocol/codegen/wire/compare.ts'
import { describedOperations } from '#protocol/codegen/wire/description.ts'
import { documentedOperations } from '#protocol/codegen/wire/documents.ts'
import { fieldsOf, parentOf } from '#protocol/codegen/wire/fields.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MODEL = buildModel()
const TABLES: Tables = { ...MODEL, leftOut: LEFT_OUT, leftOutFields: [], otherKinds: [] }

const body = (properties: object, type = 'application/json') => ({
  requestBody: { content: { [type]: { schema: { type: 'object', properties } } } },
})
const description = (paths: object, schemas: object = {}) => ({ openapi: '3.1.0', paths, components: { schemas } })
const compared = (paths: object, tables: Partial<Tables> = {}, schemas: object = {}) =>
  compare(describedOperations(description(paths, schemas)), { ...TABLES, ...tables })

describe('the fields of a schema', () => {
  const resolve = (reference: string) =>
    ({ '#/a': { properties: { inner: { $ref: '#/a' }, n: { type: ['integer', 'null'] } } } })[reference] ?? {}
  test('have paths and kinds, through references, unions, lists and recursion', () => {
    const fields = fieldsOf(
      { oneOf: [{ $ref: '#/a' }, { properties: { list: { items: { properties: { x: { enum: ['a'] } } } } } }] },
      resolve,
    )
    expect([...fields].map(([path, kinds]) => [path, ...kinds])).toEqual([
      ['inner'],
      ['n', 'number'],
      ['list'],
      ['list[]'],
      ['list[].x', 'text'],
    ])
  })
  test.each([
    ['a', undefined],
    ['a.b', 'a'],
    ['a[].b', 'a[]'],
    ['a[]', 'a'],
    ['[]', undefined],
  ])('%s lies in %s', (path, parent) => {
    expect(parentOf(path)).toBe(parent)
  })
})

describe('the comparison', () => {
  const LOBBY = '/lobbies/{some_lobby}'

  test('finds missing fields of query and body, without those below them', () => {
    const { missing, kinds, operations } = compared({
      [LOBBY]: {
        parameters: [
          { name: 'lobby_id', in: 'path', schema: {} },
          { name: 'since', in: 'query', schema: {} },
        ],
        patch: body({ metadata: {}, idle_timeout_seconds: { type: 'integer' }, colour: { properties: { red: {} } } }),
      },
    })
    expect([missing, kinds, operations]).toEqual([['MODIFY_LOBBY: query since', 'MODIFY_LOBBY: body colour'], [], 1])
  })
  test('finds missing fields inside of others, but not in an object with any fields', () => {
    const paths = {
      '/channels/{id}/messages': { post: body({ embeds: { items: { properties: { title: {}, mood: {} } } } }) },
      [LOBBY]: { patch: body({ metadata: { properties: { any: {} } } }) },
    }
    expect(compared(paths).missing).toEqual(['CREATE_MESSAGE: body embeds[].mood'])
  })
  test('knows the parts of a multipart body, and an argument that is the whole body', () => {
    const paths = {
      '/channels/{id}/messages': { post: body({ 'files[0]': { type: 'string' } }, 'multipart/form-data') },
      '/guilds/{id}/roles': {
        patch: {
          requestBody: {
            content: { 'application/json': { schema: { type: 'array', items: { properties: { id: {}, position: {}, more: {} } } } } },
          },
        },
      },
    }
    expect(compared(paths).missing).toEqual(['MODIFY_GUILD_ROLE_POSITIONS: body [].more'])
  })
  test('finds operations without a row, unless they are left out', () => {
    expect(compared({ '/new/{id}': { get: {} }, '/oauth2/keys': { get: {} } }).missing).toEqual(['GET /new/{id}: no row'])
  })
  test('finds other kinds of values', () => {
    expect(compared({ [LOBBY]: { patch: body({ idle_timeout_seconds: { type: 'string' } }) } }).kinds).toEqual([
      'MODIFY_LOBBY: body idle_timeout_seconds: number here, text described',
    ])
  })
  test('takes exceptions, and names those that nothing needs', () => {
    const paths = { [LOBBY]: { patch: body({ colour: {}, inner: { properties: {} }, idle_timeout_seconds: { type: 'string' } }) } }
    const leftOutFields = [{ reason: 'r', fields: ['MODIFY_LOBBY.colour', '*.inner', 'MODIFY_LOBBY.gone', 'CREATE_LOBBY.colour'] }]
    const otherKinds = [{ reason: 'r', fields: ['MODIFY_LOBBY.idle_timeout_seconds'] }]
    const { missing, kinds, unneeded } = compared(paths, { leftOutFields, otherKinds })
    expect([missing, kinds, unneeded]).toEqual([[], [], ['MODIFY_LOBBY.gone', 'CREATE_LOBBY.colour']])
  })
  test('refuses a file that is no description, and a reference to nothing', () => {
    expect(() => describedOperations({ paths: {} })).toThrow('no OpenAPI description')
    expect(() => compared({ [LOBBY]: { patch: body({ a: { $ref: '#/components/schemas/None' } }) } })).toThrow('None')
  })
})

describe('the documents', () => {
  const LINKED = `
## Modify Lobby
<Route method="PATCH">/lobbies/[\\{lobby.id\\}](/docs/lobby#object)</Route>

###### JSON Params

| Field                | Type    | Description |
|----------------------|---------|-------------|
| metadata?            | dict    | any         |
| colour?\\*            | ?string | new         |

\\* a note

###### Example
| Field | Type |
|-------|------|
| no    | no   |

## Get Channel Messages % GET /channels/{channel.id#DOCS_CHANNEL/object}/messages?x=1

###### Query String Params
| Field | Type |
| --- | --- |
| around? | snowflake |
| mood?   | string |
`
  test('have operations with the names of their fields', () => {
    const found = documentedOperations(LINKED).map(({ line, query, body: fields }) => [line, [...query.keys()], [...fields.keys()]])
    expect(found).toEqual([
      ['PATCH /lobbies/{lobby.id}', [], ['metadata', 'colour']],
      ['GET /channels/{channel.id}/messages', ['around', 'mood'], []],
    ])
  })
  test('are compared as the description is', () => {
    expect(compare(documentedOperations(LINKED), TABLES).missing).toEqual(['MODIFY_LOBBY: body colour', 'GET_CHANNEL_MESSAGES: query mood'])
  })
})

describe('the tables of exceptions', () => {
  const accepted = new Map(MODEL.endpoints.map((row) => [row.name, [...acceptedBy([row], MODEL.$defs).keys()]]))
  const all = LEFT_OUT_FIELDS.flatMap(({ fields }) => fields)

  test('name no field that a row has', () => {
    const has = (exception: string): boolean => {
      const path = exception.slice(exception.indexOf('.') + 1)
      if (!exception.startsWith('*')) return accepted.get(exception.slice(0, exception.indexOf('.')))?.includes(path) !== false
      return [...accepted.values()].flat().some((one) => one === path || one.endsWith(`.${path}`))
    }
    expect(all.filter(has), 'remove these from left-out-fields.ts').toEqual([])
  })
  test('have each once, with a reason', () => {
    expect(all).toEqual([...new Set(all)])
    for (const { reason, fields } of [...LEFT_OUT_FIELDS, ...OTHER_KINDS])
      expect([reason.length > 20, fields.length > 0], reason).toEqual([true, true])
  })
})

describe('the command', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wire-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--conditions=sallyport-source', join(ROOT, 'protocol/codegen/wire/main.ts'), ...args], {
      encoding: 'utf8',
    })

  test('exits with 1 for a missing field, and says what it did not compare', () => {
    const file = join(folder, 'description.json')
    writeFileSync(file, JSON.stringify(description({ '/lobbies/{id}': { patch: body({ colour: {} }) } })))
    const { status, stdout } = run('--openapi', file)
    expect(stdout).toContain('MODIFY_LOBBY: body colour')
    expect(stdout).toContain('Not compared: the documents')
    expect(status).toBe(1)
  })
  test('exits with 2 for what it cannot read', () => {
    expect(run('--openapi', join(folder, 'none.json')).status).toBe(2)
    expect(run().status).toBe(2)
  })
})
