/** One game on the bindings, as a game would use them: it says once what it wants, and never looks after its connection. */
import { createConnection, type Socket } from 'node:net'
import { CallError, CallTimeout, ConnectionLost, type EventName, SallyportClient, type Subscription } from '@sallyport/client'
import type { Ledger } from './ledger.ts'

export interface GamePlan {
  readonly name: string
  readonly applicationId: string
  readonly encoding: 'json' | 'msgpack'
  /** Who plays, and how they sign in: by the daemon's consent page, by a token that the game brings, or not at all. */
  readonly user?: string
  readonly signIn: 'page' | 'token' | 'none'
}

/** Something to listen to. */
export interface Topic {
  readonly event: EventName
  readonly args: object
  /** What tells one delivery from another; undefined for one that is nobody's probe. */
  readonly markOf: (data: unknown) => string | undefined
  /** It says how something stands, not that something happened. */
  readonly isState?: boolean
}

interface Ear {
  readonly topic: Topic
  /** Stays for ever. */
  readonly steady: Subscription
  /** Comes and goes. */
  passing: Subscription
}

/** The two listeners that every game has on every topic. */
export const EARS = ['steady', 'passing'] as const

const WAIT_MS = 20_000

/** Bytes that begin a frame and do not end it: a header that announces 64 bytes, and one of them. */
const TORN = Buffer.from([1, 0, 0, 0, 64, 0, 0, 0, 0x7b])

export class Game {
  readonly plan: GamePlan
  readonly client: SallyportClient
  readonly #ledger: Ledger
  readonly #sockets = new Set<Socket>()
  readonly #ears: Ear[] = []
  /** Connections so far. */
  #link = 0
  /** How often each ear was told AUTHORIZE_REQUEST. */
  asked = 0
  details = ''

  constructor(plan: GamePlan, runtimeDir: string, ledger: Ledger) {
    this.plan = plan
    this.#ledger = ledger
    const { applicationId, encoding } = plan
    const dial = (path: string, signal: AbortSignal): Promise<Socket> => this.#dial(path, signal)
    this.client = new SallyportClient({ applicationId, runtimeDir, encoding, requireBridge: true, ports: { dial } })
    this.client.on('READY', () => {
      this.#link += 1
    })
    this.client.onAuthorizeRequest(() => {
      this.asked += 1
    })
  }

  /** The name of one of its two listeners in the ledger. */
  ear(which: (typeof EARS)[number]): string {
    return `${this.plan.name}/${which}`
  }

  listen(topic: Topic): void {
    this.#ears.push({ topic, steady: this.#on(topic, 'steady'), passing: this.#on(topic, 'passing') })
  }

  /** Every listener that comes and goes does so, whatever state the connection is in. */
  churn(): void {
    for (const ear of this.#ears) {
      ear.passing.close()
      ear.passing = this.#on(ear.topic, 'passing')
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
      if (torn) socket.write(TORN, () => socket.destroy())
      else socket.destroy()
    }
  }

  /** A call that is under way when something breaks: it must end, by its answer or by an error that a game can make something of. */
  async ask(): Promise<void> {
    try {
      await this.client.call('GET_BRIDGE_STATUS', {}, { timeoutMs: WAIT_MS })
    } catch (error) {
      if (error instanceof ConnectionLost || error instanceof CallTimeout) return
      if (error instanceof CallError && error.retryable) return
      throw error
    }
  }

  /** What is missing for everything to be as the game wished; undefined when nothing is. */
  missing(): string | undefined {
    const { state, account } = this.client
    if (state.name !== 'ready') return `it is ${state.name}`
    if (this.plan.signIn !== 'none' && account !== 'signed-in') return `it is ${account}`
    for (const { topic, steady, passing } of this.#ears) {
      const bad = [steady, passing].find(({ status }) => status !== 'active')
      if (bad !== undefined) return `${topic.event} is ${bad.status}: ${bad.refusal?.message ?? ''}`
    }
    return undefined
  }

  #on({ event, args, markOf, isState = false }: Topic, which: (typeof EARS)[number]): Subscription {
    return this.client.on(
      event,
      args as never,
      ((data: unknown) => {
        const mark = markOf(data)
        if (mark !== undefined)
          this.#ledger.note({
            listener: this.ear(which),
            event,
            mark,
            content: JSON.stringify(data),
            link: this.#link,
            isState,
          })
      }) as never,
    )
  }

  #dial(path: string, signal: AbortSignal): Promise<Socket> {
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
