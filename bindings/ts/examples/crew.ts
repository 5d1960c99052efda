/** The calls of Dockside to the bridge, with retries across reconnects: sign in, join a lobby, chat, read the history. */
import { CallError, CallTimeoutError, ConnectionLostError, type DataOf, type SallyportClient } from '@sallyport/client'

type LobbyMessage = DataOf<'GET_LOBBY_MESSAGES'>[number]

/** Milliseconds for which one action is retried. */
const RETRY_TIMEOUT_MS = 30_000
const PAUSE_MS = 300
const SCOPES = ['openid', 'sdk.social_layer'] as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Errors after which signing in or joining again helps. */
const STALE = new Set(['INVALID_TOKEN', 'INVALID_PERMISSIONS', 'INVALID_LOBBY'])

/** Errors after which the bridge cannot say what a call did: it was restarted meanwhile, for example. */
const UNCERTAIN = new Set(['UNKNOWN_OUTCOME', 'RESULT_NOT_KEPT'])

export class Crew {
  readonly #client: SallyportClient
  readonly #secret: string
  #player = ''
  #lobbyId: string | undefined

  constructor(client: SallyportClient, secret: string) {
    this.#client = client
    this.#secret = secret
    // After a restart the lobby has a new id; the secret finds it again.
    client.onState(({ name }) => {
      if (name === 'waiting') this.#lobbyId = undefined
    })
  }

  /** Signs in. Resolves with the player's name. */
  signIn(): Promise<string> {
    return this.persist(async () => this.#player)
  }

  /** Signs in with the stored grant, or by asking the player in a browser. */
  async #signIn(): Promise<void> {
    this.#player = (await this.#client.signIn({ scopes: SCOPES })).user.username
  }

  /** Repeats `action` until it succeeds; only for idempotent actions. */
  async persist<T>(action: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + RETRY_TIMEOUT_MS
    let expired = false
    for (;;) {
      try {
        await this.#client.whenReady({ timeoutMs: RETRY_TIMEOUT_MS })
        if (expired || this.#client.account !== 'signed-in') await this.#signIn()
        expired = false
        return await action()
      } catch (error) {
        const stale = error instanceof CallError && STALE.has(error.errorName)
        const isPassing = error instanceof CallError && (error.retryable || UNCERTAIN.has(error.errorName))
        const isTransient = isPassing || error instanceof ConnectionLostError || error instanceof CallTimeoutError
        if (!(stale || isTransient) || performance.now() > giveUpAt) throw error
        if (stale) this.#lobbyId = undefined
        expired = stale && error.errorName === 'INVALID_TOKEN'
        if (error instanceof CallError) await pause(PAUSE_MS)
      }
    }
  }

  /** The lobby's id. Joining by the secret is idempotent. */
  async join(): Promise<string> {
    this.#lobbyId ??= (await this.#client.call('CREATE_OR_JOIN_LOBBY', { secret: this.#secret })).id
    return this.#lobbyId
  }

  /**
   * Sends a line once. The client repeats the call after a broken connection. An error leaves open whether the line was sent, so each has a mark,
   * and this reads the history before it makes another call.
   */
  async chat(content: string, mark: string): Promise<void> {
    let uncertain = false
    await this.persist(async () => {
      const lobby_id = await this.join()
      if (uncertain && (await this.#isSent(lobby_id, mark))) return
      uncertain = true
      await this.#client.call('SEND_LOBBY_MESSAGE', { lobby_id, content, metadata: { mark } })
    })
  }

  /** The messages of the lobby, oldest first. */
  history(): Promise<readonly LobbyMessage[]> {
    return this.persist(async () => {
      const messages = await this.#client.call('GET_LOBBY_MESSAGES', { lobby_id: await this.join(), limit: 50 })
      return messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    })
  }

  async #isSent(lobby_id: string, mark: string): Promise<boolean> {
    const messages = await this.#client.call('GET_LOBBY_MESSAGES', { lobby_id, limit: 50 })
    return messages.some(({ metadata }) => metadata?.['mark'] === mark)
  }
}
