import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { type DesiredEvent, type Subscriber, SubscriptionHub } from '../../../../daemon/src/events/hub.ts'

class Listener implements Subscriber {
  readonly scopes = new Set<string>(['rpc.local'])
  readonly got: string[] = []
  encoded = 0
  readonly channel: Subscriber['channel']

  constructor(encoding = 'json') {
    this.channel = {
      encoding: { name: encoding },
      encodeEvent: (name, data) => {
        this.encoded++
        return Buffer.from(`${encoding} ${name} ${JSON.stringify(data)}`)
      },
      deliver: (frame) => this.got.push(frame.toString()),
    }
  }
}

const JOIN: DesiredEvent = { name: 'ACTIVITY_JOIN', args: {} }
const guild = (guild_id: string): DesiredEvent => ({ name: 'GUILD_STATUS', args: { guild_id } })

describe('an event', () => {
  test('reaches who subscribed, nobody else, and is counted', () => {
    const hub = new SubscriptionHub()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    expect(hub.publish(JOIN, { secret: 's' })).toBe(1)
    expect(ann.got).toEqual(['json ACTIVITY_JOIN {"secret":"s"}'])
    expect(bob.got).toEqual([])
  })
  test('reaches only subscriptions with the same arguments', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    ann.scopes.add('rpc')
    hub.subscribe(ann, guild('1'))
    expect(hub.publish(guild('2'), {})).toBe(0)
    expect(hub.publish(guild('1'), {})).toBe(1)
  })
  test('is encoded once for all who speak the same', () => {
    const hub = new SubscriptionHub()
    const all = [new Listener(), new Listener(), new Listener('msgpack'), new Listener('msgpack')]
    for (const one of all) hub.subscribe(one, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(4)
    expect(all.map(({ encoded }) => encoded)).toEqual([1, 0, 1, 0])
    expect(all.map(({ got }) => got[0]?.split(' ')[0])).toEqual(['json', 'json', 'msgpack', 'msgpack'])
  })
  test('does not reach who no longer holds the scope, and does again when they do', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    ann.scopes.add('rpc')
    hub.subscribe(ann, guild('1'))
    ann.scopes.delete('rpc')
    expect(hub.publish(guild('1'), {})).toBe(0)
    ann.scopes.add('rpc')
    expect(hub.publish(guild('1'), {})).toBe(1)
  })
  test('that ends a subscriber while it is told still reaches the others', () => {
    const hub = new SubscriptionHub()
    const [ann, bob] = [new Listener(), new Listener()]
    ann.channel.deliver = () => hub.drop(ann)
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.publish(JOIN, 1)
    expect(bob.got).toHaveLength(1)
    expect(hub.publish(JOIN, 2)).toBe(1)
  })
})

describe('who listens for changes', () => {
  test('hears of a wish that is new to all, of one that nobody has any more, and of nothing between', () => {
    const hub = new SubscriptionHub()
    const heard: number[] = []
    hub.onChange(() => heard.push(hub.desired().length))
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.unsubscribe(ann, JOIN)
    expect(heard).toEqual([1])
    hub.drop(bob)
    hub.unsubscribe(bob, JOIN)
    expect(heard).toEqual([1, 0])
  })
  test('hears that a subscriber may have other things now, if it wants any', () => {
    const hub = new SubscriptionHub()
    let heard = 0
    hub.onChange(() => heard++)
    const ann = new Listener()
    hub.scopesChanged(ann)
    expect(heard).toBe(0)
    hub.subscribe(ann, JOIN)
    hub.scopesChanged(ann)
    expect(heard).toBe(2)
  })
})

test('an event can be for some of those who want it', () => {
  const hub = new SubscriptionHub<Listener>()
  const [ann, bob] = [new Listener(), new Listener()]
  for (const one of [ann, bob]) hub.subscribe(one, JOIN)
  expect(hub.subscribersOf(JOIN)).toEqual([ann, bob])
  expect(hub.publish(JOIN, 1, (one) => one === bob)).toBe(1)
  expect([ann.got.length, bob.got.length]).toEqual([0, 1])
  expect(hub.subscribersOf(guild('1'))).toEqual([])
})

describe('an event with an argument that may be left out', () => {
  const message = (lobby_id?: string | null): DesiredEvent => ({ name: 'LOBBY_MESSAGE_CREATE', args: { lobby_id } })
  const player = (encoding?: string): Listener => {
    const one = new Listener(encoding)
    one.scopes.add('lobbies.write')
    return one
  }
  test('reaches who asked for it and who asked for all of them, and once who asked for both', () => {
    const hub = new SubscriptionHub()
    const [one, all, both, other] = [player(), player(), player(), player()]
    for (const who of [one, both]) hub.subscribe(who, message('30'))
    hub.subscribe(other, message('31'))
    hub.subscribe(all, message())
    hub.subscribe(both, message(null))
    expect(hub.publish(message('30'), 1)).toBe(3)
    expect([one, all, both, other].map(({ got }) => got.length)).toEqual([1, 1, 1, 0])
  })
  test('that says nothing of it reaches only who asked for all of them', () => {
    const hub = new SubscriptionHub()
    const [one, all] = [player(), player()]
    hub.subscribe(one, message('30'))
    hub.subscribe(all, message())
    expect(hub.publish(message(), 1)).toBe(1)
    expect([one.got.length, all.got.length]).toEqual([0, 1])
  })
  test('goes on for who withdrew one of both', () => {
    const hub = new SubscriptionHub()
    const both = player()
    hub.subscribe(both, message('30'))
    hub.subscribe(both, message())
    hub.unsubscribe(both, message('30'))
    expect(hub.publish(message('30'), 1)).toBe(1)
    hub.unsubscribe(both, message())
    expect(hub.publish(message('30'), 1)).toBe(0)
  })
})

test('an event for a thousand is encoded once for each encoding among them', () => {
  const hub = new SubscriptionHub()
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
  test('that are null are the same as those that are left out, and their order says nothing', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    ann.scopes.add('rpc')
    const wish = (args: object): DesiredEvent => ({ name: 'VOICE_CONNECTION_STATUS', args })
    hub.subscribe(ann, wish({ channel_id: null }))
    hub.subscribe(ann, wish({}))
    hub.subscribe(ann, wish({ channel_id: undefined }))
    expect(hub.desired()).toHaveLength(1)
    expect(hub.publish(wish({}), 1)).toBe(1)
    hub.unsubscribe(ann, wish({}))
    expect(hub.desired()).toEqual([])
    hub.subscribe(ann, wish({ a: '1', b: '2' }))
    expect(hub.publish(wish({ b: '2', a: '1' }), 1)).toBe(1)
    expect(hub.publish(wish({ a: '1' }), 1)).toBe(0)
    expect(hub.publish(wish({}), 1)).toBe(0)
  })
})

describe('a wish', () => {
  test('told twice is one, and withdrawn once is gone', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    hub.subscribe(ann, JOIN)
    hub.subscribe(ann, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(1)
    expect(ann.got).toHaveLength(1)
    hub.unsubscribe(ann, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(0)
  })
  test('is withdrawn by what it gave back, which leaves alone the wish that took its place', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    const refused = hub.subscribe(ann, JOIN)
    hub.unsubscribe(ann, JOIN)
    const again = hub.subscribe(ann, JOIN)
    refused()
    expect(hub.desiredBy(ann)).toEqual([JOIN])
    again()
    expect(hub.desired()).toEqual([])
  })
  test('that was told again and refused then stays as it was; it goes when all that told it are taken back', () => {
    const hub = new SubscriptionHub()
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

  test('never told can be withdrawn, and takes nothing from others', () => {
    const hub = new SubscriptionHub()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.unsubscribe(bob, JOIN)
    expect(hub.publish(JOIN, 1)).toBe(1)
  })
  test('is part of the union until the last one is gone', () => {
    const hub = new SubscriptionHub()
    const [ann, bob] = [new Listener(), new Listener()]
    hub.subscribe(ann, JOIN)
    hub.subscribe(bob, JOIN)
    hub.subscribe(bob, guild('1'))
    expect(hub.desired()).toEqual([JOIN, guild('1')])
    expect(hub.desiredBy(bob)).toEqual([JOIN, guild('1')])
    expect(hub.desiredBy(ann)).toEqual([JOIN])
    hub.drop(bob)
    expect(hub.desired()).toEqual([JOIN])
    expect(hub.desiredBy(bob)).toEqual([])
    hub.unsubscribe(ann, JOIN)
    expect(hub.desired()).toEqual([])
  })
  test('beyond the limit is refused, and one withdrawn makes room', () => {
    const hub = new SubscriptionHub()
    const ann = new Listener()
    for (let id = 0; id < LIMITS.subscriptions.value; id++) hub.subscribe(ann, guild(String(id)))
    expect(() => hub.subscribe(ann, guild('x'))).toThrow(expect.objectContaining({ error: 'RATE_LIMITED' }))
    hub.subscribe(ann, guild('0'))
    hub.unsubscribe(ann, guild('0'))
    hub.subscribe(ann, guild('x'))
    hub.subscribe(new Listener(), JOIN)
  })
})
