import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { desktopClientChannel } from '#daemon/src/events/providers/desktop/presence-channel.ts'
import type { DesktopClientProvider } from '#daemon/src/events/providers/desktop/provider.ts'
import { clientWorld, type ClientWorld, settle } from '#test/support/client-world.ts'
import { type FakeClock, settled } from '#test/support/fake-clock.ts'
import type { MemoryClient } from '#test/support/memory-client.ts'

const ANN = '80351110224678912'
const PRESENCE = {
  applicationId: '1234567890',
  userId: undefined,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details: 'At sea' }, secrets: undefined },
  since: 0,
}

describe('presence via the desktop client', () => {
  let clock: FakeClock
  let client: MemoryClient
  let provider: DesktopClientProvider
  let game: ClientWorld['game']

  beforeEach(async () => {
    ;({ clock, client, provider, game } = await clientWorld())
  })
  afterEach(() => provider.stop())

  test('starts the search for a client, and stays with one that restarts', async () => {
    const channel = desktopClientChannel(provider)
    const changes: boolean[] = []
    channel.changed.on(({ applicationId }) => changes.push(channel.canShow({ ...PRESENCE, applicationId }, undefined)))
    client.vanish()
    await game()
    channel.prepare?.(PRESENCE, PRESENCE)
    await settle()
    expect(channel.canShow(PRESENCE, undefined)).toBe(false)
    client.appear()
    clock.advance(200)
    await settle()
    expect(changes).toEqual([true])
    channel.show(PRESENCE, PRESENCE)
    await settle()
    expect(client.last.asked).toEqual(['SET_ACTIVITY'])

    client.vanish()
    expect(channel.canShow(PRESENCE, undefined)).toBe(true)
    client.appear()
    clock.advance(200)
    await settle()
    expect(client.last.asked).toEqual(['SET_ACTIVITY'])
    expect(changes).toEqual([true])

    client.vanish()
    for (let passed = 0; passed < 10_000; passed += 50) {
      clock.advance(50)
      await settled()
      await settled()
    }
    expect(changes).toEqual([true, false])
    channel.show(PRESENCE, undefined)
    channel.prepare?.(PRESENCE, undefined)
    expect(clock.pending).toBe(0)
  })

  test('is sent for its own user and for no user; the newest of both wins', async () => {
    const channel = desktopClientChannel(provider)
    let changes = 0
    channel.changed.on(() => changes++)
    await game()
    const [anonymous, ann, bob] = [undefined, ANN, '197038439483310086'].map((userId, since) => ({ ...PRESENCE, userId, since })) as [
      Presence,
      Presence,
      Presence,
    ]
    const able = (): boolean[] => [anonymous, ann, bob].map((player) => channel.canShow(player, undefined))
    client.ready = { ...client.ready, user: { id: ANN, username: 'ann' } }
    channel.prepare?.(anonymous, anonymous)
    await settle()
    expect([able(), provider.isConnected(ann), provider.isConnected(bob)]).toEqual([[true, true, false], true, false])

    for (const one of [anonymous, ann]) channel.show(one, one)
    channel.show(anonymous, anonymous)
    channel.show(anonymous, undefined)
    channel.prepare?.(anonymous, undefined)
    await settle()
    expect(client.last.asked).toEqual(['SET_ACTIVITY', 'SET_ACTIVITY'])

    changes = 0
    client.last.sendEvent('CURRENT_USER_UPDATE', { id: bob.userId, username: 'bob' })
    await settle()
    expect([changes, able()]).toEqual([1, [true, false, true]])
  })

  test('is not restored at a client that belongs to another user now', async () => {
    const channel = desktopClientChannel(provider)
    await game()
    const ann = { ...PRESENCE, userId: ANN }
    client.ready = { ...client.ready, user: { id: ANN, username: 'ann' } }
    channel.prepare?.(ann, ann)
    await settle()
    channel.show(ann, ann)
    let changes = 0
    channel.changed.on(() => changes++)
    client.vanish()
    client.ready = { ...client.ready, user: { id: '197038439483310086', username: 'bob' } }
    client.appear()
    clock.advance(200)
    await settle()
    expect([client.peers.length, client.last.asked, changes, channel.canShow(ann, undefined)]).toEqual([2, [], 1, false])
  })

  test('that is cleared is cleared at the client, for the process that showed it', async () => {
    await game()
    provider.prepare('1234567890', PRESENCE)
    await settle()
    provider.show('1234567890', PRESENCE)
    provider.show('1234567890', undefined)
    await settle()
    expect(client.last.calls.map(({ args }) => args)).toEqual([{ pid: 12, activity: { type: 0, details: 'At sea' } }, { pid: 12 }])
  })
})
