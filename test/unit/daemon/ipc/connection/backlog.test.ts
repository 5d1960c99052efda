import { expect, test } from 'vitest'
import { backlogOf } from '#daemon/src/ipc/connection/backlog.ts'

const HIGH = 256 * 1024
const LIMIT = 4 * 1024 * 1024

test.each([
  [0, 'flowing'],
  [HIGH, 'flowing'],
  [HIGH + 1, 'congested'],
  [LIMIT, 'congested'],
  [LIMIT + 1, 'overflowing'],
] as const)('%d unsent bytes: %s', (bytes, backlog) => {
  expect(backlogOf(bytes)).toBe(backlog)
})
