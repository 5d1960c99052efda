/** Several desktop clients run, and the user chose which of them show presence. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OutboundPresence } from '#daemon/src/presence/outbound-presence.ts'
import { desktopClientChannel } from '#daemon/src/events/providers/desktop/presence-channel.ts'
import type { Presence } from '#daemon/src/presence/sink.ts'
import { APPLICATION, clientWorld, type ClientWorld, settle } from '#test/support/client-world.ts'
import type { MemoryClient } from '#test/support/memory-client.ts'

const ANN = '80351110224678912'
const BOB = '197038439483310086'
const presence = (details: string, userId?: string): Presence => ({
  applicationId: APPLICATION,
  userId,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since: 0,
})
const SEA = presence('At sea')

describe('of two clients', () => {
  let world: ClientWorld
  let ann: MemoryClient
  let bob: MemoryClient
  let outbound: OutboundPresence

  beforeEach(async () => {
    world = await clientWorld(3)
    ;[ann, bob] = world.clients as [MemoryClient, MemoryClient]
    bob.ready = {
      ...bob.ready,
      config: { api_endpoint: '//canary.example.test/api' },
      user: { id: BOB, username: 'bob', discriminator: '0', avatar: null },
    }
    bob.appear()
    const channel = desktopClientChannel(world.provider)
    outbound = new OutboundPresence([channel], () => world.chosen.places)
    outbound.resend.on(() => outbound.show(SEA, SEA))
    await world.game()
  })
  afterEach(async () => {
    await world.provider.stop()
    expect(world.clock.pending).toBe(0)
  })

  const choose = async (...places: readonly string[]): Promise<void> => {
    world.chosen.places = places
    outbound.placesChanged()
    await settle()
  }
  const show = async (one: Presence | undefined = SEA): Promise<void> => {
    outbound.show(SEA, one)
    await settle()
  }
  /** The details of the last activity that a client has; a client shows nothing of an application that has left it. */
  const seen = (client: MemoryClient): string | undefined => {
    const open = client.peers.filter((peer) => !peer.isCutOff).at(-1)
    return (open?.calls.findLast(({ cmd }) => cmd === 'SET_ACTIVITY')?.args as { activity?: { details?: string } } | undefined)?.activity
      ?.details
  }
  const both = () => [seen(ann), seen(bob)]
  const BOB_ID = `${BOB}-canary`

  test('the first shows it while the user chose nothing, and the other is met once, by name', async () => {
    await show()
    expect(both()).toEqual(['At sea', undefined])
    expect(world.provider.clients.all()).toMatchObject([
      { id: ANN, username: 'ann', build: undefined, isRunning: true },
      { id: BOB_ID, username: 'bob', build: 'canary', isRunning: true },
    ])
    expect([bob.peers.length, bob.last.isCutOff, bob.last.asked]).toEqual([1, true, []])
    await show(presence('Ashore'))
    expect(bob.peers).toHaveLength(1)
  })

  test('the chosen one shows it at once, and the one that is not chosen any more shows nothing', async () => {
    await show()
    await choose(BOB_ID)
    expect(both()).toEqual([undefined, 'At sea'])
    expect(outbound.shownOn(SEA)).toEqual([BOB_ID])
    await choose(ANN)
    expect(both()).toEqual(['At sea', undefined])
    expect(outbound.shownOn(SEA)).toEqual([ANN])
    for (const places of [[BOB_ID], [ANN], [BOB_ID]]) await choose(...places)
    expect(both()).toEqual([undefined, 'At sea'])
    expect(bob.peers, 'it allows an application two connections a minute').toHaveLength(2)
  })

  test('both show it if both are chosen, and both follow the game', async () => {
    await choose(ANN, BOB_ID)
    await show()
    await show(presence('Ashore'))
    expect(both()).toEqual(['Ashore', 'Ashore'])
    expect(outbound.shownOn(SEA)).toEqual([ANN, BOB_ID])
    await show(undefined)
    outbound.show(SEA, undefined)
    await settle()
    expect(both()).toEqual([undefined, undefined])
  })

  test('neither shows it if only the account is chosen', async () => {
    await show()
    await choose('account')
    expect(both()).toEqual([undefined, undefined])
    expect(outbound.shownOn(SEA)).toEqual([])
  })

  test('a chosen one shows the presence of another user too, because its user said so', async () => {
    const hers = presence('At sea', ANN)
    world.chosen.places = [BOB_ID]
    outbound.show(hers, hers)
    outbound.resend.on(() => outbound.show(hers, hers))
    await settle()
    expect(both()).toEqual([undefined, 'At sea'])
  })

  test('a chosen one that starts later, or again, shows it', async () => {
    bob.vanish()
    await choose(BOB_ID)
    await show()
    expect(both()).toEqual([undefined, undefined])
    bob.appear()
    await world.pass(61_000, 1000)
    expect(both()).toEqual([undefined, 'At sea'])
    bob.vanish()
    bob.appear()
    await world.pass(61_000, 1000)
    expect(bob.peers.filter(({ isCutOff }) => !isCutOff).length).toBeGreaterThan(0)
    expect(seen(bob)).toBe('At sea')
  })

  test('a chosen one that closes its connections shows it again when it allows another one', async () => {
    await choose(BOB_ID)
    await show()
    for (const count of [1, 2]) {
      expect(bob.peers).toHaveLength(count)
      bob.last.receiver?.onClose()
      await world.pass(2_000, 100)
    }
    expect(bob.peers).toHaveLength(2)
    await world.pass(90_000, 1000)
    expect([bob.peers.length, bob.last.asked]).toEqual([3, ['SET_ACTIVITY']])
  })

  test('a chosen one goes on when the first client ends', async () => {
    await choose(ANN, BOB_ID)
    await show()
    ann.vanish()
    await world.pass(5_000, 500)
    expect(seen(bob)).toBe('At sea')
    expect(outbound.shownOn(SEA)).toEqual([BOB_ID])
  })

  test('one whose user changes is another one', async () => {
    await choose(BOB_ID)
    await show()
    expect(seen(bob)).toBe('At sea')
    const peer = bob.last
    peer.sendEvent('CURRENT_USER_UPDATE', { id: '7', username: 'eve', discriminator: '0', avatar: null })
    await settle()
    expect([peer.calls.at(-1)?.args, bob.peers.filter(({ isCutOff }) => !isCutOff)]).toEqual([{ pid: 12 }, [peer]])
    expect(world.provider.clients.all().map(({ id }) => id)).toEqual([ANN, '7-canary'])
  })

  test('the connections end with the game', async () => {
    await choose(ANN, BOB_ID)
    await show()
    world.bridge.registry.remove(world.sessionOf())
    await settle()
    expect([ann, bob].every((client) => client.peers.every(({ isCutOff }) => isCutOff))).toBe(true)
  })
})
