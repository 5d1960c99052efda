/** What Dockside says to the bridge, in a form that outlives a break: sign in, meet in a lobby, talk, remember. */
import { CallError, CallTimeout, ConnectionLost, type DataOf, type SallyportClient } from '@sallyport/client'

type LobbyMessage = DataOf<'GET_LOBBY_MESSAGES'>[number]

/** How long one wish may go on being repeated, milliseconds. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 300
const SCOPES = ['openid', 'sdk.social_layer'] as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The platform no longer knows us, or no longer knows the lobby: both heal by beginning again. */
const STALE = new Set(['INVALID_TOKEN', 'INVALID_PERMISSIONS', 'INVALID_LOBBY'])

export class Crew {
  readonly #client: SallyportClient
  readonly #secret: string
  readonly #say: (line: string) => void
  #player = ''
  #lobbyId: string | undefined

  constructor(client: SallyportClient, secret: string, say: (line: string) => void) {
    this.#client = client
    this.#secret = secret
    this.#say = say
    // A platform that started anew has new lobbies: the secret finds ours again, its old id does not.
    client.onState(({ name }) => {
      if (name === 'waiting') this.#lobbyId = undefined
    })
  }

  /** Signs in. Resolves with the player's name. */
  introduce(): Promise<string> {
    return this.persist(async () => this.#player)
  }

  /** With what the player granted before, or by asking. */
  async #signIn(): Promise<void> {
    try {
      this.#player = (await this.#client.signInSilently()).user.username
    } catch (error) {
      if (!(error instanceof CallError) || error.retryable) throw error
      this.#say('asking for your permission (a browser page may open) …')
      this.#player = (await this.#client.signIn({ scopes: SCOPES })).user.username
    }
  }

  /** Repeats `wish` until it succeeds: only for what may be done twice. */
  async persist<T>(wish: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + PATIENCE_MS
    let expired = false
    for (;;) {
      try {
        await this.#client.whenReady({ timeoutMs: PATIENCE_MS })
        if (expired || this.#client.account !== 'signed-in') await this.#signIn()
        expired = false
        return await wish()
      } catch (error) {
        const stale = error instanceof CallError && STALE.has(error.name)
        const passing = error instanceof ConnectionLost || error instanceof CallTimeout || (error instanceof CallError && error.retryable)
        if (!(stale || passing) || performance.now() > giveUpAt) throw error
        if (stale) this.#lobbyId = undefined
        expired = stale && error.name === 'INVALID_TOKEN'
        if (error instanceof CallError) await pause(PAUSE_MS)
      }
    }
  }

  /** The lobby's id. Joining by the secret is safe to repeat: whoever is in stays in. */
  async join(): Promise<string> {
    this.#lobbyId ??= (await this.#client.call('CREATE_OR_JOIN_LOBBY', { secret: this.#secret })).id
    return this.#lobbyId
  }

  /**
   * Says a line once. Sending is not safe to repeat, so each line carries a mark, and after a break the history is looked at before the line
   * is sent again.
   */
  async chat(content: string, mark: string): Promise<void> {
    let uncertain = false
    await this.persist(async () => {
      const lobby_id = await this.join()
      if (uncertain && (await this.#isHeard(lobby_id, mark))) return
      uncertain = true
      await this.#client.call('SEND_LOBBY_MESSAGE', { lobby_id, content, metadata: { mark } })
    })
  }

  /** What the platform remembers of the lobby, oldest first. */
  history(): Promise<readonly LobbyMessage[]> {
    return this.persist(async () => {
      const messages = await this.#client.call('GET_LOBBY_MESSAGES', { lobby_id: await this.join(), limit: 50 })
      return messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    })
  }

  async #isHeard(lobby_id: string, mark: string): Promise<boolean> {
    const messages = await this.#client.call('GET_LOBBY_MESSAGES', { lobby_id, limit: 50 })
    return messages.some(({ metadata }) => metadata?.['mark'] === mark)
  }
}
