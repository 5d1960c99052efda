/** One friends list of a game: who is in which group, and what events change. */
import { type Friend, friendsByGroup, withGameRelationship, withRelationship } from '@sallyport/client'
import { describe, expect, it } from 'vitest'

const GAME = '7'
const user = (id: string, username: string, global_name: string | null = null) => ({
  id,
  username,
  discriminator: '0',
  avatar: null,
  global_name,
})
const presence = (status: string, activity: object | null = null) => ({ presence: { status, activity } })
const game = (user_id: string, type = 1, username?: string) => ({
  id: user_id,
  application_id: GAME,
  type,
  user_id,
  ...(username === undefined ? {} : { user: user(user_id, username) }),
})
const PLAYING = { application_id: GAME, flags: 2, session_id: 's1', details: 'At sea' }
const names = (friends: readonly Friend[]) => friends.map(({ name }) => name)

const RELATIONSHIPS = {
  relationships: [
    { type: 1, user: user('1', 'zoe'), ...presence('dnd', PLAYING) },
    { type: 1, user: user('2', 'bob', 'Bob'), ...presence('online', { application_id: GAME, flags: 0 }) },
    { type: 1, user: user('3', 'cid'), ...presence('idle', { application_id: '8', flags: 2, session_id: 's3' }) },
    { type: 1, user: user('4', 'dan'), ...presence('online') },
    { type: 1, user: user('5', 'eve'), ...presence('offline') },
    { type: 1, user: user('6', 'fay') },
    { type: 2, user: user('10', 'gus'), ...presence('online', PLAYING) },
    { type: 3, user: user('11', 'hal') },
  ],
}

describe('friendsByGroup', () => {
  it('sorts friends by what they do, and leaves out requests and blocked users', () => {
    const { onlinePlayingGame, onlineElsewhere, offline, leftOut } = friendsByGroup(GAME, RELATIONSHIPS)
    expect([onlinePlayingGame, onlineElsewhere, offline].map(names)).toEqual([
      ['Bob', 'zoe'],
      ['cid', 'dan'],
      ['eve', 'fay'],
    ])
    expect(leftOut).toBe(0)
    expect(friendsByGroup(GAME, { relationships: [], left_out: 12 })).toEqual({
      onlinePlayingGame: [],
      onlineElsewhere: [],
      offline: [],
      leftOut: 12,
    })
  })

  it('says whose session of this game can be joined', () => {
    const { onlinePlayingGame, onlineElsewhere } = friendsByGroup(GAME, RELATIONSHIPS)
    expect(onlinePlayingGame.map(({ joinableSession }) => joinableSession)).toEqual([undefined, 's1'])
    expect(onlineElsewhere.map(({ joinableSession }) => joinableSession)).toEqual([undefined, undefined])
    expect(onlinePlayingGame[1]).toMatchObject({ status: 'dnd', activity: { details: 'At sea' } })
  })

  it('adds friends in the game once, with what the platform knows of them', () => {
    const list = friendsByGroup(GAME, RELATIONSHIPS, [game('1'), game('20', 1, 'ivy'), game('21'), game('22', 3), game('10')])
    expect(names(list.offline)).toEqual(['21', 'eve', 'fay', 'ivy'])
    expect(list.offline[3]).toMatchObject({ id: '20', isPlatformFriend: false, isGameFriend: true, status: 'offline' })
    expect(list.onlinePlayingGame[1]).toMatchObject({ id: '1', isPlatformFriend: true, isGameFriend: true })
    expect(list.onlinePlayingGame[0]).toMatchObject({ id: '2', isPlatformFriend: true, isGameFriend: false })
  })

  it('keeps a friend in the game out of the other groups until the platform says that both are friends', () => {
    const asked = { relationships: [{ type: 4, user: user('20', 'ivy'), ...presence('online', PLAYING) }] }
    expect(names(friendsByGroup(GAME, asked, [game('20')]).offline)).toEqual(['ivy'])
  })
})

describe('an event', () => {
  it('adds, changes and removes one relationship', () => {
    const added = withRelationship(RELATIONSHIPS, { type: 1, user: user('30', 'kim'), ...presence('online', PLAYING) })
    expect(names(friendsByGroup(GAME, added).onlinePlayingGame)).toEqual(['Bob', 'kim', 'zoe'])
    const gone = withRelationship(added, { type: 1, user: user('30', 'kim'), ...presence('offline') })
    expect(names(friendsByGroup(GAME, gone).offline)).toEqual(['eve', 'fay', 'kim'])
    expect(withRelationship(gone, { type: 0, user: user('30', 'kim') })).toEqual(RELATIONSHIPS)
  })

  it('adds and removes one relationship in the game', () => {
    const added = withGameRelationship([game('1')], game('2'))
    expect(added.map(({ user_id }) => user_id)).toEqual(['1', '2'])
    expect(withGameRelationship(added, game('1', 0)).map(({ user_id }) => user_id)).toEqual(['2'])
  })
})
