/**
 * One application and its client, through the client's coming and going: looked for when something is wanted, waited for without looking
 * again and again, and given back all that is wanted when it is there.
 *
 *   asleep ──wanted──▶ looking ──found──▶ up ──lost──▶ looking …
 *                        └──nobody──▶ waiting (the system tells of new sockets) ──▶ looking …
 *
 * A server that takes presence and answers nothing else is used for that, while a better one is waited for.
 */
import type { CommandRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { Presence } from '../../../presence/sink.ts'
import type { Door } from '../../../ipc/transport/dial.ts'
import type { ClientUsers } from './client-events.ts'
import { ClientSession, type ClientSessionParts } from './client-session.ts'
import type { Finder } from '../../../platform/desktop/finder.ts'
import type { FolderWatch } from '../../../platform/desktop/folder-watch.ts'
import { notForOthers } from './of-its-user.ts'
import { Retry } from '../../../platform/desktop/retry.ts'
import type { Found, FoundClient, NotFound } from '../../../platform/desktop/search.ts'
import type { Wish } from './wishes.ts'

export interface ApplicationLinkParts extends ClientSessionParts {
  readonly finder: Pick<Finder, 'find' | 'know'>
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
  readonly door: Door
  readonly since: number
}

/** Why a command cannot be carried out, after its name. */
const WITHOUT: Readonly<Record<NotFound, string>> = {
  nobody: "needs the platform's own desktop client, and none runs here; start it and try again.",
  refused: "needs the platform's own desktop client, and none runs here; start it and try again.",
  silent: "needs the platform's own desktop client, which does not say hello; try again, and restart it if that lasts.",
  'turned-away': "needs the platform's own desktop client, which does not take this application; check its id.",
}

export class ApplicationLink {
  readonly #parts: ApplicationLinkParts
  readonly #retry: Retry
  readonly #closed = new Canceller()
  #wishes: ReadonlyMap<string, Wish> = new Map()
  #isShowing = false
  #presence: Presence | undefined
  #up: Up | undefined
  /** Of the client that is there, or was a moment ago. */
  #user: string | undefined
  #looking: Promise<void> | undefined
  #outcome: NotFound = 'nobody'
  /** Something appeared while it was being looked for. */
  #isStale = false
  /** It was there, and may be back in a moment. */
  #isReturning = false
  #cancelReturn: () => void = () => {}
  #stopWaiting: (() => void) | undefined

  constructor(parts: ApplicationLinkParts) {
    this.#parts = parts
    this.#retry = new Retry(parts.clock)
  }

  get isUp(): boolean {
    return this.#up !== undefined
  }

  /** What is there takes presence, and answers nothing else. */
  get isPresenceOnly(): boolean {
    return this.#up?.session.isPresenceOnly === true
  }

  get wishes(): ReadonlyMap<string, Wish> {
    return this.#wishes
  }

  /** Whether something is wanted that a client that is away should come back for. */
  get isWanted(): boolean {
    return this.#wishes.size > 0 || this.#isShowing || this.#parts.hold.isHeldBy(this.#parts.applicationId)
  }

  /** Whether the client is this user's, as far as it says whose it is. Whoever did not sign in is its user. */
  serves(userId: string | undefined): boolean {
    return userId === undefined || this.#user === undefined || userId === this.#user
  }

  /**
   * Also for a moment after it went away, so that a restart does not send presence another way and back. What takes presence only is nobody's
   * client: whom it names means nothing.
   */
  canShow(userId: string | undefined): boolean {
    return (this.isUp || this.#isReturning) && (this.isPresenceOnly || this.serves(userId))
  }

  want(wishes: ReadonlyMap<string, Wish>): void {
    this.#wishes = wishes
    this.#up?.session.want(wishes)
    this.#wantedChanged()
  }

  /** One more is wanted, by a game that waits for the answer. Rejects when the client knows no such thing. */
  async welcome(wish: Wish): Promise<void> {
    if (!this.#wishes.has(wish.key)) this.want(new Map([...this.#wishes, [wish.key, wish]]))
    await this.#atMost(WELCOME_MS, async () => {
      if (this.#up === undefined) await this.#looking
      await this.#up?.session.answered(wish.key)
    })
  }

  /** The application shows something, or nothing any more, whoever carries it. */
  expect(isShowing: boolean): void {
    this.#isShowing = isShowing
    this.#wantedChanged()
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    this.#up?.session.show(presence)
  }

  /** Rejects with what the client answers, with SERVICE_UNAVAILABLE when none runs. */
  async call(caller: Session, row: CommandRow, args: unknown, stop?: CancelSignal): Promise<unknown> {
    if (this.#up === undefined) await this.#look()
    // A better one may have come: for the next call.
    else if (this.isPresenceOnly) void this.#look()
    if (this.#up === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', `${row.name} ${WITHOUT[this.#outcome]}`)
    const refusal = this.serves(caller.signedIn?.userId) ? undefined : notForOthers(row.name)
    if (refusal !== undefined) throw refusal
    return this.#up.session.call(caller, row, args, stop)
  }

  /** The last session of the application left. */
  close(): void {
    this.#rest()
    const { hold, applicationId } = this.#parts
    hold.release(applicationId)
    const up = this.#up
    this.#up = undefined
    up?.session.close()
    this.#closed.stop()
  }

  // --- looking -----------------------------------------------------------------------------------------------------------------

  /** Nothing more could be found. */
  get #isContent(): boolean {
    return this.isUp && !this.isPresenceOnly
  }

  #wantedChanged(): void {
    if (this.#isContent) return
    if (!this.isWanted) this.#rest()
    else if (this.#stopWaiting === undefined) void this.#look()
  }

  #rest(): void {
    this.#retry.restart()
    this.#stopWatching()
    this.#endReturn()
  }

  #stopWatching(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
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
      found = await finder.find(applicationId, { isBetterWanted: this.isPresenceOnly, stop: this.#closed })
    } while (typeof found !== 'object' && !this.#closed.aborted && this.#mustLookAgain)
    if (typeof found !== 'object') this.#notFound(found)
    else if (this.#closed.aborted || this.#isContent) found.connection.close()
    else this.#begin(found)
  }

  /** Something appeared while it was being looked for, or is wanted only since then. */
  get #mustLookAgain(): boolean {
    return this.#isStale || (this.isWanted && this.#stopWaiting === undefined && !this.#isContent)
  }

  #appeared(): void {
    this.#isStale = true
    this.#retry.restart()
    if (!this.#isContent) void this.#look()
  }

  #notFound(outcome: NotFound): void {
    this.#outcome = outcome
    if (this.#closed.aborted || !this.isWanted || this.#isContent) return
    this.#retry.after(outcome, this.#parts.watch.isWatching, () => void this.#look())
  }

  // --- up ------------------------------------------------------------------------------------------------------------------------

  #begin({ connection, ready, door }: FoundClient): void {
    const { applicationId, clock, log, onUser } = this.#parts
    // It went away with its first word.
    if (!connection.isOpen) return this.#notFound('silent')
    const session = new ClientSession(connection, this.#parts)
    const up: Up = { session, door, since: clock.now() }
    connection.use({
      onEvent: (name, data) => this.#heard(up, name, data),
      onStanding: () => this.#stands(up),
      onClosed: (reason) => this.#lost(up, reason),
    })
    const user = onUser(ready['user'])
    const isKnown = (this.isUp || this.#isReturning) && user === this.#user
    const before = this.#up
    this.#up = up
    this.#user = user
    before?.session.close()
    if (!session.isPresenceOnly) this.#beContent()
    // One that was too slow to say hello before this one did is better.
    else if (this.isWanted) this.#retry.afterRefusal(() => void this.#look())
    this.#endReturn()
    log.info('desktop-client-linked', { application: applicationId, path: door.path })
    // What another user shows is taken elsewhere by whoever hears of the change.
    const presence = this.canShow(this.#presence?.userId) ? this.#presence : undefined
    session.restore({ wishes: this.#wishes, presence })
    if (!isKnown) this.#parts.onChange()
  }

  #beContent(): void {
    this.#stopWatching()
    this.#retry.stop()
  }

  #heard(up: Up, name: string, data: unknown): void {
    if (this.#up !== up) return
    if (name === 'CURRENT_USER_UPDATE') this.#isOf(this.#parts.onUser(data) ?? this.#user)
    this.#parts.onEvent(name, data, { user: this.#user, authenticated: up.session.authenticated })
  }

  #isOf(user: string | undefined): void {
    const isNew = user !== this.#user
    this.#user = user
    if (isNew) this.#parts.onChange()
  }

  /** It turned out to take presence only, or to answer after all. */
  #stands(up: Up): void {
    const { isPresenceOnly } = up.session
    this.#parts.finder.know(up.door, isPresenceOnly)
    if (this.#up !== up) return
    this.#parts.log.info('desktop-client-standing', { application: this.#parts.applicationId, path: up.door.path, isPresenceOnly })
    if (isPresenceOnly) void this.#look()
    else {
      this.#beContent()
      up.session.again()
    }
    this.#parts.onChange()
  }

  #lost(up: Up, reason: string): void {
    up.session.close()
    if (this.#up !== up) return
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
