/** Retained events through the registry: GUILD_STATUS is the one that there is. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type EventSelector, type Subscriber, SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'

class Listener implements Subscriber {
  readonly scopes = new Set<string>(['rpc', 'rpc.local'])
  signedIn: { readonly userId: string } | undefined = { userId: '1' }
  readonly #got: unknown[] = []
  encoded = 0
  readonly connection: Subscriber['connection'] = {
    encoding: { name: 'json' },
    encodeEvent: (_, data) => {
      this.encoded++
      return Buffer.from(JSON.stringify(data))
    },
    deliver: (frame) => this.#got.push(JSON.parse(frame.toString())),
  }

  /** The data since the last call. */
  got(): unknown[] {
    return this.#got.splice(0)
  }
}

const guild = (guild_id: string): EventSelector => ({ name: 'GUILD_STATUS', args: { guild_id } })
const HARBOUR = guild('7')
const named = (name: string) => ({ guild: { id: '7', name } })

let hub: SubscriptionRegistry<Listener>
let ann: Listener
beforeEach(() => {
  hub = new SubscriptionRegistry()
  ann = new Listener()
  hub.subscribe(ann, HARBOUR)
})
const publish = (data: unknown, defaults?: object): number => hub.publish(HARBOUR, data, undefined, defaults)

describe('a value', () => {
  test('is sent once to each subscriber, and again only when it differs', () => {
    expect([publish({ ...named('Harbour'), online: 2 }), publish({ online: 2, ...named('Harbour') })]).toEqual([1, 0])
    const bob = new Listener()
    hub.subscribe(bob, HARBOUR)
    expect(publish({ ...named('Harbour'), online: 2 })).toBe(1)
    expect([ann.got().length, bob.got().length]).toEqual([1, 1])
    expect(publish({ ...named('Harbour'), online: 3 })).toBe(2)
  })

  test('of another subject does not count', () => {
    hub.subscribe(ann, guild('8'))
    publish({ online: 2 })
    expect(hub.publish(guild('8'), { online: 2 })).toBe(1)
    expect(publish({ online: 2 })).toBe(0)
  })

  test('keeps what a new one lacks; that alone is no change', () => {
    publish({ ...named('Harbour'), online: 2 })
    expect(publish(named('Harbour'), { online: 0 })).toBe(0)
    publish(named('Haven'), { online: 0 })
    expect(ann.got()).toEqual([
      { ...named('Harbour'), online: 2 },
      { ...named('Haven'), online: 2 },
    ])
  })

  test('has the default of what was never known, until it is known', () => {
    publish(named('Harbour'), { online: 0 })
    publish({ ...named('Harbour'), online: 0 })
    publish({ ...named('Harbour'), online: 5 })
    expect(ann.got()).toEqual([
      { ...named('Harbour'), online: 0 },
      { ...named('Harbour'), online: 5 },
    ])
  })

  test.each([null, 5, 'text', [1]])('that is no object, here %j, is compared as a whole', (data) => {
    expect([publish(data), publish(data), publish(named('Harbour')), publish(data)]).toEqual([1, 0, 1, 1])
  })

  test('of another user does not count', () => {
    publish({ online: 2 })
    ann.signedIn = { userId: '2' }
    expect([publish({ online: 2 }), publish({ online: 2 })]).toEqual([1, 0])
  })

  test('is sent again when it is forgotten, for those that forgot it', () => {
    const bob = new Listener()
    hub.subscribe(bob, HARBOUR)
    publish({ online: 2 })
    hub.forget(HARBOUR, (one) => one === bob)
    expect(publish({ online: 2 })).toBe(1)
    expect([ann.got().length, bob.got().length]).toEqual([1, 2])
  })

  test.each<readonly [string, () => void]>([
    ['subscription', () => hub.unsubscribe(ann, HARBOUR)],
    ['connection', () => hub.removeSubscriber(ann)],
  ])('is forgotten with the %s', (_, end) => {
    publish({ online: 2 })
    end()
    hub.subscribe(ann, HARBOUR)
    expect(publish({ online: 2 })).toBe(1)
  })

  test('is encoded once for all with the same last value, also when it is completed', () => {
    const crowd = Array.from({ length: 100 }, () => new Listener())
    for (const one of crowd) {
      hub.subscribe(one, HARBOUR)
      publish({ ...named('Harbour'), online: 2 })
    }
    const encodings = (): number => [ann, ...crowd].reduce((sum, { encoded }) => sum + encoded, 0)
    const before = encodings()
    for (const online of [3, 4]) expect(publish({ ...named('Harbour'), online })).toBe(101)
    expect(publish(named('Haven'))).toBe(101)
    expect(encodings() - before).toBe(3)
  })
})

describe('while SUBSCRIBE awaits its response', () => {
  test('nothing is sent; then the newest value is', () => {
    publish({ online: 2 })
    ann.got()
    const release = hub.hold(ann, HARBOUR)
    expect([publish({ online: 2 }), publish({ ...named('Harbour') }), publish({ online: 2 })]).toEqual([0, 0, 0])
    expect(ann.got()).toEqual([])
    release?.()
    expect(ann.got()).toEqual([{ online: 2, ...named('Harbour') }])
    expect([publish({ online: 2 }), publish({ online: 3 })]).toEqual([0, 1])
  })

  test('other subscribers, and other events, are not kept back', () => {
    const bob = new Listener()
    hub.subscribe(bob, HARBOUR)
    hub.hold(ann, HARBOUR)
    expect(publish({ online: 2 })).toBe(1)
    expect(bob.got()).toHaveLength(1)
    expect(hub.hold(ann, { name: 'ACTIVITY_JOIN', args: {} })).toBe(undefined)
  })

  test('a second SUBSCRIBE keeps the value back too', () => {
    const releases = [hub.hold(ann, HARBOUR), hub.hold(ann, HARBOUR)]
    publish({ online: 2 })
    releases[0]?.()
    expect(ann.got()).toEqual([])
    releases[1]?.()
    expect(ann.got()).toEqual([{ online: 2 }])
  })

  test.each<readonly [string, () => void]>([
    ['the subscription ended', () => hub.unsubscribe(ann, HARBOUR)],
    ['the subscription ended and was made again', () => (hub.unsubscribe(ann, HARBOUR), void hub.subscribe(ann, HARBOUR))],
    ['the connection ended', () => hub.removeSubscriber(ann)],
    ['the user changed', () => void (ann.signedIn = { userId: '2' })],
    ['the scope is gone', () => void ann.scopes.delete('rpc')],
    ['the value was forgotten', () => hub.forget(HARBOUR, () => true)],
  ])('nothing is sent at its end when %s', (_, change) => {
    const release = hub.hold(ann, HARBOUR)
    publish({ online: 2 })
    change()
    release?.()
    expect(ann.got()).toEqual([])
  })
})
