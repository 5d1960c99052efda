import { expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '../../../../support/bridge.ts'

test('what needs the desktop client says so, by its own name', async () => {
  expect(await Game.greeted(testBridge()).ask('GET_USER', { id: '1' })).toMatchObject({
    evt: 'ERROR',
    data: { code: 1001, message: expect.stringMatching(/^GET_USER needs .*desktop client/) },
  })
})

test('its arguments are checked all the same', () => {
  expect(Game.greeted(testBridge()).call('GET_USER', { id: 5 })).toMatchObject({ data: { code: 4000, path: 'id' } })
})

test('a client that is there gets the arguments as they came, and its answer or refusal goes back', async () => {
  const bridge = testBridge()
  const { desktopClient } = bridge
  desktopClient.linked.add('1234567890')
  desktopClient.answer = async () => ({ id: '1', username: 'ann', extra: true })
  const game = Game.greeted(bridge)
  expect(await game.ask('GET_USER', { id: '1' })).toMatchObject({
    cmd: 'GET_USER',
    evt: null,
    data: { id: '1', username: 'ann', extra: true },
  })
  expect(desktopClient.calls).toEqual([{ applicationId: '1234567890', cmd: 'GET_USER', args: { id: '1' } }])
  desktopClient.answer = () => Promise.reject(new BridgeError('INVALID_USER', 'no such user'))
  expect(await game.ask('GET_USER', { id: '2' })).toMatchObject({ evt: 'ERROR', data: { code: 4010, message: 'no such user' } })
})

test('a client that does not answer in time is told of as everything else that is late', async () => {
  const bridge = testBridge()
  bridge.desktopClient.linked.add('1234567890')
  bridge.desktopClient.answer = () => new Promise(() => {})
  const game = Game.greeted(bridge)
  game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 250 })
  const nonce = game.begin('GET_USER', { id: '1' })
  if ('advance' in bridge.clock) (bridge.clock as { advance(ms: number): void }).advance(250)
  await new Promise((resolve) => setImmediate(resolve))
  expect(game.heard()).toMatchObject([{ nonce, evt: 'ERROR', data: { code: 1001 } }])
})

test('what exists only inside the client is not sent to it', () => {
  const bridge = testBridge()
  bridge.desktopClient.linked.add('1234567890')
  const game = Game.greeted(bridge)
  expect(game.call('SET_CONFIG', {})).toMatchObject({ evt: 'ERROR' })
  expect(bridge.desktopClient.calls).toEqual([])
})
