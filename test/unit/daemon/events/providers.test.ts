import { describe, expect, test } from 'vitest'
import type { Session } from '../../../../daemon/src/sessions/session.ts'
import type { EventProvider, ProviderName } from '../../../../daemon/src/events/provider.ts'
import { EventProviders } from '../../../../daemon/src/events/providers.ts'
import { type EventSelector, SubscriptionRegistry } from '../../../../daemon/src/events/subscription-registry.ts'
import { Game, testBridge } from '../../../support/bridge.ts'
import { settled } from '../../../support/fake-clock.ts'

class RecordingSource implements EventProvider {
  readonly name: ProviderName
  readonly heard: unknown[] = []
  constructor(name: ProviderName = 'joins') {
    this.name = name
  }
  async start() {
    this.heard.push('start')
  }
  reconcile(desired: readonly EventSelector[]) {
    this.heard.push(desired.map(({ name }) => name))
  }
  async stop() {
    this.heard.push('stop')
  }
  health() {
    return { state: 'active' } as const
  }
}

const callers = (count: number): Session[] => {
  const bridge = testBridge()
  for (let index = 0; index < count; index++) Game.greeted(bridge)
  return [...bridge.registry.all()]
}
const JOIN = { name: 'ACTIVITY_JOIN', args: {} }
const LINK = { name: 'AUTHORIZE_REQUEST', args: {} }

test('are reconciled at the start, once for many subscriptions, and not after the stop', async () => {
  const hub = new SubscriptionRegistry<Session>()
  const provider = new RecordingSource()
  const providers = new EventProviders(hub, [provider])
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
  expect(provider.heard).toEqual(['start', ['ACTIVITY_JOIN'], ['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'], []])
  expect(providers.health()).toEqual([{ name: 'joins', state: 'active' }])
  await providers.stop()
  hub.subscribe(ann, JOIN)
  await settled()
  expect(provider.heard.slice(4)).toEqual(['stop'])
})

/** Confirms some events, and records every subscription. */
class WelcomingSource extends RecordingSource {
  readonly #takes: readonly string[]
  readonly #answer: (name: ProviderName) => Promise<void>
  constructor(name: ProviderName, takes: readonly string[], answer: (name: ProviderName) => Promise<void>) {
    super(name)
    this.#takes = takes
    this.#answer = answer
  }
  onSubscribe(_: Session, { name }: EventSelector) {
    this.heard.push(name)
  }
  confirm(_: Session, { name }: EventSelector) {
    return this.#takes.includes(name) ? this.#answer(this.name) : undefined
  }
}
const GUILD = { name: 'GUILD_STATUS', args: { guild_id: '7' } }

describe('a session that subscribed', () => {
  const everything = [GUILD.name, JOIN.name]
  const orders: readonly (readonly ProviderName[])[] = [
    ['joins', 'webhooks', 'gateway', 'desktop-client', 'guild-status-poll'],
    ['guild-status-poll', 'desktop-client', 'gateway', 'webhooks', 'joins'],
    ['desktop-client', 'guild-status-poll', 'joins', 'gateway', 'webhooks'],
  ]

  test.each<{ takes: Partial<Record<ProviderName, readonly string[]>>; event: EventSelector; by: readonly ProviderName[] }>([
    { takes: { gateway: everything, 'desktop-client': everything, 'guild-status-poll': everything }, event: GUILD, by: ['gateway'] },
    { takes: { 'desktop-client': everything, 'guild-status-poll': everything }, event: GUILD, by: ['desktop-client'] },
    { takes: { 'guild-status-poll': everything, joins: everything, webhooks: everything }, event: GUILD, by: ['guild-status-poll'] },
    { takes: { gateway: everything, 'desktop-client': everything, joins: everything }, event: JOIN, by: ['desktop-client'] },
    { takes: { gateway: everything, 'guild-status-poll': everything, webhooks: everything }, event: JOIN, by: [] },
    { takes: {}, event: GUILD, by: [] },
  ])('for $event.name is confirmed by $by, in any order of providers, and reported to each provider', ({ takes, event, by }) => {
    const [ann] = callers(1) as [Session]
    for (const order of orders) {
      const answeredBy: ProviderName[] = []
      const answer = async (name: ProviderName): Promise<void> => void answeredBy.push(name)
      const all = order.map((name) => new WelcomingSource(name, takes[name] ?? [], answer))
      const welcomed = new EventProviders(new SubscriptionRegistry<Session>(), all).confirm(ann, event)
      expect([welcomed !== undefined, answeredBy]).toEqual([by.length > 0, by])
      expect(all.map(({ heard }) => heard)).toEqual(order.map(() => [event.name]))
    }
  })
})

test('one that does not stop does not keep the others from stopping', async () => {
  const good = new RecordingSource()
  const bad = Object.assign(new RecordingSource(), { stop: () => Promise.reject(new Error('stuck')) })
  await expect(new EventProviders(new SubscriptionRegistry<Session>(), [good, bad]).stop()).rejects.toThrow()
  expect(good.heard).toEqual(['stop'])
})
