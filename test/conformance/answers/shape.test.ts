/** What the comparison of answers finds, with a small description of its own. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { ANSWER_DIFFERENCES, DIFFERENCES_MAX } from './differences.ts'
import { Shape } from './shape.ts'

type Schema = Readonly<Record<string, unknown>>

const RECORDS: Readonly<Record<string, Schema>> = {
  Id: { type: 'string', pattern: '^[0-9]+$' },
  Ship: {
    type: 'object',
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      name: { type: 'string' },
      flag: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Flag' }] },
      kind: { type: 'integer', oneOf: [{ const: 1 }, { const: 2 }] },
      notes: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
    },
    required: ['id', 'name'],
  },
  Flag: { type: 'object', properties: { color: { type: 'integer' } }, required: ['color'] },
  Lantern: { type: 'object', properties: { type: { const: 1 }, lit: { type: 'boolean' } }, required: ['type', 'lit'] },
  Bell: {
    type: 'object',
    properties: { type: { const: 2 }, tone: { type: 'string' }, size: { type: 'integer' } },
    required: ['type', 'tone', 'size'],
  },
  Fleet: {
    allOf: [
      { $ref: '#/components/schemas/Flag' },
      { type: 'object', properties: { ships: { type: 'array', items: { $ref: '#/components/schemas/Ship' } } }, required: ['ships'] },
    ],
  },
}
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const ajv = new Ajv2020({ strict: false, allErrors: true })
const shape = new Shape({
  resolved: ({ $ref }) => RECORDS[String($ref).split('/').at(-1) ?? ''] ?? {},
  validator: (schema) => ajv.compile(schema),
})
const found = (value: unknown, schema: Schema) => shape.differences(value, schema, 'GET /x')

describe('a record', () => {
  it('has what is required, in its format, and nothing else', () => {
    expect(found({ id: '1', name: 'Ada', flag: null, kind: 2, notes: { a: 'b' } }, ref('Ship'))).toEqual([])
    expect(found({ id: 'x', port: 1 }, ref('Ship'))).toEqual([
      'Ship.name: required, missing',
      'Ship.id: must match pattern "^[0-9]+$"',
      'Ship.port: not described',
    ])
  })

  it('is named where it stands in another', () => {
    expect(found({ color: 1, ships: [{ id: '1', name: 'A', flag: {} }] }, ref('Fleet'))).toEqual(['Flag.color: required, missing'])
    expect(found([{ ships: [], sunk: true }], { type: 'array', items: ref('Fleet') })).toEqual([
      'Fleet.color: required, missing',
      'Fleet.sunk: not described',
    ])
  })

  it('has one of the listed values, and values of a map', () => {
    expect(found({ id: '1', name: 'A', kind: 3, notes: { a: 1 } }, ref('Ship'))).toEqual([
      'Ship.kind: 3 is not described',
      'Ship.notes.*: must be string',
    ])
    expect(found({ id: '1', name: 'A', notes: null }, ref('Ship'))).toEqual([])
    expect(found('ship', ref('Ship'))).toEqual(['Ship: string, not an object'])
  })
})

describe('of several records', () => {
  const either = { oneOf: [ref('Lantern'), ref('Bell')] }

  it('the one with its constant is meant, not the one with fewer differences', () => {
    expect(found({ type: 2, lit: true }, either)).toEqual([
      'Bell.tone: required, missing',
      'Bell.size: required, missing',
      'Bell.lit: not described',
    ])
    expect(found({ type: 1, lit: true }, either)).toEqual([])
  })
})

describe('the table', () => {
  it('is short, has each difference once, and a reason for it', () => {
    const fields = ANSWER_DIFFERENCES.map(({ field }) => field)
    expect(fields).toEqual([...new Set(fields)])
    expect(fields.length).toBeLessThanOrEqual(DIFFERENCES_MAX)
    for (const { field, found: sentences, reason } of ANSWER_DIFFERENCES) {
      expect(sentences.length, field).toBeGreaterThan(0)
      expect(reason.length, field).toBeGreaterThan(20)
    }
  })
})
