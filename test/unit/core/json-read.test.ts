import { fieldsOf, idOf, listOf, nonEmptyTextOf, numberOf, picked, textOf } from '@sallyport/core/json-read'
import { expect, test } from 'vitest'

const OTHERS = [null, undefined, true, 1, 'text', [], {}, () => 1]

test.each([
  ['fieldsOf', fieldsOf, { a: 1 }, {}],
  ['listOf', listOf, [1], []],
])('%s returns its kind as it is, and an empty one for every other value', (_name, read, own, empty) => {
  expect(read(own)).toBe(own)
  for (const other of OTHERS) expect(read(other)).toEqual(empty)
})

test('an id is a snowflake as text', () => {
  expect(['1', '18446744073709551615', '', '123456789012345678901', '12a', 12].map(idOf)).toEqual([
    '1',
    '18446744073709551615',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('texts and numbers of another type, or out of bounds, count as absent', () => {
  expect([textOf('ab', 2), textOf('abc', 2), textOf(1), textOf('')]).toEqual(['ab', undefined, undefined, ''])
  expect([nonEmptyTextOf(''), nonEmptyTextOf('a')]).toEqual([undefined, 'a'])
  expect([numberOf(1.5), numberOf(Number.NaN), numberOf(Number.POSITIVE_INFINITY), numberOf('1')]).toEqual([
    1.5,
    undefined,
    undefined,
    undefined,
  ])
})

test('picked keeps the present fields with these names', () => {
  expect(picked({ a: 1, b: undefined, c: null, d: 4 }, ['a', 'b', 'c'])).toEqual({ a: 1, c: null })
})
