/** What one application shows at a client that runs now: by the process that shows it, and sent again when it could not be taken for the moment. */
import type { Presence } from '../../../presence/sink.ts'
import type { Connection } from '../../../platform/desktop/connection.ts'
import { settableActivity } from './settable-activity.ts'

const ANSWER_MS = 10_000

export class ShownActivity {
  readonly #connection: Pick<Connection, 'call'>
  /** Gives whether the same may be taken later. */
  readonly #onRefused: (failure: unknown) => boolean
  #presence: Presence | undefined
  #pid: number | undefined
  #isDue = false

  constructor(connection: Pick<Connection, 'call'>, onRefused: (failure: unknown) => boolean) {
    this.#connection = connection
    this.#onRefused = onRefused
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    this.#send()
  }

  /** Sends once more what was refused for the moment. */
  again(): void {
    if (this.#isDue) this.#send()
  }

  #send(): void {
    this.#isDue = false
    const presence = this.#presence
    const pid = presence === undefined ? this.#pid : (presence.claimedPid ?? process.pid)
    if (pid === undefined) return
    // What a process shows stays until that process takes it back.
    if (this.#pid !== undefined && this.#pid !== pid) this.#set({ pid: this.#pid }, undefined)
    this.#pid = presence === undefined ? undefined : pid
    this.#set(presence === undefined ? { pid } : { pid, activity: settableActivity(presence.stored) }, presence)
  }

  #set(args: object, presence: Presence | undefined): void {
    this.#connection.call('SET_ACTIVITY', args, { withinMs: ANSWER_MS }).catch((failure: unknown) => {
      const isForNow = this.#onRefused(failure)
      // Nothing else took its place meanwhile.
      this.#isDue ||= isForNow && presence !== undefined && presence === this.#presence
    })
  }
}
