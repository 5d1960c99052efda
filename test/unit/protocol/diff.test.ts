import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compare, exitCodeOf } from '#protocol/codegen/diff/compare.ts'
import type { Difference } from '#protocol/codegen/diff/difference.ts'
import { buildModel, type Model } from '#protocol/codegen/model.ts'

type Loose = Record<string, unknown>
type Change = (
  model: Record<string, Loose[]> & { wire: Record<string, unknown>; $defs: Record<string, Loose>; defaultScopes: Loose },
) => void

const object = (properties: Loose, required: readonly string[] = [], isOpen = false): Loose => ({
  type: 'object',
  properties,
  required,
  additionalProperties: isOpen ? {} : false,
})
const text = (bounds: Loose = {}): Loose => ({ type: 'string', ...bounds })

/** A protocol of one row of each kind. */
const SMALL = {
  contractVersion: '1.0',
  protocolVersion: 1,
  wire: {
    headerBytes: 8,
    slots: 10,
    encodings: ['json'],
    opcodes: { HANDSHAKE: 0, FRAME: 1 },
    messages: [
      {
        name: 'call',
        members: [
          { name: 'cmd', type: 'string' },
          { name: 'key', type: 'string', isOptional: true, isReserved: true },
        ],
      },
      {
        name: 'response',
        members: [
          { name: 'data', type: 'any' },
          { name: 'warnings', type: 'list', isOptional: true },
        ],
      },
    ],
  },
  commands: [
    {
      name: 'DOCK',
      handledBy: 'bridge',
      offeredTo: ['program', 'page'],
      scopes: [['rpc'], ['rpc.local']],
      clientScopes: null,
      args: object({ id: text({ maxLength: 10, minLength: 2 }), size: { enum: ['small', 'large'], type: 'string' }, note: text() }, ['id']),
      data: object({ ship: { $ref: '#/$defs/Ship' }, count: { type: 'integer' }, mode: { type: 'string', enum: ['a'] } }, ['ship'], true),
      errors: ['INVALID_COMMAND'],
    },
    { name: 'LIST_SHIPS', handledBy: 'api', endpoint: 'LIST_SHIPS', scopes: [[]], errors: [] },
  ],
  events: [
    {
      name: 'DOCKED',
      delivery: 'subscription',
      retained: null,
      scopes: [['rpc']],
      clientScopes: null,
      args: object({}),
      data: object({ ship: { $ref: '#/$defs/Ship' } }, [], true),
    },
  ],
  endpoints: [
    {
      name: 'LIST_SHIPS',
      isCommand: true,
      auth: 'user',
      unavailable: null,
      args: object({
        page: { type: 'integer', minimum: 1, maximum: 100 },
        names: { type: 'array', items: text({ maxLength: 5 }), maxItems: 3 },
      }),
      response: { type: 'array', items: { $ref: '#/$defs/Ship' } },
    },
  ],
  errors: [{ name: 'INVALID_COMMAND', code: 4002, retryable: false }],
  closeCodes: [{ name: 'CLOSE_NORMAL', code: 1000 }],
  limits: [
    { name: 'frameBytes', audience: 'games', value: 100, unit: 'bytes', summary: 'Maximum payload.' },
    { name: 'textMin', audience: 'games', value: 2, unit: 'characters', summary: 'Shortest text.' },
    { name: 'readyBytes', audience: 'games', value: 50, unit: 'bytes', summary: 'Maximum READY payload.' },
    { name: 'contractFrameBytes', audience: 'games', value: 200, unit: 'bytes', summary: 'Maximum payload of both.' },
  ],
  scopes: [{ name: 'rpc', kind: 'user', expandsTo: ['identify'] }],
  defaultScopes: { presence: ['rpc'] },
  permissions: [{ name: 'SPEAK', bit: '2', shift: 1 }],
  versions: [],
  leftOut: [],
  $defs: { Ship: object({ id: text(), name: text(), owner: text() }, ['id'], true) },
}

const differencesOf = (change: Change): readonly Difference[] => {
  const changed = structuredClone(SMALL)
  change(changed as unknown as Parameters<Change>[0])
  return compare(SMALL as unknown as Model, changed as unknown as Model)
}

const row = (rows: Loose[] | undefined, name: string): Loose => rows?.find((one) => one['name'] === name) ?? {}
/** Properties of the arguments or the data of the command. */
const propertiesOf = (schema: unknown): Record<string, Loose> => (schema as { properties: Record<string, Loose> }).properties
const dock = (model: Parameters<Change>[0]): Loose => row(model['commands'], 'DOCK')
const argsOf = (model: Parameters<Change>[0]) => propertiesOf(dock(model)['args'])
const dataOf = (model: Parameters<Change>[0]) => propertiesOf(dock(model)['data'])
const ship = (model: Parameters<Change>[0]) => propertiesOf(model.$defs['Ship'])
const messages = (model: Parameters<Change>[0]) => model.wire['messages'] as { members: Loose[] }[]

const without = (rows: Loose[] | undefined, name: string): void => {
  rows?.splice(
    rows.findIndex((one) => one['name'] === name),
    1,
  )
}

describe('a difference that breaks games', () => {
  it.each<readonly [string, Change, string]>([
    ['another version of the protocol', (m) => void Object.assign(m, { protocolVersion: 2 }), 'protocolVersion'],
    ['another length of the header', (m) => void (m.wire['headerBytes'] = 12), 'wire.headerBytes'],
    ['fewer slots', (m) => void (m.wire['slots'] = 9), 'wire.slots'],
    ['a removed encoding', (m) => void (m.wire['encodings'] = []), 'wire.encodings.json'],
    ['another number of a frame type', (m) => void (m.wire['opcodes'] = { HANDSHAKE: 0, FRAME: 7 }), 'wire.opcodes.FRAME'],
    ['a member of a response that is gone', (m) => without(messages(m)[1]?.members, 'data'), 'wire.messages.response.data'],
    [
      'a member of a response that may be absent',
      (m) => void (row(messages(m)[1]?.members, 'data')['isOptional'] = true),
      'wire.messages.response.data',
    ],
    ['a member of a call that is required', (m) => void delete row(messages(m)[0]?.members, 'key')['isOptional'], 'wire.messages.call.key'],
    ['a removed command', (m) => without(m['commands'], 'DOCK'), 'commands.DOCK'],
    ['a command of another handler', (m) => void (dock(m)['handledBy'] = 'desktop-client'), 'commands.DOCK'],
    ['a command that pages cannot call', (m) => void (dock(m)['offeredTo'] = ['program']), 'commands.DOCK.offeredTo'],
    ['a command that needs another scope', (m) => void (dock(m)['scopes'] = [['rpc', 'identify'], ['rpc.local']]), 'commands.DOCK.scopes'],
    ['a removed argument', (m) => void delete argsOf(m)['note'], 'commands.DOCK.args.note'],
    ['a required argument', (m) => void ((dock(m)['args'] as Loose)['required'] = ['id', 'note']), 'commands.DOCK.args.note'],
    [
      'a new and required argument',
      (m) => {
        argsOf(m)['more'] = text()
        ;(dock(m)['args'] as Loose)['required'] = ['id', 'more']
      },
      'commands.DOCK.args.more',
    ],
    ['a shorter text', (m) => void (argsOf(m)['id'] = text({ maxLength: 9, minLength: 2 })), 'commands.DOCK.args.id'],
    ['a longer least text', (m) => void (argsOf(m)['id'] = text({ maxLength: 10, minLength: 3 })), 'commands.DOCK.args.id'],
    ['a new pattern', (m) => void (argsOf(m)['note'] = text({ pattern: '^x' })), 'commands.DOCK.args.note'],
    ['a refused value', (m) => void (argsOf(m)['size'] = { enum: ['small'], type: 'string' }), 'commands.DOCK.args.size'],
    ['an argument of another type', (m) => void (argsOf(m)['note'] = { type: 'integer' }), 'commands.DOCK.args.note'],
    ['a field of the data that is gone', (m) => void delete dataOf(m)['count'], 'commands.DOCK.data.count'],
    ['a field of the data that may be absent', (m) => void ((dock(m)['data'] as Loose)['required'] = []), 'commands.DOCK.data.ship'],
    ['a field of the data that may be null', (m) => void (dataOf(m)['count'] = { type: ['integer', 'null'] }), 'commands.DOCK.data.count'],
    ['a removed event', (m) => without(m['events'], 'DOCKED'), 'events.DOCKED'],
    ['an event of another delivery', (m) => void (row(m['events'], 'DOCKED')['delivery'] = 'automatic'), 'events.DOCKED'],
    ['an event that needs a scope', (m) => void (row(m['events'], 'DOCKED')['scopes'] = [['rpc.local']]), 'events.DOCKED.scopes'],
    ['an endpoint that is no command', (m) => void (row(m['endpoints'], 'LIST_SHIPS')['isCommand'] = false), 'endpoints.LIST_SHIPS'],
    ['an endpoint with another token', (m) => void (row(m['endpoints'], 'LIST_SHIPS')['auth'] = 'bot'), 'endpoints.LIST_SHIPS'],
    [
      'an item of a list that is shorter',
      (m) =>
        void (propertiesOf(row(m['endpoints'], 'LIST_SHIPS')['args'])['names'] = {
          type: 'array',
          items: text({ maxLength: 4 }),
          maxItems: 3,
        }),
      'endpoints.LIST_SHIPS.args.names[]',
    ],
    ['another code of an error', (m) => void (row(m['errors'], 'INVALID_COMMAND')['code'] = 4003), 'errors.INVALID_COMMAND'],
    ['an error that cannot be retried', (m) => void (row(m['errors'], 'INVALID_COMMAND')['retryable'] = true), 'errors.INVALID_COMMAND'],
    ['another close code', (m) => void (row(m['closeCodes'], 'CLOSE_NORMAL')['code'] = 1001), 'closeCodes.CLOSE_NORMAL'],
    ['a lower limit', (m) => void (row(m['limits'], 'frameBytes')['value'] = 99), 'limits.frameBytes'],
    ['a higher least value', (m) => void (row(m['limits'], 'textMin')['value'] = 3), 'limits.textMin'],
    ['a larger payload to games', (m) => void (row(m['limits'], 'readyBytes')['value'] = 51), 'limits.readyBytes'],
    [
      'a larger payload in both directions',
      (m) => void (row(m['limits'], 'contractFrameBytes')['value'] = 201),
      'limits.contractFrameBytes',
    ],
    ['another unit of a limit', (m) => void (row(m['limits'], 'frameBytes')['unit'] = 'items'), 'limits.frameBytes'],
    ['a removed scope', (m) => without(m['scopes'], 'rpc'), 'scopes.rpc'],
    ['a scope that includes less', (m) => void (row(m['scopes'], 'rpc')['expandsTo'] = []), 'scopes.rpc'],
    ['another bit of a permission', (m) => void Object.assign(row(m['permissions'], 'SPEAK'), { bit: '4', shift: 2 }), 'permissions.SPEAK'],
    ['a field of a record that is gone', (m) => void delete ship(m)['name'], '$defs.Ship.name'],
    ['a field of a record of another type', (m) => void (ship(m)['name'] = { type: 'integer' }), '$defs.Ship.name'],
  ])('is %s', (_, change, path) => {
    const found = differencesOf(change)
    expect(found.filter(({ kind }) => kind === 'games').map((one) => one.path)).toContain(path)
    expect(exitCodeOf(found)).toBe(2)
  })
})

describe('a difference that breaks generated code', () => {
  it.each<readonly [string, Change, string]>([
    ['an error with another name', (m) => void (row(m['errors'], 'INVALID_COMMAND')['name'] = 'UNKNOWN_COMMAND'), 'errors.INVALID_COMMAND'],
    ['a close code with another name', (m) => void (row(m['closeCodes'], 'CLOSE_NORMAL')['name'] = 'CLOSE'), 'closeCodes.CLOSE_NORMAL'],
    ['a removed limit', (m) => without(m['limits'], 'frameBytes'), 'limits.frameBytes'],
    ['a limit that is no constant any more', (m) => void (row(m['limits'], 'frameBytes')['audience'] = 'operators'), 'limits.frameBytes'],
    ['a removed permission', (m) => without(m['permissions'], 'SPEAK'), 'permissions.SPEAK'],
    ['other default scopes', (m) => void (m.defaultScopes = { presence: ['identify'] }), 'defaultScopes.presence'],
    [
      'a record with another name',
      (m) => {
        const was = JSON.stringify({ ...m, $defs: {} }).replaceAll('$defs/Ship', '$defs/Boat')
        Object.assign(m, JSON.parse(was), { $defs: { Boat: m.$defs['Ship'] } })
      },
      '$defs.Ship',
    ],
    ['a field before older ones', (m) => void (m.$defs['Ship'] = object({ flag: text(), ...ship(m) }, ['id'], true)), '$defs.Ship.flag'],
  ])('is %s', (_, change, path) => {
    const found = differencesOf(change)
    expect(found.filter(({ kind }) => kind === 'code').map((one) => one.path)).toContain(path)
    expect(exitCodeOf(found)).toBe(1)
  })
})

describe('a difference that only adds', () => {
  it.each<readonly [string, Change]>([
    ['a version of the contract', (m) => void Object.assign(m, { contractVersion: '1.1' })],
    ['more slots', (m) => void (m.wire['slots'] = 12)],
    ['an encoding', (m) => void (m.wire['encodings'] = ['json', 'msgpack'])],
    ['a type of frames', (m) => void (m.wire['opcodes'] = { HANDSHAKE: 0, FRAME: 1, MORE: 9 })],
    ['a reserved member with an effect', (m) => void delete row(messages(m)[0]?.members, 'key')['isReserved']],
    ['a command', (m) => void m['commands']?.push({ ...dock(m), name: 'UNDOCK' })],
    ['a command that takes a key', (m) => void (dock(m)['keyed'] = true)],
    ['a scope that is enough too', (m) => void (dock(m)['scopes'] = [['rpc'], ['rpc.local'], ['identify']])],
    ['an error of a command', (m) => void (dock(m)['errors'] = ['INVALID_COMMAND', 'UNKNOWN_ERROR'])],
    ['an optional argument', (m) => void (argsOf(m)['more'] = text())],
    ['an argument that is optional', (m) => void ((dock(m)['args'] as Loose)['required'] = [])],
    ['a longer text', (m) => void (argsOf(m)['id'] = text({ maxLength: 11, minLength: 1 }))],
    ['an argument that may be null', (m) => void (argsOf(m)['note'] = { anyOf: [text(), { type: 'null' }] })],
    ['a value of an argument', (m) => void (argsOf(m)['size'] = { enum: ['small', 'large', 'huge'], type: 'string' })],
    ['a field of the data', (m) => void (dataOf(m)['more'] = text())],
    ['a value of the data', (m) => void (dataOf(m)['mode'] = { type: 'string', enum: ['a', 'b'] })],
    ['a last field of a record', (m) => void (ship(m)['flag'] = text())],
    ['a higher limit', (m) => void (row(m['limits'], 'frameBytes')['value'] = 101)],
    ['a lower least value', (m) => void (row(m['limits'], 'textMin')['value'] = 1)],
    ['a scope that includes more', (m) => void (row(m['scopes'], 'rpc')['expandsTo'] = ['identify', 'email'])],
    ['a record', (m) => void (m.$defs['Boat'] = object({}))],
  ])('is %s', (_, change) => {
    const found = differencesOf(change)
    expect(found.map(({ kind }) => kind)).toEqual(['adds'].concat(found.slice(1).map(() => 'adds')))
    expect(exitCodeOf(found)).toBe(0)
  })

  it('is no other sentence', () => {
    expect(differencesOf((m) => void (row(m['limits'], 'frameBytes')['summary'] = 'Another sentence.'))).toEqual([])
  })
})

describe('the protocol since 0.1', () => {
  const model = join(import.meta.dirname, '../../../protocol/model')
  const older = JSON.parse(gunzipSync(readFileSync(join(model, '0.1.json.gz'))).toString()) as Model
  const accepted = JSON.parse(readFileSync(join(model, 'accepted.json'), 'utf8')) as readonly Difference[]

  it('breaks nothing but what is accepted', () => {
    const present = JSON.parse(JSON.stringify(buildModel())) as Model
    expect(compare(older, present).filter(({ kind }) => kind !== 'adds')).toEqual(accepted)
  })
})
