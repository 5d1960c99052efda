/** A game on our TypeScript client, which keeps its connection and its subscriptions itself. */
import { CallError, ConnectionLostError, type EventName, SallyportClient, type Subscription } from '@sallyport/client'
import { type Answer, type Game, type GameListener, Lost } from './game.ts'
import type { GamePlan } from './plan.ts'

/** Longer than the daemon takes for any answer: what takes longer is not answered. */
const CALL_MS = 60_000
const OPEN_MS = 10_000

const keyOf = (event: string, args: object): string => `${event} ${JSON.stringify(args)}`

/** Rejects with Lost, or with what is no answer of a server. */
async function answerOf(call: Promise<unknown>): Promise<Answer> {
  try {
    return { code: undefined, data: await call }
  } catch (error) {
    if (error instanceof CallError) return { code: error.code, data: error.data }
    if (error instanceof ConnectionLostError) throw new Lost(error.message)
    throw error
  }
}

export class ClientGame implements Game {
  readonly plan: GamePlan
  readonly #runtimeDir: string
  readonly #listener: GameListener
  readonly #subscriptions = new Map<string, Subscription>()
  #client: SallyportClient | undefined

  constructor(plan: GamePlan, runtimeDir: string, listener: GameListener) {
    this.plan = plan
    this.#runtimeDir = runtimeDir
    this.#listener = listener
  }

  get isOpen(): boolean {
    return this.#client?.state.name === 'ready'
  }

  async open(): Promise<void> {
    await this.#client?.close()
    const { applicationId, encoding } = this.plan
    const client = new SallyportClient({
      applicationId,
      encoding,
      runtimeDir: this.#runtimeDir,
      requireBridge: true,
      reconnect: false,
      callTimeoutMs: CALL_MS,
    })
    this.#client = client
    this.#subscriptions.clear()
    client.onAccount((account) => {
      if (account === 'revoked') this.#listener.onEvent('TOKEN_REVOKED', null)
    })
    await client.connect({ timeoutMs: OPEN_MS })
    client.onState((state) => {
      if (this.#client === client && state.name === 'offline') this.#listener.onLost(state.error?.message ?? 'the client is offline')
    })
  }

  call(command: string, args: object): Promise<Answer> {
    return this.#with((client) => client.call(command as never, args as never))
  }

  subscribe(event: string, args: object): Promise<Answer> {
    return this.#with((client) => {
      const subscription = client.on(event as EventName, args as never, ((data: unknown) => this.#listener.onEvent(event, data)) as never)
      this.#subscriptions.set(keyOf(event, args), subscription)
      return subscription.active
    })
  }

  unsubscribe(event: string, args: object): Promise<Answer> {
    const key = keyOf(event, args)
    this.#subscriptions.get(key)?.close()
    this.#subscriptions.delete(key)
    return Promise.resolve({ code: undefined, data: null })
  }

  async leave(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.close()
  }

  #with(use: (client: SallyportClient) => Promise<unknown>): Promise<Answer> {
    const client = this.#client
    return client === undefined ? Promise.reject(new Lost('the game is not connected')) : answerOf(use(client))
  }
}
