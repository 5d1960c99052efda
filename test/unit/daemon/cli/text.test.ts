import { expect, test } from 'vitest'
import { asText } from '#daemon/src/cli/text.ts'

test('plain data becomes indented lines', () => {
  expect(asText({ version: '1', ipc: ['/a', '/b'], none: [], user: null, sessions: [{ pid: 4, scopes: ['x'] }] })).toBe(
    ['version: 1', 'ipc: /a, /b', 'none: none', 'user: -', 'sessions:', '  -', '    pid: 4', '    scopes: x'].join('\n'),
  )
})

test('data cannot steer the terminal', () => {
  expect(asText({ name: 'a\u001b[2Jb\nc\u202e' })).toBe(String.raw`name: a\u{1b}[2Jb\u{a}c\u{202e}`)
})
