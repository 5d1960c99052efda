/** Keeps the activity of one application current at a connected client, per process id, and resends it after a temporary failure. */
import type { Presence } from '../../../presence/sink.ts'
import type { ClientConnection } from '../../../platform/desktop/connection.ts'
import { toSetActivityArgs } from './set-activity-args.ts'

const RESPONSE_TIMEOUT_MS = 10_000

export class ActivitySync {
  readonly #connection: Pick<ClientConnection, 'call'>
  /** Returns whether a retry may succeed. */
  readonly #onRefused: (failure: unknown) => boolean
  #presence: Presence | undefined
  #pid: number | undefined
  #isPending = false

  constructor(connection: Pick<ClientConnection, 'call'>, onRefused: (failure: unknown) => boolean) {
    this.#connection = connection
    this.#onRefused = onRefused
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    this.#send()
  }

  /** Sends the presence again if it failed temporarily. */
  resend(): void {
    if (this.#isPending) this.#send()
  }

  #send(): void {
    this.#isPending = false
    const presence = this.#presence
    const pid = presence === undefined ? this.#pid : (presence.claimedPid ?? process.pid)
    if (pid === undefined) return
    // The activity of a process stays until that process clears it.
    if (this.#pid !== undefined && this.#pid !== pid) this.#set({ pid: this.#pid }, undefined)
    this.#pid = presence === undefined ? undefined : pid
    this.#set(presence === undefined ? { pid } : { pid, activity: toSetActivityArgs(presence.stored) }, presence)
  }

  #set(args: object, presence: Presence | undefined): void {
    this.#connection.call('SET_ACTIVITY', args, { timeoutMs: RESPONSE_TIMEOUT_MS }).catch((failure: unknown) => {
      const isTemporary = this.#onRefused(failure)
      // Only if no other presence replaced it meanwhile.
      this.#isPending ||= isTemporary && presence !== undefined && presence === this.#presence
    })
  }
}
