import { BUDGETS } from '@sallyport/core/budgets'
import { expect, test } from 'vitest'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { jsonOf, OP, split } from '#test/support/frames.ts'

test('a connection over the limit of a program is closed with 4002; other programs can connect, and so can it after others close', () => {
  const bridge = testBridge()
  const most = BUDGETS.connectionsPerProgramWithoutGrant.value
  const games = Array.from({ length: most }, () => new Game(bridge))
  const last = (peer?: PeerIdentity) => {
    const { channel } = new Game(bridge, peer)
    const { frames } = split(channel.sent)
    return frames[0]?.opcode === OP.CLOSE ? jsonOf(frames[0].payload) : undefined
  }
  expect(last()).toMatchObject({ code: 4002, message: expect.stringContaining('close some first') as string })
  expect(last({ trust: 'origin', origin: 'https://own.example' })).toBeUndefined()
  games[0]?.receiver.onClose()
  expect(last()).toBeUndefined()
})
