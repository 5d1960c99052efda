import { expect, test } from 'vitest'
import { type Stage, stepFor } from '#daemon/src/ipc/connection/machine.ts'

const NAMES = ['handshake', 'frame', 'close', 'ping', 'pong']

const TABLE: Record<Stage, readonly [string, string, string, string, string, other: string]> = {
  //         handshake, frame,      close,      ping,      pong,      anything else
  handshaking: ['accept', 'refuse', 'close', 'pong', 'ignore', 'refuse'],
  ready: ['refuse', 'dispatch', 'close', 'pong', 'pong-received', 'refuse'],
  closing: ['ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore'],
  closed: ['ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore'],
}

const CASES = Object.entries(TABLE).flatMap(([stage, row]) => [
  ...NAMES.map((name, opcode) => [stage as Stage, name, opcode, row[opcode]] as const),
  ...[5, 99, 0xffffffff].map((opcode) => [stage as Stage, `opcode ${opcode}`, opcode, row[5]] as const),
])

test.each(CASES)('%s: %s', (stage, _, opcode, expected) => {
  const step = stepFor(stage, opcode)
  expect(step.action).toBe(expected)
  if (step.action === 'refuse') {
    expect(step.code).toBe(1003)
    expect(step.reason).toMatch(/\w.*\.$/)
  }
})

test('each refusal names the violated rule', () => {
  const reasons = [stepFor('handshaking', 1), stepFor('ready', 0), stepFor('ready', 99)].map((step) =>
    'reason' in step ? step.reason : '',
  )
  expect(new Set(reasons).size).toBe(3)
})
