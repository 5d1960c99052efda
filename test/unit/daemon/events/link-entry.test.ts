import { expect, test } from 'vitest'
import { requestLink } from '../../../../daemon/src/events/link-entry.ts'
import { Game, testBridge } from '../../../support/bridge.ts'

test('reaches every session of the application that listens, and nobody else', () => {
  const bridge = testBridge()
  const game = (client_id: string) => Game.greeted(bridge, { client_id, streams: true })
  const [one, two, deaf, other] = [game('111'), game('111'), game('111'), game('222')]
  expect(requestLink(bridge.hub, '111')).toBe(0)
  for (const listener of [one, two, other]) listener.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
  expect(requestLink(bridge.hub, '111')).toBe(2)
  const event = { cmd: 'DISPATCH', evt: 'AUTHORIZE_REQUEST', data: null, nonce: null }
  expect([one, two, deaf, other].map((listener) => listener.heard())).toEqual([[event], [event], [], []])
})
