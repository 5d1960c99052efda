import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { programAt, world } from '../accounting/programs.ts'
import { type EventSelector, type Subscriber, SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'

class Listener implements Subscriber {
  readonly scopes = new Set<string>(['rpc.local'])
  readonly got: string[] = []
  encoded = 0
  readonly connection: Subscriber['connection']

  constructor(encoding = 'json') {
    this.connection = {
      encoding: { name: encoding },
      encodeEvent: (name, data) => {
        this.encoded++
        return Buffer.from(`${encoding} ${name} ${JSON.stringify(data)}`)
      },
      deliver: (frame) => this.got.push(frame.toString()),
    }
  }
}

const JOIN: EventSelector = { name: 'ACTIVITY_JOIN', args: {} }
const guild = (guild_id: string): EventSelector => ({ name: 'GUILD_STATUS', args: { guild_id } })

describe('an event', () => {
  test('reaches its subscribers only, and returns their number', () => {
    const hub = new SubscriptionRegistry()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    expect(hub.publish(JOIN, { secret: 's' })).toBe(1)
    expect(ann.got).toEqual(['json ACTIVITY_JOIN {"secret":"s"}'])
    expect(bob.got).toEqual([])
  })
  test('reaches only subscriptions with the same arguments', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    ann.scopes.add('rpc')
    hub.subscribe(ann, guild('1'))
    expect(hub.publish(guild('2'), {})).toBe(0)
    expect(hub.publish(guild('1'), {})).toBe(1)
  })
  test('is encoded once per encoding', () => {
    const hub = new SubscriptionRegistry()
    const all = [new Listener(), new Listener(), new Listener('msgpack'), new Listener('msgpack')]
    for (const one of all) hub.subscribe(one, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(4)
    expect(all.map(({ encoded }) => encoded)).toEqual([1, 0, 1, 0])
    expect(all.map(({ got }) => got[0]?.split(' ')[0])).toEqual(['json', 'json', 'msgpack', 'msgpack'])
  })
  test('does not reach a subscriber without the scope, and reaches it again with the scope', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    ann.scopes.add('rpc')
    hub.subscribe(ann, guild('1'))
    ann.scopes.delete('rpc')
    expect(hub.publish(guild('1'), {})).toBe(0)
    ann.scopes.add('rpc')
    expect(hub.publish(guild('1'), {})).toBe(1)
  })
  test('that removes a subscriber during publication still reaches the others', () => {
    const hub = new SubscriptionRegistry()
    const [ann, bob] = [new Listener(), new Listener()]
    ann.connection.deliver = () => hub.removeSubscriber(ann)
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.publish(JOIN, 1)
    expect(bob.got).toHaveLength(1)
    expect(hub.publish(JOIN, 2)).toBe(1)
  })
})

describe('the change listener', () => {
  test('is called for the first subscription and the last removal only', () => {
    const hub = new SubscriptionRegistry()
    const received: number[] = []
    hub.changed.on(() => received.push(hub.selectors().length))
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.unsubscribe(ann, JOIN)
    expect(received).toEqual([1])
    hub.removeSubscriber(bob)
    hub.unsubscribe(bob, JOIN)
    expect(received).toEqual([1, 0])
  })
  test('is called when the scopes of a subscriber change', () => {
    const hub = new SubscriptionRegistry()
    let received = 0
    hub.changed.on(() => received++)
    const ann = new Listener()
    hub.scopesChanged(ann)
    expect(received).toBe(0)
    hub.subscribe(ann, JOIN)
    hub.scopesChanged(ann)
    expect(received).toBe(2)
  })
})

test('an event can be limited to some subscribers', () => {
  const hub = new SubscriptionRegistry<Listener>()
  const [ann, bob] = [new Listener(), new Listener()]
  for (const one of [ann, bob]) hub.subscribe(one, JOIN)
  expect(hub.subscribersOf(JOIN)).toEqual([ann, bob])
  expect(hub.publish(JOIN, 1, (one) => one === bob)).toBe(1)
  expect([ann.got.length, bob.got.length]).toEqual([0, 1])
  expect(hub.subscribersOf(guild('1'))).toEqual([])
})

describe('an event with an optional argument', () => {
  const message = (lobby_id?: string | null): EventSelector => ({ name: 'LOBBY_MESSAGE_CREATE', args: { lobby_id } })
  const player = (encoding?: string): Listener => {
    const one = new Listener(encoding)
    one.scopes.add('lobbies.write')
    return one
  }
  test('reaches subscriptions with this argument and without it, and a session with both once', () => {
    const hub = new SubscriptionRegistry()
    const [one, all, both, other] = [player(), player(), player(), player()]
    for (const who of [one, both]) hub.subscribe(who, message('30'))
    hub.subscribe(other, message('31'))
    hub.subscribe(all, message())
    hub.subscribe(both, message(null))
    expect(hub.publish(message('30'), 1)).toBe(3)
    expect([one, all, both, other].map(({ got }) => got.length)).toEqual([1, 1, 1, 0])
  })
  test('without the argument reaches only subscriptions without it', () => {
    const hub = new SubscriptionRegistry()
    const [one, all] = [player(), player()]
    hub.subscribe(one, message('30'))
    hub.subscribe(all, message())
    expect(hub.publish(message(), 1)).toBe(1)
    expect([one.got.length, all.got.length]).toEqual([0, 1])
  })
  test('still reaches a session that removed one of both subscriptions', () => {
    const hub = new SubscriptionRegistry()
    const both = player()
    hub.subscribe(both, message('30'))
    hub.subscribe(both, message())
    hub.unsubscribe(both, message('30'))
    expect(hub.publish(message('30'), 1)).toBe(1)
    hub.unsubscribe(both, message())
    expect(hub.publish(message('30'), 1)).toBe(0)
  })
})

test('an event for a thousand subscribers is encoded once per encoding', () => {
  const hub = new SubscriptionRegistry()
  const crowd = Array.from({ length: 1000 }, (_, index) => new Listener(index % 3 === 0 ? 'msgpack' : 'json'))
  for (const one of crowd) {
    one.scopes.add('rpc')
    hub.subscribe(one, guild('1'))
  }
  expect(hub.publish(guild('1'), { online: 5 })).toBe(1000)
  expect(crowd.reduce((sum, { encoded }) => sum + encoded, 0)).toBe(2)
  expect(new Set(crowd.flatMap(({ got }) => got)).size).toBe(2)
  expect(crowd.every(({ got }) => got.length === 1)).toBe(true)
})

describe('arguments', () => {
  test('that are null equal missing ones, and their order does not matter', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    ann.scopes.add('rpc')
    const selector = (args: object): EventSelector => ({ name: 'VOICE_CONNECTION_STATUS', args })
    hub.subscribe(ann, selector({ channel_id: null }))
    hub.subscribe(ann, selector({}))
    hub.subscribe(ann, selector({ channel_id: undefined }))
    expect(hub.selectors()).toHaveLength(1)
    expect(hub.publish(selector({}), 1)).toBe(1)
    hub.unsubscribe(ann, selector({}))
    expect(hub.selectors()).toEqual([])
    hub.subscribe(ann, selector({ a: '1', b: '2' }))
    expect(hub.publish(selector({ b: '2', a: '1' }), 1)).toBe(1)
    expect(hub.publish(selector({ a: '1' }), 1)).toBe(0)
    expect(hub.publish(selector({}), 1)).toBe(0)
  })
})

describe('a subscription', () => {
  test('made twice is one, and is removed at once', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    hub.subscribe(ann, JOIN)
    hub.subscribe(ann, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(1)
    expect(ann.got).toHaveLength(1)
    hub.unsubscribe(ann, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(0)
  })
  test('is removed by its undo function, which keeps a later subscription', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    const refused = hub.subscribe(ann, JOIN)
    hub.unsubscribe(ann, JOIN)
    const again = hub.subscribe(ann, JOIN)
    refused()
    expect(hub.selectorsOf(ann)).toEqual([JOIN])
    again()
    expect(hub.selectors()).toEqual([])
  })
  test('that is repeated and then undone stays; it ends when all calls are undone', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    const first = hub.subscribe(ann, JOIN)
    hub.subscribe(ann, JOIN)()
    expect(hub.publish(JOIN, 1)).toBe(1)
    const third = hub.subscribe(ann, JOIN)
    first()
    expect(hub.publish(JOIN, 1)).toBe(1)
    third()
    expect(hub.publish(JOIN, 1)).toBe(0)
    hub.subscribe(ann, JOIN)
    hub.subscribe(ann, JOIN)
    hub.unsubscribe(ann, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(0)
  })

  test('that does not exist can be removed, without effect on others', () => {
    const hub = new SubscriptionRegistry()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.unsubscribe(bob, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(1)
  })
  test('is in the list until its last subscriber is removed', () => {
    const hub = new SubscriptionRegistry()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.subscribe(bob, guild('1'))
    expect(hub.selectors()).toEqual([JOIN, guild('1')])
    expect(hub.selectorsOf(bob)).toEqual([JOIN, guild('1')])
    expect(hub.selectorsOf(ann)).toEqual([JOIN])
    hub.removeSubscriber(bob)
    expect(hub.selectors()).toEqual([JOIN])
    expect(hub.selectorsOf(bob)).toEqual([])
    hub.unsubscribe(ann, JOIN)
    expect(hub.selectors()).toEqual([])
  })
  test('over the limit is refused, and possible again after one is removed', () => {
    const hub = new SubscriptionRegistry()
    const ann = new Listener()
    for (let id = 0; id < LIMITS.subscriptions.value; id++) hub.subscribe(ann, guild(String(id)))
    expect(() => hub.subscribe(ann, guild('x'))).toThrow(expect.objectContaining({ error: 'RATE_LIMITED' }))
    hub.subscribe(ann, guild('0'))
    hub.unsubscribe(ann, guild('0'))
    hub.subscribe(ann, guild('x'))
    hub.subscribe(new Listener(), JOIN)
  })
})

describe('the subscriptions of a program', () => {
  const start = () => {
    const { accounting, charged } = world()
    const hub = new SubscriptionRegistry<Listener>(() => accounting.share('subscriptions', programAt('/games/one')))
    return { hub, charged: () => charged('subscriptions') }
  }
  const subscribeAll = (hub: SubscriptionRegistry<Listener>, count: number): Listener => {
    const listener = new Listener()
    for (let at = 0; at < count; at++) hub.subscribe(listener, guild(String(at)))
    return listener
  }

  test('are limited over all its connections, with an error that costs the earlier ones nothing', () => {
    const { hub, charged } = start()
    const most = BUDGETS.subscriptionsPerProgramWithoutGrant.value
    const connections = Array.from({ length: most / LIMITS.subscriptions.value }, () => subscribeAll(hub, LIMITS.subscriptions.value))
    const late = new Listener()
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(() => hub.subscribe(late, JOIN)).toThrow(expect.objectContaining({ error: 'RATE_LIMITED' }) as Error)
    }
    expect([charged(), hub.selectorsOf(late)]).toEqual([most, []])
    hub.unsubscribe(connections[0] as Listener, guild('0'))
    hub.subscribe(late, JOIN)
    for (const one of [...connections, late]) hub.removeSubscriber(one)
    expect(charged()).toBe(0)
  })

  test('are charged once when repeated, and released once when undone or removed', () => {
    const { hub, charged } = start()
    const listener = new Listener()
    const undo = [hub.subscribe(listener, JOIN), hub.subscribe(listener, JOIN)]
    expect(charged()).toBe(1)
    for (const one of undo) one()
    hub.unsubscribe(listener, JOIN)
    expect(charged()).toBe(0)
    hub.subscribe(listener, JOIN)
    hub.removeSubscriber(listener)
    hub.removeSubscriber(listener)
    expect(charged()).toBe(0)
  })
})
