/** Which users may receive the events of a lobby. Events do not list the members, so the lobby is read on behalf of the subscribed user. */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { ENDPOINTS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { ApiClient } from '../../../sessions/api-client.ts'
import type { Session } from '../../../sessions/session.ts'

export interface LobbyAccessDeps {
  readonly clock: Clock
  /** Calls the platform as the game of a session would. */
  readonly api: Pick<ApiClient, 'asSession'>
}

/** A removed member receives events of the lobby for up to this long. */
const ALLOWED_TTL_MS = 60_000
/** A refused user may join at any moment, but each refused read counts against the platform's limit of invalid requests. */
const DENIED_TTL_MS = 10_000
const ENTRIES_MAX = 1_000

interface AccessEntry {
  readonly allowed: Promise<boolean>
  /** Milliseconds since the epoch; undefined while the lobby is being read. */
  until: number | undefined
}

/** Whether the platform refused the user. After any other failure the next message reads the lobby again. */
const isRefusal = (failure: unknown): boolean => {
  const status = failure instanceof BridgeError ? failure.detail.http_status : undefined
  return status === 401 || status === 403 || status === 404
}

export class LobbyAccessCache {
  readonly #deps: LobbyAccessDeps
  /** By application, user and lobby; the oldest first. */
  readonly #entries = new BoundedMap<string, AccessEntry>(ENTRIES_MAX)

  constructor(deps: LobbyAccessDeps) {
    this.#deps = deps
  }

  /** Whether the user who is signed in on this session may read the lobby. Never rejects: a failed read means false. */
  canRead(session: Session, lobbyId: string): Promise<boolean> {
    const key = `${session.applicationId} ${session.signedIn?.userId ?? ''} ${lobbyId}`
    const known = this.#entries.get(key)
    if (known !== undefined && (known.until === undefined || this.#deps.clock.now() < known.until)) return known.allowed
    const answer: AccessEntry = { allowed: this.#read(session, lobbyId, (until) => (answer.until = until)), until: undefined }
    this.#entries.set(key, answer)
    return answer.allowed
  }

  async #read(session: Session, lobbyId: string, expires: (until: number) => void): Promise<boolean> {
    const { clock, api } = this.#deps
    const answer = await api.asSession(session, ENDPOINTS.GET_LOBBY_MESSAGES, { lobby_id: lobbyId, limit: 1 }).then(
      () => ({ may: true, forMs: ALLOWED_TTL_MS }),
      (failure: unknown) => ({ may: false, forMs: isRefusal(failure) ? DENIED_TTL_MS : 0 }),
    )
    expires(clock.now() + answer.forMs)
    return answer.may
  }
}
