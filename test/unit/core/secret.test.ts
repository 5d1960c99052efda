import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'

const token = new Secret('hidden-token')

test.each([
  ['in text', () => [token].join()],
  ['added to text', () => `a${String(token)}`],
  ['as JSON', () => JSON.stringify({ token })],
  ['inspected', () => inspect({ a: { b: [token] } }, { depth: 9, showHidden: true })],
  ['formatted', () => format('%s %o %O %j', token, token, token, token)],
  ['by its keys', () => Object.entries(token).join()],
])('a secret is not seen %s', (_, show) => expect(show()).not.toContain('hidden'))

test('reveal returns the value', () => expect(token.reveal()).toBe('hidden-token'))
