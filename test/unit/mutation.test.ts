/** Tests the parts of the mutation run: finding a place, breaking its value, and passing constants through `broken`. */
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { otherThan } from '../coverage/mutation/break.ts'
import { mutationPlugin } from '../coverage/mutation/plugin.ts'
import { mutationsOf } from '../coverage/mutation/targets.ts'
import { constantOf, lastStepOf } from '../coverage/places.ts'
import { implemented } from '../coverage/statement.ts'
import { ROOT } from '../architecture/source-tree.ts'

describe('a place', () => {
  test.each([
    ['daemon/src/a.ts', undefined],
    ['LIMITS.frameBytes', { file: undefined, name: 'LIMITS', steps: ['frameBytes'] }],
    ['SCOPES[sdk.social_layer].expandsTo', { file: undefined, name: 'SCOPES', steps: ['sdk.social_layer', 'expandsTo'] }],
    ['daemon/src/a.ts#MAX', { file: 'daemon/src/a.ts', name: 'MAX', steps: [] }],
  ])('%s is read', (place, constant) => {
    expect(constantOf(place)).toEqual(constant)
  })

  test('leads through rows, fields of schemas and elements of lists', () => {
    const schema = z.strictObject({ members: z.array(z.object({ name: z.string() })).nullish() })
    const root = { ROW: { args: schema }, rules: [{ name: 'one' }, { names: ['two', 'three'] }] }
    expect(lastStepOf(root, ['ROW', 'args', 'members', 'name'])?.key).toBe('name')
    expect(lastStepOf(root, ['rules', 'two', 'names'])?.holder).toBe(root.rules[1])
    expect(lastStepOf(root, ['ROW', 'args', 'absent'])).toBeUndefined()
    expect(lastStepOf(root, ['rules', 'four', 'names'])).toBeUndefined()
  })
})

test.each([
  [1, 2],
  [1n << 50n, 1n << 51n],
  [true, false],
  ['2026-02-28', '2026-03-01'],
  ['Bearer', 'Bearer-broken'],
  [['a', 'b'], ['a']],
  [[], ['broken']],
  [new Set(['a', 'b']), new Set(['b'])],
])('%s becomes another value', (value, other) => {
  expect(otherThan(value)).toEqual(other)
})

test('a whole row cannot be broken: the line must name a field', () => {
  expect(() => otherThan({ name: 'GET_USER' })).toThrow('cannot be broken: only a number, text')
})

test('named constants and functions of a module go through `broken`, others do not', () => {
  const plugin = mutationPlugin('/repo', [{ file: 'src/a.ts', name: 'MAX', steps: [] }])
  const transform = plugin.transform as (source: string, id: string) => string | undefined
  const text = transform('const MIN = 1\nexport const MAX: number = MIN + 1\n', '/repo/src/a.ts')
  expect(text).toContain('export const MAX: number = broken("src/a.ts", "MAX", (MIN + 1))\n')
  expect(text).toContain('const MIN = 1\n')
  expect(transform('export function MAX() {}', '/repo/src/a.ts')).toContain(
    '\nMAX = broken("src/a.ts", "MAX", MAX)\nexport function MAX() {}',
  )
  expect(transform('export const MAX = 1', '/repo/src/b.ts')).toBeUndefined()
  expect(transform('export const PARSERS = { a: 1 }', '/repo/protocol/src/generated/parsers.ts')).toBe('export const PARSERS = {}')
})

test('each constant of a line is a mutation with the files that run it', () => {
  const tagged = new Map([['8-2', ['conformance/vectors/a.json', 'e2e/a.test.ts', 'unit/a.test.ts']]])
  expect(mutationsOf(ROOT, [implemented('8-2', 'Lobby history.', 'LIMITS.lobbyMessages | protocol/src/limits.ts')], tagged)).toEqual([
    {
      id: '8-2',
      place: 'LIMITS.lobbyMessages',
      target: { file: 'protocol/src/limits.ts', name: 'LIMITS', steps: ['lobbyMessages'] },
      files: ['unit/a.test.ts', 'conformance/suite.test.ts'],
    },
  ])
})
