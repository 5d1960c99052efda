import { expect, test } from 'vitest'
import { didYouMean } from '#daemon/src/config/suggest.ts'

const NAMES = ['--platform', '--log-level', '--consent']

test.each([
  ['--platfrom', '--platform'],
  ['--loglevel', '--log-level'],
  ['--CONSENT', '--consent'],
  ['--consnt', '--consent'],
])('%s is probably %s', (given, meant) => {
  expect(didYouMean(given, NAMES)).toBe(` Did you mean ${meant}?`)
})

test('suggests nothing for a distant word', () => {
  expect(didYouMean('--frobnicate', NAMES)).toBe('')
  expect(didYouMean('', NAMES)).toBe('')
})
