/** Two games of two users at one daemon: requests, friends, the presence of each other, and a block. */
import { ERRORS } from '@sallyport/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Player, player } from './support/player.ts'
import { startWalked, type WalkedDaemon } from './support/walked-daemon.ts'

let daemon: WalkedDaemon
beforeAll(async () => {
  daemon = await startWalked()
})
afterAll(() => daemon?.stop())

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
  const [ada, mary] = await Promise.all([player(daemon, 'ada'), player(daemon, 'mary')])
  for (const one of [ada, mary]) await one.ok('SUBSCRIBE', {}, 'RELATIONSHIP_UPDATE')
  const from = (who: Player, type: number) => (data: Shown) => data.type === type && data.user.id === who.id

  await ada.ok('SEND_FRIEND_REQUEST', { username: 'mary' })
  await mary.event('RELATIONSHIP_UPDATE', from(ada, 3))
  expect(await mary.ok('GET_RELATIONSHIPS')).toMatchObject({ relationships: [{ type: 3, user: { id: ada.id, username: 'ada' } }] })
  await mary.ok('CREATE_RELATIONSHIP', { user_id: ada.id })
  await ada.event('RELATIONSHIP_UPDATE', from(mary, 1))
  expect(await ada.ok('LIST_RELATIONSHIPS')).toContainEqual(expect.objectContaining({ type: 1, id: mary.id }))

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
  const [ada, grace] = await Promise.all([player(daemon, 'ada'), player(daemon, 'grace')])
  await ada.ok('SUBSCRIBE', {}, 'GAME_RELATIONSHIP_UPDATE')
  await grace.ok('CREATE_GAME_RELATIONSHIP', { user_id: ada.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 3, user_id: grace.id, user: { username: 'grace' } })
  await ada.ok('CREATE_GAME_RELATIONSHIP', { user_id: grace.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 1 })
  expect(await grace.ok('GET_GAME_RELATIONSHIPS')).toMatchObject([{ type: 1, user_id: ada.id }])
  await grace.ok('REMOVE_GAME_RELATIONSHIP', { user_id: ada.id })
  expect(await ada.event('GAME_RELATIONSHIP_UPDATE')).toMatchObject({ type: 0, user_id: grace.id })
})
