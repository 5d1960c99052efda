import { expect, test } from 'vitest'
import { requestAccountLink } from '#daemon/src/events/account-link.ts'
import { Game, testBridge } from '#test/support/bridge.ts'

test('reaches every subscribed session of the application, and no other session', {
  tags: ['5-25', '5-24', '4.3-11', '4.3-12', '9.1-23'],
}, () => {
  const bridge = testBridge()
  const game = (client_id: string) => Game.connected(bridge, { client_id, streams: true })
  const [one, two, deaf, other] = [game('111'), game('111'), game('111'), game('222')]
  expect(requestAccountLink(bridge.hub, '111')).toBe(0)
  for (const listener of [one, two, other]) listener.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
  expect(requestAccountLink(bridge.hub, '111')).toBe(2)
  const event = { cmd: 'DISPATCH', evt: 'AUTHORIZE_REQUEST', data: null, nonce: null }
  expect([one, two, deaf, other].map((listener) => listener.received())).toEqual([[event], [event], [], []])
  one.call('UNSUBSCRIBE', {}, 'AUTHORIZE_REQUEST')
  expect(requestAccountLink(bridge.hub, '111')).toBe(1)
})
