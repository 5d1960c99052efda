/** Listeners, late responses, refusals and reconnects in any order: finally the server has exactly the subscriptions of the listeners. */
import type { SallyportClient, Subscription } from '@sallyport/client'
import type { EventName } from '@sallyport/protocol'
import { ERRORS } from '@sallyport/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryServer, quiet, topicOf } from './memory-server.ts'

const TOPICS = [
  { event: 'AUTHORIZE_REQUEST', args: {} },
  { event: 'ACTIVITY_JOIN', args: {} },
  { event: 'GUILD_STATUS', args: { guild_id: '7' } },
  { event: 'GUILD_STATUS', args: { guild_id: '8' } },
] as const

const topic = fc.constantFrom(...TOPICS)
const deed = fc.oneof(
  { weight: 4, arbitrary: topic.map((one) => ({ kind: 'listen' as const, ...one })) },
  { weight: 4, arbitrary: fc.nat().map((index) => ({ kind: 'leave' as const, index })) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('answer' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.boolean().map((isHeld) => ({ kind: 'hold' as const, isHeld })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'vanish' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'last words' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'return' as const }) },
  { weight: 1, arbitrary: fc.option(topic, { nil: undefined }).map((refused) => ({ kind: 'refuse' as const, refused })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'sign-in' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'quiet' as const }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((ms) => ({ kind: 'time' as const, ms })) },
)
/** Longer than the longest retry delay. */
const PATIENCE_S = 70

type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never

interface Listener {
  readonly topic: string
  readonly event: string
  readonly received: unknown[]
  readonly subscription: Subscription
  isOpen: boolean
}

class Play {
  readonly listeners: Listener[] = []
  readonly server: MemoryServer
  readonly #client: SallyportClient

  constructor(server: MemoryServer, client: SallyportClient) {
    this.server = server
    this.#client = client
  }

  async do(one: Deed): Promise<unknown> {
    const { server } = this
    switch (one.kind) {
      case 'listen': {
        const received: unknown[] = []
        const subscription = this.#client.on(one.event as EventName, one.args as never, ((data: unknown) => received.push(data)) as never)
        return this.listeners.push({ topic: topicOf(one.event, one.args), event: one.event, received, subscription, isOpen: true })
      }
      case 'leave': {
        const leaving = this.listeners[one.index % Math.max(1, this.listeners.length)]
        if (leaving === undefined) return undefined
        leaving.isOpen = false
        return leaving.subscription.close()
      }
      case 'answer':
        return server.last.answer(one.count)
      case 'hold':
        server.holdsAnswers = one.isHeld
        server.last.isHeld = one.isHeld
        return undefined
      case 'vanish':
        return server.vanish()
      case 'last words':
        return server.sayLastWords()
      case 'return':
        return this.#return()
      case 'refuse': {
        const { refused } = one
        const isRefused = (evt: string | undefined, args: object): boolean =>
          refused !== undefined && topicOf(evt ?? '', args) === topicOf(refused.event, refused.args)
        server.judge = ({ cmd, evt, args }) => (cmd === 'SUBSCRIBE' && isRefused(evt, args) ? ERRORS.SERVICE_UNAVAILABLE.code : undefined)
        return undefined
      }
      case 'sign-in':
        return void this.#client.signInSilently().catch(() => {})
      case 'quiet':
        return quiet()
      case 'time':
        return server.pass(one.ms)
    }
  }

  /** AUTHORIZE_REQUEST is subscribed before everything else. */
  async #return(): Promise<void> {
    const isNew = !this.server.isUp
    const isWaitedFor = this.listeners.some(({ event, isOpen }) => isOpen && event === 'AUTHORIZE_REQUEST')
    await this.server.comeBack()
    if (isNew && isWaitedFor) expect(this.server.asked[0]).toBe('SUBSCRIBE AUTHORIZE_REQUEST')
  }

  /** Everything works again, and enough time goes by for all that is tried again. */
  async settle(): Promise<void> {
    const { server } = this
    server.judge = () => undefined
    server.holdsAnswers = false
    await this.#return()
    server.last.isHeld = false
    server.last.answer()
    await quiet()
    for (let second = 0; second < PATIENCE_S && server.clock.pending > 0; second += 1) await server.pass(1_000)
    await this.#client.whenReady()
  }
}

test('in the end the server has exactly what is listened to, and each listener hears each event once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
      const server = new MemoryServer()
      const client = await server.client()
      const play = new Play(server, client)
      for (const one of deeds) await play.do(one)
      await play.settle()

      const open = play.listeners.filter(({ isOpen }) => isOpen)
      expect([...server.last.subscribed].toSorted()).toEqual([...new Set(open.map((one) => one.topic))].toSorted())
      for (const { subscription, isOpen } of play.listeners) expect(subscription.status).toBe(isOpen ? 'active' : 'closed')
      for (const listener of play.listeners) listener.received.length = 0
      for (const { event, args } of TOPICS) server.last.dispatch(event, args, { ...args, mark: topicOf(event, args) })
      await quiet()
      for (const { received, topic: own, isOpen } of play.listeners) {
        expect(received.map((data) => (data as { mark: string }).mark)).toEqual(isOpen ? [own] : [])
      }
      expect(server.clock.pending).toBe(0)
      await client.close()
    }),
    { numRuns: 500, seed: 20_251_121 },
  )
})
