/** Sessions that subscribed before their sign-in get each relationship once, after the response of AUTHENTICATE. */
import { setImmediate as turn } from 'node:timers/promises'
import { BridgeError } from '@sallyport/core/errors'
import type { Relationship } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { AwaitedRelationships } from '#daemon/src/events/providers/gateway/awaited-relationships.ts'
import { NO_PRESENCE, UserCache } from '#daemon/src/events/providers/gateway/cache/user-cache.ts'
import { Listener } from '#test/support/gateway-world.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const BOB: Relationship = { type: 1, user: { id: '6', username: 'bob', discriminator: '0', avatar: null } }

function world(read: () => Promise<readonly Relationship[] | undefined> = async () => [BOB]) {
  const log = new RecordingLog()
  const published: unknown[] = []
  const { session } = new Listener(1, '1')
  const other = new Listener(2, '1').session
  const awaited = new AwaitedRelationships({
    log,
    read,
    publish: ({ data, isRecipient }) => {
      published.push({ data, toIt: isRecipient(session), toOthers: isRecipient(other) })
      return 1
    },
  })
  return { awaited, log, published, session }
}

test('each is published once, a turn after the sign-in, to this session', async () => {
  const { awaited, published, session } = world()
  awaited.subscribed(session, 'RELATIONSHIP_UPDATE')
  awaited.signedIn(session)
  expect(published).toEqual([])
  await turn()
  awaited.signedIn(session)
  await turn()
  expect(published).toEqual([{ data: BOB, toIt: true, toOthers: false }])
})

test('nothing is published for other events, and to sessions that did not wait', async () => {
  const { awaited, published, session } = world()
  awaited.subscribed(session, 'ACTIVITY_JOIN')
  awaited.signedIn(session)
  await turn()
  expect(published).toEqual([])
})

test('a gateway that cannot be reached is logged', async () => {
  const { awaited, log, published, session } = world(() => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'ended')))
  awaited.subscribed(session, 'RELATIONSHIP_UPDATE')
  awaited.signedIn(session)
  await turn()
  expect(published).toEqual([])
  expect(log.text).toContain('relationships-not-read')
})

test('every relationship has a presence, which libraries read', () => {
  const users = new UserCache('1')
  users.update('READY', { relationships: [{ id: '6', type: 1, user: BOB.user }] })
  expect(users.relationships()).toMatchObject([{ type: 1, presence: NO_PRESENCE }])
})
