/** The first calls of most games make no schema, from signing in to messages of a lobby. */
import * as z from 'zod'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Game, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

let made = 0

beforeEach(() => {
  made = 0
  z.config({ postProcessor: () => (made += 1) })
})
afterEach(() => {
  z.config({ postProcessor: undefined })
})

const LOBBY = { id: '5', application_id: '1', metadata: null, members: [{ id: '1', metadata: null, flags: 0 }], linked_channel: null }
const AUTHOR = { id: '1', username: 'ada', discriminator: '0', avatar: null, global_name: 'Ada' }
const MESSAGE = { id: '6', type: 0, content: 'hello', lobby_id: '5', channel_id: '5', author: AUTHOR, flags: 0, application_id: '1' }

test('of a game that signs in', async () => {
  const bridge = testBridge()
  bridge.platform.replies.set('CREATE_OR_JOIN_LOBBY', () => LOBBY)
  bridge.platform.replies.set('SEND_LOBBY_MESSAGE', () => MESSAGE)
  const game = Game.connected(bridge, { contract: '1.0' })
  const calls: readonly (readonly [string, object, string?])[] = [
    ['AUTHENTICATE', { access_token: tokenOf(['identify', 'rpc', 'lobbies.write']) }],
    ['SUBSCRIBE', {}, 'ACTIVITY_JOIN'],
    ['SET_ACTIVITY', { pid: 1, activity: { state: 'in the docks', party: { id: 'party-1', size: [1, 4] }, secrets: { join: 'secret' } } }],
    ['CREATE_OR_JOIN_LOBBY', { secret: 's', lobby_metadata: { map: 'docks' } }],
    ['SEND_LOBBY_MESSAGE', { lobby_id: '5', content: 'hello' }],
    ['UNSUBSCRIBE', {}, 'ACTIVITY_JOIN'],
  ]
  for (const [name, args, evt] of calls) {
    const answer = await game.ask(name, args, evt)
    expect(answer, JSON.stringify(answer)).toMatchObject({ cmd: name, evt: null })
    expect(made, name).toBe(0)
  }
  // Shows that the count sees schemas.
  z.string()
  expect(made).toBe(1)
})
