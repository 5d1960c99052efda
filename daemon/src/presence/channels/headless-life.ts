/**
 * The headless session of one user of an application: made, changed, kept alive and ended so that the platform shows what is wanted. One request at a
 * time; what is wanted meanwhile waits for its end, the newest alone.
 */
import { type HeadlessSession, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError, toWireError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { Session } from '../../sessions/session.ts'
import type { Player, Presence } from '../sink.ts'
import { headlessActivity } from './headless-activity.ts'

export interface HeadlessPorts {
  readonly clock: Clock
  readonly log: Logger
  /** Connections on which the player is signed in and may write activities, the newest last. */
  readonly speakers: () => readonly Session[]
  /** A call in the name of a session, as if its game had made it. */
  readonly call: (caller: Session, cmd: string, args: unknown) => unknown
}

/** What the platform shows. */
interface Live {
  readonly presence: Presence
  /** In whose name it was made. */
  readonly speaker: Session
  /** The same, as it was then. */
  readonly deputy: Session
  /** With which it is changed and ended. */
  readonly token: Secret<string>
  /** What others join it by. */
  readonly sessionId: string | undefined
}

interface Failure {
  readonly speaker: Session
  readonly reason: string
}

/** Between a failure and the next try; each further one doubles it. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 900_000

/** The platform said no, rather than nothing. */
const isRefusal = (failure: unknown): boolean => {
  const status = failure instanceof BridgeError ? (failure.detail.http_status ?? 0) : 0
  return status >= 400 && status < 500 && status !== 429
}

export class HeadlessLife {
  readonly #player: Player
  readonly #ports: HeadlessPorts
  #wanted: Presence | undefined
  #live: Live | undefined
  /** What is shown must be shown again, or it ends by itself. */
  #isDue = false
  #failures = 0
  #failure: Failure | undefined
  #cancelTimer: () => void = () => {}
  #isWorking = false
  #work: Promise<void> = Promise.resolve()

  constructor(player: Player, ports: HeadlessPorts) {
    this.#player = player
    this.#ports = ports
  }

  /** What others join the player by; undefined while the platform shows nothing that they could join. */
  get joinSession(): string | undefined {
    return this.#live?.presence.stored.secrets?.join === undefined ? undefined : this.#live.sessionId
  }

  /** Why the platform does not show it, as a sentence. */
  get failure(): string | undefined {
    return this.#failure?.reason
  }

  get isOver(): boolean {
    return this.#wanted === undefined && this.#live === undefined && !this.#isWorking
  }

  /** Resolves when nothing is under way. */
  get settled(): Promise<void> {
    return this.#work
  }

  show(presence: Presence | undefined): void {
    this.#wanted = presence
    this.reconsider()
  }

  /** Somebody signed in or out. */
  reconsider(): void {
    const speaker = this.#wanted && this.#speakerFor(this.#wanted)
    // The pause after a failure holds for what is shown next, too, but not for somebody else.
    if (speaker !== undefined && speaker === this.#failure?.speaker) return
    this.#recovered()
    this.#proceed()
  }

  #proceed(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#work = this.#reconcile()
  }

  /** Step by step to what is wanted. Never rejects. */
  async #reconcile(): Promise<void> {
    for (;;) {
      const wanted = this.#wanted
      const speaker = wanted && this.#speakerFor(wanted)
      const live = this.#live
      if (wanted === undefined || speaker === undefined) {
        if (live !== undefined) await this.#end(live)
        else {
          this.#cancelTimer()
          break
        }
      } else if (live?.presence === wanted && !this.#isDue) break
      // What failed is tried again later, unless nothing is wanted by then.
      else if (!(await this.#make(wanted, speaker, live)) && this.#wanted !== undefined) break
    }
    this.#isWorking = false
  }

  /** The session whose presence it is, if the player signed in on it; else the newest. */
  #speakerFor({ sessionId }: Presence): Session | undefined {
    const speakers = this.#ports.speakers()
    return speakers.find(({ channel }) => channel.id === sessionId) ?? speakers.at(-1)
  }

  /** Gives false when it is to be tried again later. */
  async #make(presence: Presence, speaker: Session, live: Live | undefined): Promise<boolean> {
    const activity = headlessActivity(presence.stored, this.#player.applicationId, speaker.signedIn?.applicationName ?? '')
    const deputy = speaker.detached()
    try {
      const { activities, token } = (await this.#ports.call(deputy, 'CREATE_HEADLESS_SESSION', {
        activities: [activity],
        token: live?.token.reveal(),
      })) as HeadlessSession
      this.#live = { presence, speaker, deputy, token: new Secret(token), sessionId: activities[0]?.session_id ?? undefined }
      this.#isDue = false
      this.#recovered()
      this.#later(LIMITS.headlessRefreshMs.value, () => {
        this.#isDue = true
      })
      return true
    } catch (failure) {
      if (live === undefined || !isRefusal(failure)) return this.#failed(speaker, failure)
      // It may have ended meanwhile, while the machine slept, say: a new one is made.
      this.#live = undefined
      return true
    }
  }

  /** One that cannot be ended now ends by itself. */
  async #end(live: Live): Promise<void> {
    this.#cancelTimer()
    this.#live = undefined
    this.#isDue = false
    const { speaker, deputy, token } = live
    // After a revocation there is nothing left to end it with.
    if (speaker.signedIn === undefined) return
    const by = speaker.signedIn.userId === this.#player.userId ? speaker.detached() : deputy
    try {
      await this.#ports.call(by, 'DELETE_HEADLESS_SESSION', { token: token.reveal() })
    } catch (failure) {
      this.#ports.log.info('headless-session-left', { application: this.#player.applicationId, code: toWireError(failure).code })
    }
  }

  #failed(speaker: Session, failure: unknown): false {
    const { code, message } = toWireError(failure)
    const known = failure instanceof BridgeError ? {} : { err: failure }
    this.#ports.log.warn('headless-session-failed', { application: this.#player.applicationId, code, ...known })
    this.#failure = { speaker, reason: message }
    this.#later(Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS), () => {})
    this.#failures++
    return false
  }

  #recovered(): void {
    this.#failures = 0
    this.#failure = undefined
  }

  #later(delayMs: number, first: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#ports.clock.after(delayMs, () => {
      first()
      this.#proceed()
    })
  }
}
