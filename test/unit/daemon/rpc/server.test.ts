import { LIMITS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import type { PeerIdentity } from '../../../../daemon/src/ipc/transport/transport.ts'
import { Game, testBridge } from '../../../support/bridge.ts'
import { jsonOf, OP, split } from '../../../support/frames.ts'

test('one connection more than a program may have is closed with 4002 and a sentence, other programs find room, and it does when some go', () => {
  const bridge = testBridge()
  const most = LIMITS.connectionsOfProgram.value
  const games = Array.from({ length: most }, () => new Game(bridge))
  const last = (peer?: PeerIdentity) => {
    const { link } = new Game(bridge, peer)
    const { frames } = split(link.sent)
    return frames[0]?.opcode === OP.CLOSE ? jsonOf(frames[0].payload) : undefined
  }
  expect(last()).toMatchObject({ code: 4002, message: expect.stringContaining('close some first') as string })
  expect(last({ trust: 'origin', origin: 'https://own.example' })).toBeUndefined()
  games[0]?.receiver.onClose()
  expect(last()).toBeUndefined()
})
