/** The presence that every connection should have, and the report of one that the game set without a connection. */
import type { CallResult, PresenceListener, PresenceReport } from './api.ts'
import { CallError, ConnectionLostError, errorFrom } from './errors.ts'
import { notify } from './notify.ts'

/** A presence that was set without a connection, until its end is reported. */
interface Kept {
  /** Arguments of its SET_ACTIVITY. */
  readonly args: object
  isSent: boolean
}

export class Presence {
  /** Arguments of the SET_ACTIVITY to repeat; undefined after a clear. */
  #desired: object | undefined
  #kept: Kept | undefined
  readonly #listeners = new Set<PresenceListener>()

  /** Whether the current connection has not got the presence that the game set last. */
  get isUnsent(): boolean {
    return this.#kept?.isSent === false
  }

  onPresence(listener: PresenceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Stores a presence when it is sent; returns a function that restores the previous one if the server refuses it. */
  set(args: object): () => void {
    const before = this.#desired
    const desired = isClear(args) ? undefined : copyOf(args)
    this.#desired = desired
    this.#kept = undefined
    return () => {
      // Keeps a newer presence.
      if (this.#desired === desired) this.#desired = before
    }
  }

  /** Stores a presence that cannot be sent yet. */
  keep(args: object): void {
    this.set(args)
    this.#kept = { args: this.#desired ?? copyOf(args), isSent: false }
  }

  /** Sends what a new connection should show; undefined if that is nothing, because it shows nothing yet. */
  restore(send: (args: object) => Promise<unknown>): Promise<unknown> | undefined {
    const kept = this.#kept
    if (kept !== undefined && this.#desired === undefined) this.#report(kept, { activity: null })
    if (this.#desired === undefined) return undefined
    return kept === undefined ? send(this.#desired) : this.#show(kept, send)
  }

  /** Sends a presence that the game set or cleared while the rest was being restored. */
  sendUnsent(send: (args: object) => Promise<unknown>): void {
    if (this.#kept !== undefined) this.#show(this.#kept, send).catch(() => {})
  }

  #show(kept: Kept, send: (args: object) => Promise<unknown>): Promise<unknown> {
    kept.isSent = true
    const shown = send(kept.args)
    shown.then(
      (activity) => this.#report(kept, { activity: activity as CallResult<'SET_ACTIVITY'> }),
      (error: unknown) => this.#fail(kept, errorFrom(error)),
    )
    return shown
  }

  #fail(kept: Kept, error: Error): void {
    // The next connection shows it.
    if (error instanceof ConnectionLostError) kept.isSent = false
    else {
      if (error instanceof CallError && this.#desired === kept.args) this.#desired = undefined
      this.#report(kept, { error })
    }
  }

  /** Not for a presence that the game has replaced. */
  #report(kept: Kept, report: PresenceReport): void {
    if (this.#kept !== kept) return
    this.#kept = undefined
    for (const listener of Array.from(this.#listeners)) notify(listener, report)
  }
}

const isClear = (args: object): boolean => !('activity' in args) || args.activity === null || args.activity === undefined

/** A copy, because games reuse and modify one object. */
const copyOf = (args: object): object => JSON.parse(JSON.stringify(args)) as object
