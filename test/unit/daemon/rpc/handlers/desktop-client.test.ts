import { expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

test('a command that needs the desktop client names the client in its error', async () => {
  expect(await Game.connected(testBridge()).ask('GET_APPLICATION_TICKET')).toMatchObject({
    evt: 'ERROR',
    data: { code: 1001, message: expect.stringMatching(/^GET_APPLICATION_TICKET needs .*desktop client/) },
  })
})

test('its arguments are validated', () => {
  expect(Game.connected(testBridge()).call('GET_USER', { id: 5 })).toMatchObject({ data: { code: 4000, path: 'id' } })
})

test('a connected client receives the arguments unchanged, and its result or error is returned', async () => {
  const bridge = testBridge()
  const { desktopClient } = bridge
  desktopClient.linked.add('1234567890')
  desktopClient.answer = async () => ({ id: '1', username: 'ann', extra: true })
  const game = Game.connected(bridge)
  expect(await game.ask('GET_USER', { id: '1' })).toMatchObject({
    cmd: 'GET_USER',
    evt: null,
    data: { id: '1', username: 'ann', extra: true },
  })
  expect(desktopClient.calls).toEqual([{ applicationId: '1234567890', cmd: 'GET_USER', args: { id: '1' } }])
  desktopClient.answer = () => Promise.reject(new BridgeError('INVALID_USER', 'no such user'))
  expect(await game.ask('GET_USER', { id: '2' })).toMatchObject({ evt: 'ERROR', data: { code: 4010, message: 'no such user' } })
})

test('relationships.read opens the relationships of the user, and nothing else does', { tags: ['5-7'] }, async () => {
  const bridge = testBridge()
  bridge.desktopClient.linked.add('1234567890')
  const relationships = [{ type: 1, user: { id: '2', username: 'ben' } }]
  bridge.desktopClient.answer = async () => ({ relationships })
  const signedIn = async (scope: string): Promise<Game> => {
    const game = Game.connected(bridge)
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', scope]) })
    return game
  }
  const refusal = { data: { code: 4006, message: expect.stringContaining('relationships.read') } }
  const [other, reader] = [await signedIn('guilds'), await signedIn('relationships.read')]
  expect(await other.ask('GET_RELATIONSHIPS')).toMatchObject(refusal)
  expect(await other.ask('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')).toMatchObject(refusal)
  expect(await reader.ask('GET_RELATIONSHIPS')).toMatchObject({ evt: null, data: { relationships } })
  expect(await reader.ask('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')).toMatchObject({ evt: null })
})

test('a client that does not respond in time causes the error of every deadline', async () => {
  const bridge = testBridge()
  bridge.desktopClient.linked.add('1234567890')
  bridge.desktopClient.answer = () => new Promise(() => {})
  const game = Game.connected(bridge)
  game.call('SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 250 })
  const nonce = game.begin('GET_USER', { id: '1' })
  if ('advance' in bridge.clock) (bridge.clock as { advance(ms: number): void }).advance(250)
  await new Promise((resolve) => setImmediate(resolve))
  expect(game.received()).toMatchObject([{ nonce, evt: 'ERROR', data: { code: 1001 } }])
})

test('a command for embedded activities is not sent to the client', () => {
  const bridge = testBridge()
  bridge.desktopClient.linked.add('1234567890')
  const game = Game.connected(bridge)
  expect(game.call('SET_CONFIG', {})).toMatchObject({ evt: 'ERROR' })
  expect(bridge.desktopClient.calls).toEqual([])
})
