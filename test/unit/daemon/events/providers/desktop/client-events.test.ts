import { EVENTS, type EventRow } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import type { Session } from '#daemon/src/sessions/session.ts'
import {
  CLIENT_EVENTS,
  type ClientEventName,
  isClientEvent,
  matchesSubscription,
  canReceive,
  needsUser,
  dedupeKeyOf,
} from '#daemon/src/events/providers/desktop/client-events.ts'

const NAMES = Object.keys(CLIENT_EVENTS) as ClientEventName[]
const session = (userId: string | undefined, ...scopes: string[]): Session =>
  ({ signedIn: userId === undefined ? undefined : { userId }, scopes: new Set(scopes) }) as unknown as Session

describe('events of the desktop client', () => {
  test('can be subscribed, and require authentication exactly when their rows do', () => {
    for (const name of NAMES) {
      const row: EventRow = EVENTS[name]
      expect(row.delivery, name).toBe('subscription')
      const isOpen = row.requires.some((set) => set.every((scope) => scope === 'rpc.local'))
      expect(needsUser(name), name).toBe(!isOpen)
    }
    expect(isClientEvent('READY') || isClientEvent('LOBBY_MESSAGE_CREATE') || isClientEvent('toString')).toBe(false)
  })

  test('requests to a game are for any user; other events are for the user of the client, some also for sessions without sign-in', () => {
    const users = { user: '1', authenticated: '1' }
    expect(canReceive('AUTHORIZE_REQUEST', session('2'), users)).toBe(true)
    for (const name of ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'] as const) {
      expect([undefined, '1', '2'].map((userId) => canReceive(name, session(userId), users))).toEqual([true, true, false])
      expect(canReceive(name, session('2'), { user: undefined, authenticated: undefined })).toBe(true)
    }
    expect(canReceive('SPEAKING_START', session(undefined), users)).toBe(true)
    expect(canReceive('SPEAKING_START', session('1'), users)).toBe(true)
    expect(canReceive('SPEAKING_START', session('2'), users)).toBe(false)
    expect(canReceive('NOTIFICATION_CREATE', session('1'), users)).toBe(true)
    expect(canReceive('NOTIFICATION_CREATE', session('2'), users)).toBe(false)
    expect(canReceive('NOTIFICATION_CREATE', session(undefined), users)).toBe(false)
    expect(canReceive('NOTIFICATION_CREATE', session('1'), { user: '1', authenticated: undefined })).toBe(false)
  })

  test('data with another argument does not match the subscription', () => {
    expect(matchesSubscription({ channel_id: '1' }, { channel_id: '1' })).toBe(true)
    expect(matchesSubscription({ channel_id: '1' }, { channel_id: '2' })).toBe(false)
    expect(matchesSubscription({ channel_id: '1' }, { user: {} })).toBe(true)
    expect(matchesSubscription({ channel_id: null }, { channel_id: '2' })).toBe(true)
    expect(matchesSubscription({ guild_id: '1' }, { guild: { id: '2' } })).toBe(false)
    expect(matchesSubscription({ guild_id: '1' }, { guild: { id: '1' } })).toBe(true)
    expect(matchesSubscription({ pid: 1 }, { enabled: true })).toBe(true)
    expect(matchesSubscription({}, null)).toBe(true)
    expect(matchesSubscription({ channel_id: '1' }, 'text')).toBe(true)
  })

  test('an event that another provider may publish has the same dedupe key there; hostile data has none', () => {
    const entitlement = { id: '7', starts_at: null, ends_at: null }
    const account = { applicationId: '1', userId: '2' }
    expect(dedupeKeyOf('ENTITLEMENT_CREATE', account, { entitlement })).toBe(JSON.stringify(['1', '2', 'ENTITLEMENT_CREATE', '7']))
    expect(dedupeKeyOf('MESSAGE_CREATE', account, { message: { id: '8' } })).toBe(JSON.stringify(['1', '2', 'MESSAGE_CREATE', '8']))
    expect(dedupeKeyOf('MESSAGE_CREATE', account, { message: [] })).toBe(undefined)
    expect(dedupeKeyOf('ENTITLEMENT_CREATE', account, null)).toBe(undefined)
    expect(dedupeKeyOf('SPEAKING_START', account, {})).toBe(undefined)
    expect(dedupeKeyOf('MESSAGE_CREATE', undefined, { message: { id: '8' } })).toBe(undefined)
  })
})
