import { describe, expect, test } from 'vitest'
import type { Session } from '#daemon/src/sessions/session.ts'
import type { EventProvider, ProviderName } from '#daemon/src/events/provider.ts'
import { EventProviders } from '#daemon/src/events/providers.ts'
import { EventRouting } from '#daemon/src/events/routing.ts'
import { type EventSelector, SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { settled } from '#test/support/fake-clock.ts'

class RecordingProvider implements EventProvider {
  readonly name: ProviderName
  readonly received: unknown[] = []
  constructor(name: ProviderName = 'invites') {
    this.name = name
  }
  async start() {
    this.received.push('start')
  }
  reconcile(desired: readonly EventSelector[]) {
    this.received.push(desired.map(({ name }) => name))
  }
  async stop() {
    this.received.push('stop')
  }
  health() {
    return { state: 'active' } as const
  }
}

const callers = (count: number): Session[] => {
  const bridge = testBridge()
  for (let index = 0; index < count; index++) Game.connected(bridge)
  return [...bridge.registry.all()]
}
const JOIN = { name: 'ACTIVITY_JOIN', args: {} }
const LINK = { name: 'AUTHORIZE_REQUEST', args: {} }

test('are reconciled at the start, once for many subscriptions, and not after the stop', async () => {
  const hub = new SubscriptionRegistry<Session>()
  const provider = new RecordingProvider()
  const providers = new EventProviders({ hub, routing: new EventRouting(), providers: [provider] })
  const [ann, bob] = callers(2) as [Session, Session]
  hub.subscribe(ann, JOIN)
  await providers.start()
  await settled()
  hub.subscribe(bob, LINK)
  hub.subscribe(bob, JOIN)
  hub.removeSubscriber(ann)
  await settled()
  hub.removeSubscriber(bob)
  await settled()
  await settled()
  expect(provider.received).toEqual(['start', ['ACTIVITY_JOIN'], ['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'], []])
  expect(providers.health()).toEqual([{ name: 'invites', state: 'active' }])
  await providers.stop()
  hub.subscribe(ann, JOIN)
  await settled()
  expect(provider.received.slice(4)).toEqual(['stop'])
})

const GUILD = { name: 'GUILD_STATUS', args: { guild_id: '7' } }

describe('a session that subscribed', () => {
  test('is reported to each provider before a route is asked to confirm', () => {
    const [ann] = callers(1) as [Session]
    const received: string[] = []
    const recording = (name: ProviderName): EventProvider =>
      Object.assign(new RecordingProvider(name), {
        onSubscribe: (_: Session, event: EventSelector) => received.push(`${name} ${event.name}`),
      })
    const poll = Object.assign(recording('guild-status-poll'), {
      routes: [{ name: 'poll', covers: () => received.push('covers') > 0 }],
    } as const)
    const hub = new SubscriptionRegistry<Session>()
    const confirmed = new EventProviders({ hub, routing: new EventRouting(), providers: [poll, recording('invites')] }).confirm(ann, GUILD)
    expect([confirmed, received]).toEqual([undefined, ['guild-status-poll GUILD_STATUS', 'invites GUILD_STATUS', 'covers']])
  })

  test('gets a value of a retained event after the response, however it ends', async () => {
    const bridge = testBridge()
    const { hub, registry } = bridge
    const game = Game.connected(bridge, { streams: true })
    const [ann] = registry.all() as [Session]
    ann.scopes = new Set(['rpc'])
    for (const end of [async () => 'confirmed' as const, () => Promise.reject(new Error('no such guild'))]) {
      hub.subscribe(ann, GUILD)
      const confirm = (): Promise<'confirmed'> => {
        hub.publish(GUILD, { online: 1 })
        return end()
      }
      const poll = Object.assign(new RecordingProvider(), { routes: [{ name: 'poll', covers: () => true, confirm }] } as const)
      const confirmed = new EventProviders({ hub, routing: new EventRouting(), providers: [poll] }).confirm(ann, GUILD)
      await confirmed?.catch(() => {})
      expect(game.received()).toEqual([])
      await settled()
      expect(game.received()).toMatchObject([{ evt: 'GUILD_STATUS', data: { online: 1 } }])
    }
  })
})

test('are reconciled once when what routes cover changed several times in a turn', async () => {
  const routing = new EventRouting()
  const provider = new RecordingProvider()
  const providers = new EventProviders({ hub: new SubscriptionRegistry<Session>(), routing, providers: [provider] })
  await providers.start()
  await settled()
  for (let times = 0; times < 3; times++) routing.changed.emit()
  await settled()
  expect(provider.received).toEqual(['start', [], []])
  await providers.stop()
  routing.changed.emit()
  await settled()
  expect(provider.received.slice(3)).toEqual(['stop'])
})

test('one that does not stop does not keep the others from stopping', async () => {
  const good = new RecordingProvider()
  const bad = Object.assign(new RecordingProvider(), { stop: () => Promise.reject(new Error('stuck')) })
  await expect(
    new EventProviders({ hub: new SubscriptionRegistry<Session>(), routing: new EventRouting(), providers: [good, bad] }).stop(),
  ).rejects.toThrow()
  expect(good.received).toEqual(['stop'])
})
