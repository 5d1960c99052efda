import { expect, test } from 'vitest'
import type { Caller } from '../../../../daemon/src/dispatch/caller.ts'
import type { Source } from '../../../../daemon/src/sources/source.ts'
import { Sources } from '../../../../daemon/src/sources/sources.ts'
import { type DesiredEvent, SubscriptionHub } from '../../../../daemon/src/subscriptions/hub.ts'
import { Game, testBridge } from '../../../support/bridge.ts'
import { settled } from '../../../support/fake-clock.ts'

class RecordingSource implements Source {
  readonly name: string
  readonly heard: unknown[] = []
  constructor(name = 'recording') {
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

const callers = (count: number): Caller[] => {
  const bridge = testBridge()
  for (let index = 0; index < count; index++) Game.greeted(bridge)
  return [...bridge.registry.all()]
}
const JOIN = { name: 'ACTIVITY_JOIN', args: {} }
const LINK = { name: 'AUTHORIZE_REQUEST', args: {} }

test('are told at the start what is wanted, once for a crowd, and no more after the end', async () => {
  const hub = new SubscriptionHub<Caller>()
  const source = new RecordingSource()
  const sources = new Sources(hub, [source])
  const [ann, bob] = callers(2) as [Caller, Caller]
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
  expect(sources.health()).toEqual([{ name: 'recording', state: 'live' }])
  await sources.stop()
  hub.subscribe(ann, JOIN)
  await settled()
  expect(source.heard.slice(4)).toEqual(['stop'])
})

test('welcome: the first source whose event it is', async () => {
  const welcoming: Source = Object.assign(new RecordingSource('welcoming'), {
    welcome: (_: Caller, event: DesiredEvent) => (event.name === JOIN.name ? Promise.resolve() : undefined),
  })
  const sources = new Sources(new SubscriptionHub<Caller>(), [new RecordingSource(), welcoming])
  const [ann] = callers(1) as [Caller]
  expect(sources.welcome(ann, LINK)).toBeUndefined()
  expect(sources.welcome(ann, JOIN)).toBeInstanceOf(Promise)
})

test('one that does not stop keeps no other from stopping', async () => {
  const good = new RecordingSource()
  const bad = Object.assign(new RecordingSource(), { stop: () => Promise.reject(new Error('stuck')) })
  await expect(new Sources(new SubscriptionHub<Caller>(), [good, bad]).stop()).rejects.toThrow()
  expect(good.heard).toEqual(['stop'])
})
