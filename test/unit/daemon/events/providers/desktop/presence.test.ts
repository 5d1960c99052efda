import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Presence } from '../../../../../../daemon/src/presence/sink.ts'
import { desktopClientCarrier } from '../../../../../../daemon/src/events/providers/desktop/presence-carrier.ts'
import type { DesktopClientSource } from '../../../../../../daemon/src/events/providers/desktop/source.ts'
import { clientWorld, type ClientWorld, quiet } from '../../../../../support/client-world.ts'
import { type FakeClock, settled } from '../../../../../support/fake-clock.ts'
import type { MemoryClient } from '../../../../../support/memory-client.ts'

const ANN = '80351110224678912'
const PRESENCE = {
  applicationId: '1234567890',
  userId: undefined,
  sessionId: 1,
  claimedPid: 12,
  stored: { activity: { name: '', type: 0, details: 'At sea' }, secrets: undefined },
  since: 0,
}

describe('presence by the desktop client', () => {
  let clock: FakeClock
  let client: MemoryClient
  let source: DesktopClientSource
  let game: ClientWorld['game']

  beforeEach(async () => {
    ;({ clock, client, source, game } = await clientWorld())
  })
  afterEach(() => source.stop())

  test('makes it look for a client, and stays with one that is away for a moment only', async () => {
    const carrier = desktopClientCarrier(source)
    const changes: boolean[] = []
    carrier.onChange((applicationId) => changes.push(carrier.canShow({ ...PRESENCE, applicationId })))
    client.vanish()
    await game()
    carrier.expect?.(PRESENCE, true)
    await quiet()
    expect(carrier.canShow(PRESENCE)).toBe(false)
    client.appear()
    clock.advance(200)
    await quiet()
    expect(changes).toEqual([true])
    carrier.show(PRESENCE, PRESENCE)
    await quiet()
    expect(client.last.asked).toEqual(['SET_ACTIVITY'])

    client.vanish()
    expect(carrier.canShow(PRESENCE)).toBe(true)
    client.appear()
    clock.advance(200)
    await quiet()
    expect(client.last.asked).toEqual(['SET_ACTIVITY'])
    expect(changes).toEqual([true])

    client.vanish()
    for (let passed = 0; passed < 10_000; passed += 50) {
      clock.advance(50)
      await settled()
      await settled()
    }
    expect(changes).toEqual([true, false])
    carrier.show(PRESENCE, undefined)
    carrier.expect?.(PRESENCE, false)
    expect(clock.pending).toBe(0)
  })

  test('of its own user, and of nobody who is known, goes by it; of the two the newest', async () => {
    const carrier = desktopClientCarrier(source)
    let changes = 0
    carrier.onChange(() => changes++)
    await game()
    const [nobody, ann, bob] = [undefined, ANN, '197038439483310086'].map((userId, since) => ({ ...PRESENCE, userId, since })) as [
      Presence,
      Presence,
      Presence,
    ]
    const able = (): boolean[] => [nobody, ann, bob].map((player) => carrier.canShow(player))
    client.ready = { ...client.ready, user: { id: ANN, username: 'ann' } }
    carrier.expect?.(nobody, true)
    await quiet()
    expect([able(), source.isLinked('1234567890', ANN), source.isLinked('1234567890', bob.userId)]).toEqual([
      [true, true, false],
      true,
      false,
    ])

    for (const one of [nobody, ann]) carrier.show(one, one)
    carrier.show(nobody, nobody)
    carrier.show(nobody, undefined)
    carrier.expect?.(nobody, false)
    await quiet()
    expect(client.last.asked).toEqual(['SET_ACTIVITY', 'SET_ACTIVITY'])

    changes = 0
    client.last.tell('CURRENT_USER_UPDATE', { id: bob.userId, username: 'bob' })
    await quiet()
    expect([changes, able()]).toEqual([1, [true, false, true]])
  })

  test('is not given back to a client that is another user’s now', async () => {
    const carrier = desktopClientCarrier(source)
    await game()
    const ann = { ...PRESENCE, userId: ANN }
    client.ready = { ...client.ready, user: { id: ANN, username: 'ann' } }
    carrier.expect?.(ann, true)
    await quiet()
    carrier.show(ann, ann)
    let changes = 0
    carrier.onChange(() => changes++)
    client.vanish()
    client.ready = { ...client.ready, user: { id: '197038439483310086', username: 'bob' } }
    client.appear()
    clock.advance(200)
    await quiet()
    expect([client.peers.length, client.last.asked, changes, carrier.canShow(ann)]).toEqual([2, [], 1, false])
  })

  test('that is taken back is taken back at the client, by the process that showed it', async () => {
    await game()
    source.expect('1234567890', true)
    await quiet()
    source.show('1234567890', PRESENCE)
    source.show('1234567890', undefined)
    await quiet()
    expect(client.last.calls.map(({ args }) => args)).toEqual([{ pid: 12, activity: { type: 0, details: 'At sea' } }, { pid: 12 }])
  })
})
