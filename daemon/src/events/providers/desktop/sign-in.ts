/** For whom a connection to the client speaks: tokens change by turns, so that each call goes out with the scopes of its own caller. */
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Connection } from '../../../platform/desktop/connection.ts'
import { fieldsOf } from './client-events.ts'
import { givenUp } from '../../../platform/desktop/open-calls.ts'

const ANSWER_MS = 5_000

export class SignIn {
  readonly #connection: Pick<Connection, 'call'>
  /** The token that the client accepted last. */
  #accepted: string | undefined
  #userId: string | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connection: Pick<Connection, 'call'>) {
    this.#connection = connection
  }

  /** Whose token the client accepted last. */
  get userId(): string | undefined {
    return this.#userId
  }

  /**
   * Sends with the scopes of this token, `userId`'s. Rejects with what the client says of the token, or with what `send` rejects with.
   * `stop`: nothing is sent any more when its turn comes.
   */
  async with<T>(token: Secret<string>, userId: string, send: () => Promise<T>, stop?: CancelSignal): Promise<T> {
    const sent = this.#turn.then(async () => {
      if (stop?.aborted === true) throw givenUp()
      await this.#authenticate(token.reveal(), userId)
      // Not waited for here: the next one may send once this has been sent.
      return { answer: send() }
    })
    this.#turn = sent.catch(() => {})
    return (await sent).answer
  }

  async #authenticate(token: string, userId: string): Promise<void> {
    if (this.#accepted === token) return
    // What holds after a refusal is not said: the next one asks anew.
    this.#accepted = undefined
    const answer = await this.#connection.call('AUTHENTICATE', { access_token: token }, { withinMs: ANSWER_MS, secret: token })
    const { id } = fieldsOf(fieldsOf(answer)['user'])
    this.#userId = typeof id === 'string' ? id : userId
    this.#accepted = token
  }
}
