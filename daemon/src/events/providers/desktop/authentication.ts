/** The authenticated user of a connection to the client. Tokens are changed in turn, so that each call has the scopes of its own session. */
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { ClientConnection } from '../../../platform/desktop/connection.ts'
import { fieldsOf } from '@sallyport/core/json-read'
import { cancelled } from '../../../platform/desktop/pending-calls.ts'

const RESPONSE_TIMEOUT_MS = 5_000

export class Authentication {
  readonly #connection: Pick<ClientConnection, 'call'>
  /** The last token that the client accepted. */
  #accepted: string | undefined
  #userId: string | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(connection: Pick<ClientConnection, 'call'>) {
    this.#connection = connection
  }

  /** The user of the last accepted token. */
  get userId(): string | undefined {
    return this.#userId
  }

  /**
   * Runs `send` with this token of `userId`. Rejects with the error of AUTHENTICATE, or of `send`. `stop` cancels before sending.
   */
  async runAs<T>(token: Secret<string>, userId: string, send: () => Promise<T>, stop?: CancelSignal): Promise<T> {
    const sent = this.#queue.then(async () => {
      if (stop?.aborted === true) throw cancelled()
      await this.#authenticate(token.reveal(), userId)
      // Not awaited: the next call may be sent as soon as this one is sent.
      return { response: send() }
    })
    this.#queue = sent.catch(() => {})
    return (await sent).response
  }

  async #authenticate(token: string, userId: string): Promise<void> {
    if (this.#accepted === token) return
    // The state after a refusal is unknown, so the next call authenticates again.
    this.#accepted = undefined
    const response = await this.#connection.call('AUTHENTICATE', { access_token: token }, { timeoutMs: RESPONSE_TIMEOUT_MS, secret: token })
    const { id } = fieldsOf(fieldsOf(response)['user'])
    this.#userId = typeof id === 'string' ? id : userId
    this.#accepted = token
  }
}
