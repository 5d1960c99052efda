import { EVENTS, type EventRow } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../../../../../daemon/src/sessions/session.ts'
import {
  CLIENT_EVENTS,
  type ClientEventName,
  isClientEvent,
  isForClient,
  mayBeFor,
  mayHear,
  needsUser,
  newsKeyOf,
} from '../../../../../../daemon/src/events/providers/desktop/client-events.ts'

const NAMES = Object.keys(CLIENT_EVENTS) as ClientEventName[]
const caller = (userId: string | undefined, ...scopes: string[]): Session =>
  ({ signedIn: userId === undefined ? undefined : { userId }, scopes: new Set(scopes) }) as unknown as Session

describe('events of the desktop client', () => {
  test('are such as can be subscribed, and wait for a sign-in just when their rows do', () => {
    for (const name of NAMES) {
      const row: EventRow = EVENTS[name]
      expect(row.delivery, name).toBe('subscription')
      const isOpen = row.requires.some((set) => set.every((scope) => scope === 'rpc.local'))
      expect(needsUser(name), name).toBe(!isOpen)
    }
    expect(isClientEvent('READY') || isClientEvent('LOBBY_MESSAGE_CREATE') || isClientEvent('toString')).toBe(false)
  })

  test('what the client asks of a game is for whoever plays it; the rest is for its user, and in part for nobody who is known', () => {
    const users = { user: '1', authenticated: '1' }
    expect(mayHear('AUTHORIZE_REQUEST', caller('2'), users)).toBe(true)
    for (const name of ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'] as const) {
      expect([undefined, '1', '2'].map((userId) => mayHear(name, caller(userId), users))).toEqual([true, true, false])
      expect(mayHear(name, caller('2'), { user: undefined, authenticated: undefined })).toBe(true)
    }
    expect(mayHear('SPEAKING_START', caller(undefined), users)).toBe(true)
    expect(mayHear('SPEAKING_START', caller('1'), users)).toBe(true)
    expect(mayHear('SPEAKING_START', caller('2'), users)).toBe(false)
    expect(mayHear('NOTIFICATION_CREATE', caller('1'), users)).toBe(true)
    expect(mayHear('NOTIFICATION_CREATE', caller('2'), users)).toBe(false)
    expect(mayHear('NOTIFICATION_CREATE', caller(undefined), users)).toBe(false)
    expect(mayHear('NOTIFICATION_CREATE', caller('1'), { user: '1', authenticated: undefined })).toBe(false)
  })

  test('how guilds stand comes from the client only where nobody else says it', () => {
    expect(isForClient('GUILD_STATUS', caller('1', 'rpc'))).toBe(true)
    expect(isForClient('GUILD_STATUS', caller('1', 'rpc', 'guilds'))).toBe(false)
    expect(isForClient('GUILD_STATUS', caller('1', 'identify'))).toBe(false)
  })

  test('data that names something else than the subscription does is not for it', () => {
    expect(mayBeFor({ channel_id: '1' }, { channel_id: '1' })).toBe(true)
    expect(mayBeFor({ channel_id: '1' }, { channel_id: '2' })).toBe(false)
    expect(mayBeFor({ channel_id: '1' }, { user: {} })).toBe(true)
    expect(mayBeFor({ channel_id: null }, { channel_id: '2' })).toBe(true)
    expect(mayBeFor({ guild_id: '1' }, { guild: { id: '2' } })).toBe(false)
    expect(mayBeFor({ guild_id: '1' }, { guild: { id: '1' } })).toBe(true)
    expect(mayBeFor({ pid: 1 }, { enabled: true })).toBe(true)
    expect(mayBeFor({}, null)).toBe(true)
    expect(mayBeFor({ channel_id: '1' }, 'text')).toBe(true)
  })

  test('news that another source may bring has the same key there, hostile data none', () => {
    const entitlement = { id: '7', starts_at: null, ends_at: null }
    expect(newsKeyOf('ENTITLEMENT_CREATE', '1', '2', { entitlement })).toBe(JSON.stringify(['1', '2', 'ENTITLEMENT_CREATE', '7']))
    expect(newsKeyOf('MESSAGE_CREATE', '1', '2', { message: { id: '8' } })).toBe(JSON.stringify(['1', '2', 'MESSAGE_CREATE', '8']))
    expect(newsKeyOf('MESSAGE_CREATE', '1', '2', { message: [] })).toBe(undefined)
    expect(newsKeyOf('ENTITLEMENT_CREATE', '1', '2', null)).toBe(undefined)
    expect(newsKeyOf('SPEAKING_START', '1', '2', {})).toBe(undefined)
    expect(newsKeyOf('MESSAGE_CREATE', '1', undefined, { message: { id: '8' } })).toBe(undefined)
  })
})
