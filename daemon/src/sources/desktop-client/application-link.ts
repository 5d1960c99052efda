/**
 * One application and its client, through the client's coming and going: looked for when something is wanted, waited for without looking
 * again and again, and given back all that is wanted when it is there.
 *
 *   asleep ──wanted──▶ looking ──found──▶ up ──lost──▶ looking …
 *                        └──nobody──▶ waiting (the system tells of new sockets) ──▶ looking …
 */
import type { CommandRow } from '@sallyport/protocol'
import type { Clock } from '../../core/clock.ts'
import { BridgeError } from '../../core/errors.ts'
import type { StopSignal } from '../../core/stop.ts'
import type { Caller } from '../../dispatch/caller.ts'
import type { Presence } from '../../presence/sink.ts'
import type { ClientUsers } from './client-events.ts'
import { ClientSession, type ClientSessionParts } from './client-session.ts'
import type { Finder, Found, FoundClient, NotFound } from './finder.ts'
import type { FolderWatch } from './folder-watch.ts'
import { Retry } from './retry.ts'
import type { Wish } from './wishes.ts'

export interface ApplicationLinkParts extends ClientSessionParts {
  readonly clock: Clock
  readonly finder: Pick<Finder, 'find'>
  readonly watch: FolderWatch
  readonly onEvent: (name: string, data: unknown, users: ClientUsers) => void
  /** A client named its user; gives the id, undefined when it is no user. */
  readonly onUser: (user: unknown) => string | undefined
  /** The client can, or can no longer, show what the application does. */
  readonly onChange: () => void
}

/** A connection that lived so long was a good one: what broke it was something new. */
const STABLE_MS = 10_000
/** Whoever restarts a client has it back in that time. */
const RETURN_MS = 3_000
/** A subscription waits so long for a client that is being looked for. */
const WELCOME_MS = 1_000

interface Up {
  readonly session: ClientSession
  readonly since: number
  user: string | undefined
}

export class ApplicationLink {
  readonly #parts: ApplicationLinkParts
  readonly #retry: Retry
  #wishes: ReadonlyMap<string, Wish> = new Map()
  #isShowing = false
  #presence: Presence | undefined
  #up: Up | undefined
  #looking: Promise<void> | undefined
  /** Something appeared while it was being looked for. */
  #isStale = false
  /** It was there, and may be back in a moment. */
  #isReturning = false
  #cancelReturn: () => void = () => {}
  #isClosed = false
  #stopWaiting: (() => void) | undefined

  constructor(parts: ApplicationLinkParts) {
    this.#parts = parts
    this.#retry = new Retry(parts.clock)
  }

  get isUp(): boolean {
    return this.#up !== undefined
  }

  get wishes(): ReadonlyMap<string, Wish> {
    return this.#wishes
  }

  /** Whether something is wanted that a client that is away should come back for. */
  get isWanted(): boolean {
    return this.#wishes.size > 0 || this.#isShowing || this.#parts.hold.isHeldBy(this.#parts.applicationId)
  }

  /** Also for a moment after it went away, so that a restart does not send presence another way and back. */
  get canShow(): boolean {
    return this.isUp || this.#isReturning
  }

  want(wishes: ReadonlyMap<string, Wish>): void {
    this.#wishes = wishes
    if (this.#up !== undefined) void this.#up.session.want(wishes)
    else this.#wantedChanged()
  }

  /** One more is wanted, by a game that waits for the answer. Rejects when the client knows no such thing. */
  async welcome(wish: Wish): Promise<void> {
    if (!this.#wishes.has(wish.key)) this.want(new Map([...this.#wishes, [wish.key, wish]]))
    await this.#atMost(WELCOME_MS, async () => {
      await this.#looking
      await this.#up?.session.want(this.#wishes)
      await this.#up?.session.answered(wish.key)
    })
  }

  /** The application shows something, or nothing any more, whoever carries it. */
  expect(isShowing: boolean): void {
    this.#isShowing = isShowing
    if (this.#up === undefined) this.#wantedChanged()
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    this.#up?.session.show(presence)
  }

  /** Rejects with what the client answers, with SERVICE_UNAVAILABLE when none runs. */
  async call(caller: Caller, row: CommandRow, args: unknown, stop?: StopSignal): Promise<unknown> {
    if (this.#up === undefined) await this.#look()
    if (this.#up === undefined) {
      throw new BridgeError(
        'SERVICE_UNAVAILABLE',
        `${row.name} needs the platform's own desktop client, and none runs here; start it and try again.`,
      )
    }
    return this.#up.session.call(caller, row, args, stop)
  }

  /** The last session of the application left. */
  close(): void {
    this.#isClosed = true
    this.#rest()
    const { hold, applicationId } = this.#parts
    hold.release(applicationId)
    this.#up?.session.close()
    this.#up = undefined
  }

  // --- looking -----------------------------------------------------------------------------------------------------------------

  #wantedChanged(): void {
    if (!this.isWanted) this.#rest()
    else if (this.#stopWaiting === undefined) void this.#look()
  }

  #rest(): void {
    this.#retry.restart()
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    this.#endReturn()
  }

  #endReturn(): void {
    this.#cancelReturn()
    this.#isReturning = false
  }

  #look(): Promise<void> {
    this.#looking ??= this.#find().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #find(): Promise<void> {
    const { finder, applicationId } = this.#parts
    let found: Found
    do {
      this.#isStale = false
      // Heard from before each look, so that nothing appears in between.
      if (this.isWanted) this.#stopWaiting ??= this.#parts.watch.wait(() => this.#appeared())
      found = await finder.find(applicationId)
    } while (typeof found !== 'object' && !this.#isClosed && this.#mustLookAgain)
    if (typeof found !== 'object') this.#notFound(found)
    else if (this.#isClosed) found.connection.close()
    else this.#begin(found)
  }

  /** Something appeared while it was being looked for, or is wanted only since then. */
  get #mustLookAgain(): boolean {
    return this.#isStale || (this.isWanted && this.#stopWaiting === undefined)
  }

  #appeared(): void {
    this.#isStale = true
    this.#retry.restart()
    if (this.#up === undefined) void this.#look()
  }

  #notFound(outcome: NotFound): void {
    if (!this.#isClosed && this.isWanted) this.#retry.after(outcome, this.#parts.watch.isWatching, () => void this.#look())
  }

  // --- up ------------------------------------------------------------------------------------------------------------------------

  #begin({ connection, ready }: FoundClient): void {
    const { applicationId, clock, log, onUser } = this.#parts
    const session = new ClientSession(connection, this.#parts)
    const up: Up = { session, since: clock.now(), user: onUser(ready['user']) }
    connection.use({
      onEvent: (name, data) => this.#heard(up, name, data),
      onClosed: (reason) => this.#lost(up, reason),
    })
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    this.#retry.stop()
    const couldShow = this.canShow
    if (!connection.isOpen) return this.#lost(up, 'The connection to the desktop client broke.')
    this.#up = up
    this.#endReturn()
    log.info('desktop-client-linked', { application: applicationId })
    void session.restore({ wishes: this.#wishes, presence: this.#presence })
    if (!couldShow) this.#parts.onChange()
  }

  #heard(up: Up, name: string, data: unknown): void {
    if (name === 'CURRENT_USER_UPDATE') up.user = this.#parts.onUser(data) ?? up.user
    this.#parts.onEvent(name, data, { user: up.user, authenticated: up.session.authenticated })
  }

  #lost(up: Up, reason: string): void {
    if (this.#isClosed) return
    const { applicationId, clock, log, watch } = this.#parts
    log.info('desktop-client-lost', { application: applicationId, reason })
    if (clock.now() - up.since >= STABLE_MS) this.#retry.restart()
    this.#up = undefined
    if (this.isWanted) {
      this.#isReturning = true
      this.#cancelReturn = clock.after(RETURN_MS, () => {
        this.#isReturning = false
        this.#parts.onChange()
      })
      this.#stopWaiting ??= watch.wait(() => this.#appeared())
      this.#retry.afterLoss(() => void this.#look())
    } else this.#parts.onChange()
  }

  /** Waits for the work no longer than that; what it rejects with in time is passed on. */
  async #atMost(ms: number, work: () => Promise<void>): Promise<void> {
    let cancel = (): void => {}
    const late = new Promise<void>((resolve) => {
      cancel = this.#parts.clock.after(ms, resolve)
    })
    try {
      await Promise.race([work(), late])
    } finally {
      cancel()
    }
  }
}
