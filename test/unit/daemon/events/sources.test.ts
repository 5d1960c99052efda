import { describe, expect, test } from 'vitest'
import type { Session } from '../../../../daemon/src/sessions/session.ts'
import type { Source, SourceName } from '../../../../daemon/src/events/source.ts'
import { Sources } from '../../../../daemon/src/events/sources.ts'
import { type DesiredEvent, SubscriptionHub } from '../../../../daemon/src/events/hub.ts'
import { Game, testBridge } from '../../../support/bridge.ts'
import { settled } from '../../../support/fake-clock.ts'

class RecordingSource implements Source {
  readonly name: SourceName
  readonly heard: unknown[] = []
  constructor(name: SourceName = 'joins') {
    this.name = name
  }
  async start() {
    this.heard.push('start')
  }
  apply(desired: readonly DesiredEvent[]) {
    this.heard.push(desired.map(({ name }) => name))
  }
  async stop() {
    this.heard.push('stop')
  }
  health() {
    return { state: 'live' } as const
  }
}

const callers = (count: number): Session[] => {
  const bridge = testBridge()
  for (let index = 0; index < count; index++) Game.greeted(bridge)
  return [...bridge.registry.all()]
}
const JOIN = { name: 'ACTIVITY_JOIN', args: {} }
const LINK = { name: 'AUTHORIZE_REQUEST', args: {} }

test('are told at the start what is wanted, once for a crowd, and no more after the end', async () => {
  const hub = new SubscriptionHub<Session>()
  const source = new RecordingSource()
  const sources = new Sources(hub, [source])
  const [ann, bob] = callers(2) as [Session, Session]
  hub.subscribe(ann, JOIN)
  await sources.start()
  await settled()
  hub.subscribe(bob, LINK)
  hub.subscribe(bob, JOIN)
  hub.drop(ann)
  await settled()
  hub.drop(bob)
  await settled()
  await settled()
  expect(source.heard).toEqual(['start', ['ACTIVITY_JOIN'], ['ACTIVITY_JOIN', 'AUTHORIZE_REQUEST'], []])
  expect(sources.health()).toEqual([{ name: 'joins', state: 'live' }])
  await sources.stop()
  hub.subscribe(ann, JOIN)
  await settled()
  expect(source.heard.slice(4)).toEqual(['stop'])
})

/** Takes some events, and hears of every subscription. */
class WelcomingSource extends RecordingSource {
  readonly #takes: readonly string[]
  readonly #answer: (name: SourceName) => Promise<void>
  constructor(name: SourceName, takes: readonly string[], answer: (name: SourceName) => Promise<void>) {
    super(name)
    this.#takes = takes
    this.#answer = answer
  }
  subscribed(_: Session, { name }: DesiredEvent) {
    this.heard.push(name)
  }
  welcome(_: Session, { name }: DesiredEvent) {
    return this.#takes.includes(name) ? this.#answer(this.name) : undefined
  }
}
const GUILD = { name: 'GUILD_STATUS', args: { guild_id: '7' } }

describe('a session that subscribed', () => {
  const everything = [GUILD.name, JOIN.name]
  const orders: readonly (readonly SourceName[])[] = [
    ['joins', 'webhooks', 'gateway', 'desktop-client', 'guild-status-poll'],
    ['guild-status-poll', 'desktop-client', 'gateway', 'webhooks', 'joins'],
    ['desktop-client', 'guild-status-poll', 'joins', 'gateway', 'webhooks'],
  ]

  test.each<{ takes: Partial<Record<SourceName, readonly string[]>>; event: DesiredEvent; by: readonly SourceName[] }>([
    { takes: { gateway: everything, 'desktop-client': everything, 'guild-status-poll': everything }, event: GUILD, by: ['gateway'] },
    { takes: { 'desktop-client': everything, 'guild-status-poll': everything }, event: GUILD, by: ['desktop-client'] },
    { takes: { 'guild-status-poll': everything, joins: everything, webhooks: everything }, event: GUILD, by: ['guild-status-poll'] },
    { takes: { gateway: everything, 'desktop-client': everything, joins: everything }, event: JOIN, by: ['desktop-client'] },
    { takes: { gateway: everything, 'guild-status-poll': everything, webhooks: everything }, event: JOIN, by: [] },
    { takes: {}, event: GUILD, by: [] },
  ])(
    'for $event.name is answered by $by, in whichever order the sources are given, and each of them learns of it',
    ({ takes, event, by }) => {
      const [ann] = callers(1) as [Session]
      for (const order of orders) {
        const answeredBy: SourceName[] = []
        const answer = async (name: SourceName): Promise<void> => void answeredBy.push(name)
        const all = order.map((name) => new WelcomingSource(name, takes[name] ?? [], answer))
        const welcomed = new Sources(new SubscriptionHub<Session>(), all).welcome(ann, event)
        expect([welcomed !== undefined, answeredBy]).toEqual([by.length > 0, by])
        expect(all.map(({ heard }) => heard)).toEqual(order.map(() => [event.name]))
      }
    },
  )
})

test('one that does not stop keeps no other from stopping', async () => {
  const good = new RecordingSource()
  const bad = Object.assign(new RecordingSource(), { stop: () => Promise.reject(new Error('stuck')) })
  await expect(new Sources(new SubscriptionHub<Session>(), [good, bad]).stop()).rejects.toThrow()
  expect(good.heard).toEqual(['stop'])
})
