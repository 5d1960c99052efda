/**
 * Charges unfinished frames, open calls and unsent bytes of connections to their program. A program over its limit is paused: none of its connections is
 * read, except the one with the oldest unfinished frame, so that one frame can always be completed.
 *
 *   over the limit ──▶ all connections of the program pause ──released──▶ they resume
 *                       the oldest unfinished frame is still read; without progress for stalledFrameMs its connection is closed
 *   no room at all ──▶ the program with the most bytes loses the connection with its oldest unfinished frame
 *
 * Bytes that peers do not read are charged too: see unsent.ts.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { CLOSE_CODES } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { type Linked, LinkedList } from '@sallyport/core/linked-list'
import { type IsGranted, Ledger, type Share } from './ledger.ts'
import { RESOURCES } from './resources.ts'
import { type Unread, Unsent } from './unsent.ts'

/** A connection that accounting can pause or close. */
export interface MeteredConnection {
  /** Called when `isPaused` has changed. */
  applyBackpressure(): void
  /** Closes it. Its unfinished frame is released before this returns. */
  close(code: number, reason: string): void
  /** Closes it at once, because its peer does not read. Its unsent bytes are released before this returns. */
  drop(): void
}

/** The usage record of one connection. */
export interface ConnectionUsage {
  /** Too many connections are open, so this one must be closed. */
  readonly isRefused: boolean
  /** Reading must pause. */
  readonly isPaused: boolean
  /** Whether another call of this size may be open. */
  hasRoomForCall(bytes: number): boolean
  callOpened(bytes: number): void
  callEnded(bytes: number): void
  /** Sets the buffered bytes of the unfinished frame. `isAnother`: it is a different frame than before. */
  setUnfinishedBytes(bytes: number, isAnother: boolean): void
  /** Sets the bytes that the peer has not read. May drop connections, also this one. */
  setUnsentBytes(bytes: number): void
  /** The connection is closed. Idempotent. */
  end(): void
}

/** A connection of a program made the daemon hold so many bytes more. */
export type OnHeld = (bytes: number, isGranted: IsGranted) => void

/** A program as it is counted. */
export interface Holder {
  readonly key: string
  readonly isGranted: IsGranted
}

/** What an ended connection leaves as garbage, about. */
const CONNECTION_BYTES = 8 * 1024
/** As many paused programs are looked at whenever something is released. */
const FEW_PROGRAMS = 32
/** More of them are looked at together, after this time. */
const MANY_MS = 10

const { ofProgram, withoutGrant } = RESOURCES.connections
const TOO_MANY = `This bridge serves at most ${withoutGrant.ofProgram} connections of a program that the user has not allowed yet, and ${ofProgram} of any other; close some first.`
const STALLED = `A frame made no progress for ${BUDGETS.stalledFrameMs.value / 1000} s, while other frames need its buffer space.`
const NO_ROOM = 'There is no buffer space left for unfinished frames.'

/** The usage of one connected program. */
class ProgramUsage {
  readonly key: string
  readonly connections = new Set<Connection>()
  /** Those with an unfinished frame, the oldest first. */
  readonly unfinished = new LinkedList<Connection>()
  readonly frames: Share
  readonly calls: Share
  readonly callBytes: Share
  readonly unread: Unread<Connection>
  areFramesOver = false
  areCallsOver = false

  constructor({ key, isGranted }: Holder, ledgers: Ledgers) {
    this.key = key
    this.frames = ledgers.frames.share(key, isGranted)
    this.calls = ledgers.calls.share(key, isGranted)
    this.callBytes = ledgers.callBytes.share(key, isGranted)
    this.unread = { connections: this.connections, share: ledgers.unsent.share(key, isGranted), isGranted, isOver: false }
  }

  get oldest(): Connection | undefined {
    return this.unfinished.first
  }

  updatePause(): void {
    for (const { member } of [...this.connections]) member.applyBackpressure()
  }

  end(): void {
    this.frames.close()
    this.calls.close()
    this.callBytes.close()
    this.unread.share.close()
  }
}

interface Ledgers {
  readonly connections: Ledger
  readonly frames: Ledger
  readonly calls: Ledger
  readonly callBytes: Ledger
  readonly unsent: Ledger
}

class Connection implements ConnectionUsage, Linked<Connection> {
  before: Connection | undefined
  after: Connection | undefined
  readonly member: MeteredConnection
  readonly isRefused: boolean
  /** When its unfinished frame last grew. */
  grewAt = 0
  readonly #program: ProgramUsage
  readonly #all: Connections
  readonly #share: Share
  #frameBytes = 0
  #calls = 0
  #callBytes = 0
  unsentBytes = 0
  #isOver = false

  constructor(all: Connections, program: ProgramUsage, share: Share, member: MeteredConnection) {
    this.#all = all
    this.#program = program
    this.#share = share
    this.member = member
    this.isRefused = !share.tryCharge(1)
  }

  get program(): ProgramUsage {
    return this.#program
  }

  get isPaused(): boolean {
    const program = this.#program
    const isUnreadOver = program.unread.isOver && this.unsentBytes > 0
    return program.areCallsOver || isUnreadOver || (program.areFramesOver && program.oldest !== this)
  }

  hasRoomForCall(bytes: number): boolean {
    const { calls, callBytes } = this.#all.ledgers
    return calls.hasRoom(1) && callBytes.hasRoom(bytes)
  }

  callOpened(bytes: number): void {
    if (this.#isOver) return
    this.#calls += 1
    this.#callBytes += bytes
    const { calls, callBytes } = this.#program
    const isWithin = calls.charge(1)
    if (!(callBytes.charge(bytes) && isWithin)) this.#all.pauseForCalls(this.#program)
  }

  callEnded(bytes: number): void {
    if (this.#isOver) return
    this.#calls -= 1
    this.#callBytes -= bytes
    this.#program.calls.release(1)
    this.#program.callBytes.release(bytes)
    this.#all.onReleased()
  }

  setUnfinishedBytes(bytes: number, isAnother: boolean): void {
    if (this.#isOver) return
    const program = this.#program
    const wasOldest = program.oldest === this
    const change = bytes - this.#frameBytes
    if (bytes === 0 || isAnother) program.unfinished.delete(this)
    if (bytes > 0) {
      program.unfinished.add(this)
      this.grewAt = this.#all.clock.now()
    }
    if (change < 0) program.frames.release(-change)
    else if (change > 0) {
      this.#all.onHeld(change, program.unread.isGranted)
      if (!this.#all.useFrames(this, change)) return
    }
    this.#frameBytes = bytes
    if (wasOldest && program.areFramesOver && program.oldest !== this) program.oldest?.member.applyBackpressure()
    if (change < 0) this.#all.onReleased()
  }

  setUnsentBytes(bytes: number): void {
    if (this.#isOver || bytes === this.unsentBytes) return
    const change = bytes - this.unsentBytes
    this.unsentBytes = bytes
    if (change > 0) this.#all.onHeld(change, this.#program.unread.isGranted)
    this.#all.unsent.change(this.#program.unread, change)
  }

  end(): void {
    if (this.#isOver) return
    this.setUnfinishedBytes(0, false)
    this.setUnsentBytes(0)
    this.#program.calls.release(this.#calls)
    this.#program.callBytes.release(this.#callBytes)
    this.#isOver = true
    this.#share.close()
    this.#all.onEnded(this)
  }
}

export class Connections {
  readonly clock: Clock
  readonly ledgers: Ledgers
  readonly unsent: Unsent<Connection>
  /** For connections only: one holds so many bytes more, or held them to its end. */
  readonly onHeld: OnHeld
  readonly #programs = new Map<string, ProgramUsage>()
  /** Paused programs. */
  readonly #over = new Set<ProgramUsage>()
  #cancelTimer: (() => void) | undefined
  #isResumeDue = false

  constructor(clock: Clock, onHeld: OnHeld = () => {}) {
    this.clock = clock
    this.onHeld = onHeld
    this.ledgers = {
      connections: new Ledger(RESOURCES.connections),
      frames: new Ledger(RESOURCES.unfinishedFrameBytes),
      calls: new Ledger(RESOURCES.pendingCalls),
      callBytes: new Ledger(RESOURCES.pendingCallBytes),
      unsent: new Ledger(RESOURCES.unsentBytes),
    }
    this.unsent = new Unsent(this.ledgers.unsent, () => [...this.#programs.values()].map(({ unread }) => unread))
  }

  /** Opens the usage record of a connection of this program. A refused one must be ended too. */
  open(holder: Holder, member: MeteredConnection): ConnectionUsage {
    const { key, isGranted } = holder
    let program = this.#programs.get(key)
    if (program === undefined) {
      program = new ProgramUsage(holder, this.ledgers)
      this.#programs.set(key, program)
    }
    const connection = new Connection(this, program, this.ledgers.connections.share(key, isGranted), member)
    program.connections.add(connection)
    return connection
  }

  /** For connections only. */
  pauseForCalls(program: ProgramUsage): void {
    if (program.areCallsOver) return
    program.areCallsOver = true
    this.#over.add(program)
    program.updatePause()
  }

  /** For connections only: charges the growth of an unfinished frame. False when there was no room and the connection was closed. */
  useFrames(connection: Connection, bytes: number): boolean {
    const { program } = connection
    while (!this.ledgers.frames.hasRoom(bytes)) {
      const victim = this.#largest(program.frames.amount + bytes)?.oldest ?? connection
      victim.member.close(CLOSE_CODES.RATELIMITED.code, NO_ROOM)
      if (victim === connection) return false
    }
    if (program.frames.charge(bytes) || program.areFramesOver) return true
    program.areFramesOver = true
    this.#over.add(program)
    program.updatePause()
    this.#scheduleStallCheck()
    return true
  }

  /** For connections only: something was released. */
  onReleased(): void {
    if (this.#over.size <= FEW_PROGRAMS) return this.#resumePrograms()
    if (this.#isResumeDue) return
    this.#isResumeDue = true
    this.clock.after(MANY_MS, () => {
      this.#isResumeDue = false
      this.#resumePrograms()
    })
  }

  #resumePrograms(): void {
    if (this.#over.size === 0) return
    // The program with the least usage resumes first.
    for (const program of [...this.#over].toSorted((one, other) => one.frames.amount - other.frames.amount)) {
      const hadToWait = program.areFramesOver || program.areCallsOver
      program.areFramesOver &&= !program.frames.canResume
      program.areCallsOver &&= !(program.calls.canResume && program.callBytes.canResume)
      if (program.areFramesOver || program.areCallsOver || !hadToWait) continue
      this.#over.delete(program)
      program.updatePause()
    }
    if (!this.#isAnyOverFrames()) this.#cancelStallCheck()
  }

  /** For connections only. */
  onEnded(connection: Connection): void {
    const { program } = connection
    this.onHeld(CONNECTION_BYTES, program.unread.isGranted)
    program.connections.delete(connection)
    if (program.connections.size === 0) {
      program.end()
      this.#programs.delete(program.key)
      this.#over.delete(program)
    }
    this.onReleased()
  }

  #isAnyOverFrames(): boolean {
    for (const { areFramesOver } of this.#over) if (areFramesOver) return true
    return false
  }

  /** The program with the most bytes of unfinished frames, if more than `thanBytes`. */
  #largest(thanBytes: number): ProgramUsage | undefined {
    let largest: ProgramUsage | undefined
    for (const program of this.#programs.values()) if (program.frames.amount > (largest?.frames.amount ?? thanBytes)) largest = program
    return largest
  }

  #scheduleStallCheck(): void {
    this.#cancelTimer ??= this.clock.after(BUDGETS.stalledFrameMs.value, () => {
      this.#cancelTimer = undefined
      this.#closeStalled()
      if (this.#isAnyOverFrames()) this.#scheduleStallCheck()
    })
  }

  #cancelStallCheck(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** Closes connections without progress: checks the oldest frame of each paused program and of the largest one. */
  #closeStalled(): void {
    const since = this.clock.now() - BUDGETS.stalledFrameMs.value
    const waiting = [...this.#over].filter(({ areFramesOver }) => areFramesOver)
    if (waiting.length === 0) return
    const largest = this.#largest(0)
    for (const program of new Set(largest === undefined ? waiting : [...waiting, largest])) {
      const { oldest } = program
      // A connection paused because of open calls cannot make progress, so it stays open.
      if (oldest === undefined || oldest.isPaused || oldest.grewAt > since) continue
      oldest.member.close(CLOSE_CODES.CLOSE_ABNORMAL.code, STALLED)
    }
  }
}

export const TOO_MANY_CONNECTIONS = { code: CLOSE_CODES.RATELIMITED.code, reason: TOO_MANY }
