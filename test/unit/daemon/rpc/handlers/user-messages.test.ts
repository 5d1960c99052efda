/** Direct messages: which calls use the platform and which use the history. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserMessage } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MessageHistory } from '#daemon/src/events/messages/history.ts'
import { storedHistory } from '#daemon/src/events/messages/stored-history.ts'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { dataHealth } from '#test/support/data-health.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { tokenOf } from '#test/support/tokens.ts'

const GRACE = '197038439483310086'
const ANN = '80351110224678912'
const APPLICATION = '1234567890'
const SCOPES = ['identify', 'dm_channels.messages.read', 'dm_channels.messages.write']
const EPOCH = 1_420_070_400_000

let directory: string
let clock: FakeClock
let history: MessageHistory
let bridge: TestBridge
let game: Game
let remote: UserMessage[]

const message = (age: number, content = `said ${age} s ago`): UserMessage => ({
  id: (BigInt(clock.now() - age * 1000 - EPOCH) << 22n).toString(),
  content,
  channel_id: '9',
  author: { id: GRACE, username: 'grace', discriminator: '0', avatar: null },
})
const asked = () => bridge.platform.calls.filter(({ name }) => name === 'GET_USER_MESSAGES').map(({ args }) => args)
const read = async (limit?: number) => {
  const { data } = await game.ask('GET_USER_MESSAGES', { user_id: GRACE, ...(limit === undefined ? {} : { limit }) })
  return (data as UserMessage[]).map(({ content }) => content)
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'messages-'))
  clock = new FakeClock()
  history = storedHistory({ health: dataHealth(directory), platform: 'test', clock, log: new RecordingLog() })
  // The file is open before the first call, so that no call waits longer than a test's turns of the event loop.
  await history.load({ applicationId: '0', userId: '0', peerId: '0' }, 1)
  bridge = testBridge({ clock, history, botToken: new Secret('Bot token') })
  game = Game.connected(bridge, { contract: '1.0' })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
  remote = [message(30), message(10), message(20)]
  bridge.platform.replies.set('GET_USER_MESSAGES', ({ args }) => remote.slice(0, Number(args['limit'])))
})
afterEach(async () => {
  await history.close()
  rmSync(directory, { recursive: true })
})

test('the first read comes from the platform, in order; the next from the history', { tags: ['4.3-17', '9.1-24'] }, async () => {
  expect(await read(3)).toEqual(['said 10 s ago', 'said 20 s ago', 'said 30 s ago'])
  expect(await read(2)).toEqual(['said 10 s ago', 'said 20 s ago'])
  expect(asked()).toEqual([{ user_id: GRACE, limit: 3 }])
})

test('more messages than stored, or after a minute, are fetched from the platform', { tags: ['4.3-17', '9.1-24'] }, async () => {
  remote = [message(30), message(20), message(10)]
  await read(3)
  await read(4)
  await read()
  expect(asked().map(({ limit }) => limit)).toEqual([3, 4])
  clock.advance(60_000)
  await read(2)
  expect(asked().map(({ limit }) => limit)).toEqual([3, 4, 2])
})

test('without a limit 200 messages are requested', async () => {
  await read()
  expect(asked()).toEqual([{ user_id: GRACE, limit: 200 }])
})

test('sent, edited and deleted messages appear without another request', { tags: ['1-9'] }, async () => {
  await read()
  const [sent, changed] = [message(0, 'sent'), { ...message(20), content: 'changed' }]
  bridge.platform.replies.set('SEND_USER_MESSAGE', () => sent)
  bridge.platform.replies.set('EDIT_USER_MESSAGE', () => changed)
  bridge.platform.replies.set('DELETE_USER_MESSAGE', () => null)
  expect((await game.ask('SEND_USER_MESSAGE', { user_id: GRACE, content: 'sent' })).data).toEqual(sent)
  await game.ask('EDIT_USER_MESSAGE', { user_id: GRACE, message_id: changed.id, content: 'changed' })
  expect((await game.ask('DELETE_USER_MESSAGE', { user_id: GRACE, message_id: message(10).id })).data).toBeNull()
  expect(await read()).toEqual(['sent', 'changed', 'said 30 s ago'])
  expect(asked()).toHaveLength(1)
})

test('a message that was sent before with the same key, and deleted since, does not come back', async () => {
  const [key, args] = ['0123456789abcdef0123456789abcdef', { user_id: GRACE, content: 'sent' }]
  const sent = message(0, 'sent')
  await read()
  bridge.platform.replies.set('SEND_USER_MESSAGE', () => sent)
  bridge.platform.replies.set('DELETE_USER_MESSAGE', () => null)
  await game.ask('SEND_USER_MESSAGE', args, undefined, { key })
  await game.ask('DELETE_USER_MESSAGE', { user_id: GRACE, message_id: sent.id })
  expect((await game.ask('SEND_USER_MESSAGE', args, undefined, { key })).data).toEqual(sent)
  expect(bridge.platform.calls.filter(({ name }) => name === 'SEND_USER_MESSAGE')).toHaveLength(1)
  expect(await read()).toEqual(['said 10 s ago', 'said 20 s ago', 'said 30 s ago'])
  expect(asked()).toHaveLength(2)
})

test('moderation metadata that the bot sets is read from the platform at once, for both users', async () => {
  const other = Game.connected(bridge, { contract: '1.0' })
  await other.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES, { userId: GRACE }) })
  await read()
  await other.ask('GET_USER_MESSAGES', { user_id: ANN })
  const moderated = { ...message(10), moderation_metadata: { verdict: 'mild' } }
  bridge.platform.replies.set('GET_CURRENT_APPLICATION', () => ({ id: APPLICATION, name: 'Dockside' }))
  bridge.platform.replies.set('UPDATE_USER_MESSAGE_MODERATION_METADATA', () => null)
  remote = [moderated]
  const args = { user_id_1: GRACE, user_id_2: ANN, message_id: moderated.id, metadata: { verdict: 'mild' } }
  expect(await game.ask('UPDATE_USER_MESSAGE_MODERATION_METADATA', args)).toMatchObject({ data: null })
  expect((await game.ask('GET_USER_MESSAGES', { user_id: GRACE })).data).toEqual([moderated])
  expect((await other.ask('GET_USER_MESSAGES', { user_id: ANN })).data).toEqual([moderated])
  expect(asked()).toHaveLength(4)
})

test('a rejected request changes nothing', async () => {
  await read()
  await game.ask('DELETE_USER_MESSAGE', { user_id: GRACE, message_id: message(10).id })
  expect(await read()).toHaveLength(3)
})

test('another user on the same connection does not see it', async () => {
  await read()
  await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES, { userId: '5' }) })
  remote = []
  expect(await read()).toEqual([])
  expect(asked()).toHaveLength(2)
})

test('the end of the account deletes it', async () => {
  await read()
  await bridge.accounts.apply({ applicationId: APPLICATION, userId: ANN }, 'revoked_by_user', 'The user unlinked.')
  game = Game.connected(bridge, { contract: '1.0' })
  await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
  await read()
  expect(asked()).toHaveLength(2)
})

test('requires the scope and a sign-in', async () => {
  await read()
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  expect(game.call('GET_USER_MESSAGES', { user_id: GRACE })).toMatchObject({ data: { code: 4006 } })
  expect(Game.connected(bridge).call('GET_USER_MESSAGES', { user_id: GRACE })).toMatchObject({ data: { code: 4006 } })
})
