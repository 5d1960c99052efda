/** Two games of two users at one daemon: requests, friends, the presence of each other, and a block. */
import { ERRORS } from '@sallyport/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#test/support/frames.ts'
import { startWalked, type WalkedDaemon } from './support/walked-daemon.ts'
import type { RawClient } from './support/raw-client.ts'

const SCOPES = ['openid', 'sdk.social_layer', 'rpc', 'messages.read']

let daemon: WalkedDaemon
beforeAll(async () => {
  daemon = await startWalked()
})
afterAll(() => daemon?.stop())

interface Player {
  readonly game: RawClient
  readonly id: string
  ok(cmd: string, args?: object, evt?: string): Promise<unknown>
  code(cmd: string, args?: object): Promise<number | undefined>
  /** The data of the first event of this name that fits; others are passed over. */
  event(evt: string, fits?: (data: never) => boolean): Promise<unknown>
}

async function player(user: string): Promise<Player> {
  const game = await daemon.game(await daemon.token(SCOPES, { user }), { contract: '1.0', max_frame_bytes: 1_000_000 })
  const answer = async (cmd: string, args: object = {}, evt?: string): Promise<Message> => game.call(cmd, args, evt)
  return {
    game,
    id: daemon.state.users.find(({ username }) => username === user)?.id ?? '',
    async ok(cmd, args, evt) {
      const { evt: kind, data } = await answer(cmd, args, evt)
      expect(kind, `${cmd}: ${JSON.stringify(data)}`).not.toBe('ERROR')
      return data
    },
    code: async (cmd, args) => {
      const { evt, data } = await answer(cmd, args)
      return evt === 'ERROR' ? (data as { readonly code: number }).code : undefined
    },
    async event(evt, fits = () => true) {
      for (;;) {
        const message = await game.message()
        if (message.evt === evt && fits(message.data as never)) return message.data
      }
    },
  }
}

const ACTIVITY = {
  state: 'In a group',
  details: 'Competitive',
  party: { id: 'crew', size: [1, 4] },
  secrets: { join: 'join the crew' },
}

interface Shown {
  readonly type: number
  readonly user: { readonly id: string }
  readonly presence?: { readonly status: string; readonly activity?: { readonly details?: string } | null }
}

test('friends see what the other plays, and a block ends it', async () => {
  const [ada, mary] = await Promise.all([player('ada'), player('mary')])
  for (const one of [ada, mary]) await one.ok('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')
  const from = (who: Player, type: number) => (data: Shown) => data.type === type && data.user.id === who.id

  await ada.ok('SEND_FRIEND_REQUEST', { username: 'mary' })
  await mary.event('RELATIONSHIP_UPDATE', from(ada, 3))
  expect(await mary.ok('GET_RELATIONSHIPS')).toMatchObject({ relationships: [{ type: 3, user: { id: ada.id, username: 'ada' } }] })
  await mary.ok('CREATE_RELATIONSHIP', { user_id: ada.id })
  await ada.event('RELATIONSHIP_UPDATE', from(mary, 1))
  expect(await ada.ok('LIST_RELATIONSHIPS')).toMatchObject([{ type: 1, user: { username: 'mary' } }])

  await ada.ok('SET_ACTIVITY', { pid: process.pid, activity: ACTIVITY })
  const shows = (data: Shown): boolean => data.user.id === ada.id && data.presence?.activity?.details === ACTIVITY.details
  const seen = await mary.event('RELATIONSHIP_UPDATE', shows)
  expect(JSON.stringify(seen)).not.toContain(ACTIVITY.secrets.join)
  expect(await mary.ok('GET_RELATIONSHIPS')).toMatchObject({
    relationships: [{ type: 1, user: { id: ada.id }, presence: { activity: { details: ACTIVITY.details } } }],
  })
  await ada.ok('SET_ACTIVITY', { pid: process.pid, activity: null })
  await mary.event('RELATIONSHIP_UPDATE', (data: Shown) => data.user.id === ada.id && data.presence?.activity == null)

  await mary.ok('CREATE_RELATIONSHIP', { user_id: ada.id, type: 2 })
  await ada.event('RELATIONSHIP_UPDATE', from(mary, 0))
  expect(await ada.code('SEND_FRIEND_REQUEST', { username: 'mary' })).toBe(ERRORS.INVALID_PAYLOAD.code)
  expect(await ada.code('SEND_USER_MESSAGE', { user_id: mary.id, content: 'Ahoy' })).toBe(ERRORS.INVALID_PERMISSIONS.code)
  await mary.ok('REMOVE_RELATIONSHIP', { user_id: ada.id })
  await ada.ok('SEND_FRIEND_REQUEST', { username: 'mary' })
})

test('games of one application learn of its friends', async () => {
  const [ada, grace] = await Promise.all([player('ada'), player('grace')])
  await ada.ok('SUBSCRIBE', {}, 'GAME_RELATIONSHIP_UPDATE')
  await grace.ok('CREATE_GAME_RELATIONSHIP', { user_id: ada.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 3, user_id: grace.id, user: { username: 'grace' } })
  await ada.ok('CREATE_GAME_RELATIONSHIP', { user_id: grace.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 1 })
  expect(await grace.ok('GET_GAME_RELATIONSHIPS')).toMatchObject([{ type: 1, user_id: ada.id }])
  await grace.ok('REMOVE_GAME_RELATIONSHIP', { user_id: ada.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 0, user_id: grace.id })
})
