/** Who of the users here may hear a lobby. Nothing of an event says who its members are, so the platform is asked, in the name of who asks to hear. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Session } from '../../../sessions/session.ts'

export interface LobbyReadersParts {
  readonly clock: Clock
  /** Reads the lobby as the game of this session would; rejects when the platform does not let it. */
  readonly read: (caller: Session, lobbyId: string) => Promise<unknown>
}

/** A member who was removed hears the lobby for so long. */
const MAY_MS = 60_000
/** Who was refused may join at any moment. Each question that is refused counts against the limit of invalid requests. */
const MAY_NOT_MS = 10_000
const KEPT_MAX = 1_000

interface Answer {
  readonly may: Promise<boolean>
  /** Milliseconds since the epoch; undefined while the platform is asked. */
  until: number | undefined
}

/** The platform's own no. Any other failure says nothing of the user, so the next message asks again. */
const isRefusal = (failure: unknown): boolean => {
  const status = failure instanceof BridgeError ? failure.detail.http_status : undefined
  return status === 401 || status === 403 || status === 404
}

export class LobbyReaders {
  readonly #parts: LobbyReadersParts
  /** By application, user and lobby; the oldest first. */
  readonly #answers = new Map<string, Answer>()

  constructor(parts: LobbyReadersParts) {
    this.#parts = parts
  }

  /** Whether the user who is signed in on this session may read the lobby. Never rejects: who cannot be asked about may not. */
  mayRead(caller: Session, lobbyId: string): Promise<boolean> {
    const key = `${caller.applicationId} ${caller.signedIn?.userId ?? ''} ${lobbyId}`
    const known = this.#answers.get(key)
    if (known !== undefined && (known.until === undefined || this.#parts.clock.now() < known.until)) return known.may
    const answer: Answer = { may: this.#ask(caller, lobbyId, (until) => (answer.until = until)), until: undefined }
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > KEPT_MAX && oldest !== undefined) this.#answers.delete(oldest)
    return answer.may
  }

  async #ask(caller: Session, lobbyId: string, expires: (until: number) => void): Promise<boolean> {
    const { clock, read } = this.#parts
    const answer = await read(caller, lobbyId).then(
      () => ({ may: true, forMs: MAY_MS }),
      (failure: unknown) => ({ may: false, forMs: isRefusal(failure) ? MAY_NOT_MS : 0 }),
    )
    expires(clock.now() + answer.forMs)
    return answer.may
  }
}
