/** One game on the bindings, as a game would use them: it subscribes once, and leaves the connection to the binding. */
import { createConnection, type Socket } from 'node:net'
import { CallError, CallTimeoutError, ConnectionLostError, type EventName, SallyportClient, type Subscription } from '@sallyport/client'
import type { Ledger } from './ledger.ts'

export interface GamePlan {
  readonly name: string
  readonly applicationId: string
  readonly encoding: 'json' | 'msgpack'
  /** Who plays, and how they sign in: by the daemon's consent page, by a token that the game brings, or not at all. */
  readonly user?: string
  readonly signIn: 'page' | 'token' | 'none'
}

/** An event to subscribe to. */
export interface Topic {
  readonly event: EventName
  readonly args: object
  /** What distinguishes one delivery from another; undefined for an event that no probe raised. */
  readonly markOf: (data: unknown) => string | undefined
  /** The event reports a state, not an occurrence. */
  readonly isState?: boolean
}

interface ListenerPair {
  readonly topic: Topic
  /** Stays subscribed. */
  readonly steady: Subscription
  /** Is replaced during each break. */
  passing: Subscription
}

/** The two listeners that every game has on every topic. */
export const LISTENERS = ['steady', 'passing'] as const

const WAIT_MS = 20_000

/** Bytes that begin a frame and do not end it: a header that announces 64 bytes, and one of them. */
const PARTIAL_FRAME = Buffer.from([1, 0, 0, 0, 64, 0, 0, 0, 0x7b])

export class Game {
  readonly plan: GamePlan
  readonly client: SallyportClient
  readonly #ledger: Ledger
  readonly #sockets = new Set<Socket>()
  readonly #listeners: ListenerPair[] = []
  /** Connections so far. */
  #connection = 0
  /** How often AUTHORIZE_REQUEST came. */
  authorizeRequests = 0
  details = ''

  constructor(plan: GamePlan, runtimeDir: string, ledger: Ledger) {
    this.plan = plan
    this.#ledger = ledger
    const { applicationId, encoding } = plan
    const connect = (path: string, signal: AbortSignal): Promise<Socket> => this.#connect(path, signal)
    this.client = new SallyportClient({ applicationId, runtimeDir, encoding, requireBridge: true, environment: { connect } })
    this.client.on('READY', () => {
      this.#connection += 1
    })
    this.client.onAuthorizeRequest(() => {
      this.authorizeRequests += 1
    })
  }

  /** The name of one of its two listeners in the ledger. */
  listenerName(which: (typeof LISTENERS)[number]): string {
    return `${this.plan.name}/${which}`
  }

  listen(topic: Topic): void {
    this.#listeners.push({ topic, steady: this.#on(topic, 'steady'), passing: this.#on(topic, 'passing') })
  }

  /** Replaces every passing listener, in any state of the connection. */
  churn(): void {
    for (const pair of this.#listeners) {
      pair.passing.close()
      pair.passing = this.#on(pair.topic, 'passing')
    }
  }

  async show(details: string): Promise<void> {
    this.details = details
    await this.client.setActivity({
      details,
      secrets: { join: `join-${this.plan.name}` },
      party: { id: `party-${this.plan.name}`, size: [1, 4] },
    })
  }

  /** Cuts its connection without a word; `torn`: in the middle of a frame. */
  cut(torn: boolean): void {
    for (const socket of this.#sockets) {
      if (torn) socket.write(PARTIAL_FRAME, () => socket.destroy())
      else socket.destroy()
    }
  }

  /** A call that is pending when something breaks. It must end, with its answer or with an error that a game can handle. */
  async callDuringBreak(): Promise<void> {
    try {
      await this.client.call('GET_BRIDGE_STATUS', {}, { timeoutMs: WAIT_MS })
    } catch (error) {
      if (error instanceof ConnectionLostError || error instanceof CallTimeoutError) return
      if (error instanceof CallError && error.retryable) return
      throw error
    }
  }

  /** What is missing of the state that the game set up; undefined when nothing is. */
  missing(): string | undefined {
    const { state, account } = this.client
    if (state.name !== 'ready') return `it is ${state.name}`
    if (this.plan.signIn !== 'none' && account !== 'signed-in') return `it is ${account}`
    for (const { topic, steady, passing } of this.#listeners) {
      const bad = [steady, passing].find(({ status }) => status !== 'active')
      if (bad !== undefined) return `${topic.event} is ${bad.status}: ${bad.error?.message ?? ''}`
    }
    return undefined
  }

  #on({ event, args, markOf, isState = false }: Topic, which: (typeof LISTENERS)[number]): Subscription {
    return this.client.on(
      event,
      args as never,
      ((data: unknown) => {
        const mark = markOf(data)
        if (mark !== undefined)
          this.#ledger.note({
            listener: this.listenerName(which),
            event,
            mark,
            content: JSON.stringify(data),
            connection: this.#connection,
            isState,
          })
      }) as never,
    )
  }

  #connect(path: string, signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ path, signal })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        this.#sockets.add(socket)
        socket.once('close', () => this.#sockets.delete(socket))
        resolve(socket)
      })
    })
  }
}
