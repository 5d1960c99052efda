/**
 * What connections hold: unfinished frames and open calls, charged to the program at the other end. A program that holds too much is read no
 * further, on all its connections, but for the one whose unfinished frame is the oldest: so there is always one that can come to its end.
 *
 *   too much ──▶ all connections of the program wait ──given back──▶ they are read on
 *                 the oldest unfinished frame is read on; it stands still for stalledFrameMs: its connection is closed
 *   no room for anybody ──▶ the program that holds most loses the connection with its oldest unfinished frame
 */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { Ledger, type Share } from './ledger.ts'
import { RESOURCES } from './resources.ts'

/** A connection as it is slowed or closed. */
export interface Member {
  /** Whether it must wait has changed. */
  regulate(): void
  /** Closes it. What it holds of a frame is given back before this returns. */
  close(code: number, reason: string): void
}

/** What one connection is charged. */
export interface ConnectionAccount {
  /** There are too many connections: it is to be closed. */
  readonly isRefused: boolean
  /** It is to be read no further now. */
  readonly mustWait: boolean
  /** Whether a call with so many bytes may be open besides all others. */
  hasRoomForCall(bytes: number): boolean
  callOpened(bytes: number): void
  callEnded(bytes: number): void
  /** So much is held of an unfinished frame now. `isAnother`: it is not the one of which something was held before. */
  unfinished(bytes: number, isAnother: boolean): void
  /** The connection is over. Once is enough. */
  end(): void
}

const TOO_MANY = `This bridge serves at most ${RESOURCES.connections.ofProgram} connections of one program, and ${RESOURCES.connections.ofAll} in all; close some first.`
const STALLED = `A frame came no further for ${LIMITS.stalledFrameMs.value / 1000} s, while others wait for the room that it takes.`
const NO_ROOM = 'There is no room for frames that do not come to their end: too much of them waits here.'

/** One program, while it is connected. */
class Program {
  readonly key: string
  readonly connections = new Set<Connection>()
  /** Those that hold an unfinished frame, the oldest first. */
  readonly unfinished = new Set<Connection>()
  readonly frames: Share
  readonly calls: Share
  readonly callBytes: Share
  areFramesOver = false
  areCallsOver = false

  constructor(key: string, ledgers: Ledgers) {
    this.key = key
    this.frames = ledgers.frames.share(key)
    this.calls = ledgers.calls.share(key)
    this.callBytes = ledgers.callBytes.share(key)
  }

  get oldest(): Connection | undefined {
    const [oldest] = this.unfinished
    return oldest
  }

  regulate(): void {
    for (const { member } of [...this.connections]) member.regulate()
  }

  end(): void {
    this.frames.end()
    this.calls.end()
    this.callBytes.end()
  }
}

interface Ledgers {
  readonly connections: Ledger
  readonly frames: Ledger
  readonly calls: Ledger
  readonly callBytes: Ledger
}

class Connection implements ConnectionAccount {
  readonly member: Member
  readonly isRefused: boolean
  /** When its unfinished frame last grew. */
  grewAt = 0
  readonly #program: Program
  readonly #all: Connections
  readonly #place: Share
  #frameBytes = 0
  #calls = 0
  #callBytes = 0
  #isOver = false

  constructor(all: Connections, program: Program, place: Share, member: Member) {
    this.#all = all
    this.#program = program
    this.#place = place
    this.member = member
    this.isRefused = !place.take(1)
  }

  get program(): Program {
    return this.#program
  }

  get mustWait(): boolean {
    const program = this.#program
    return program.areCallsOver || (program.areFramesOver && program.oldest !== this)
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
    const isWithin = calls.use(1)
    if (!(callBytes.use(bytes) && isWithin)) this.#all.callsOver(this.#program)
  }

  callEnded(bytes: number): void {
    if (this.#isOver) return
    this.#calls -= 1
    this.#callBytes -= bytes
    this.#program.calls.give(1)
    this.#program.callBytes.give(bytes)
    this.#all.eased()
  }

  unfinished(bytes: number, isAnother: boolean): void {
    if (this.#isOver) return
    const program = this.#program
    const wasOldest = program.oldest === this
    const change = bytes - this.#frameBytes
    if (bytes === 0 || isAnother) program.unfinished.delete(this)
    if (bytes > 0) {
      program.unfinished.add(this)
      this.grewAt = this.#all.clock.now()
    }
    if (change < 0) program.frames.give(-change)
    else if (change > 0 && !this.#all.useFrames(this, change)) return
    this.#frameBytes = bytes
    if (wasOldest && program.areFramesOver && program.oldest !== this) program.oldest?.member.regulate()
    if (change < 0) this.#all.eased()
  }

  end(): void {
    if (this.#isOver) return
    this.unfinished(0, false)
    this.#program.calls.give(this.#calls)
    this.#program.callBytes.give(this.#callBytes)
    this.#isOver = true
    this.#place.end()
    this.#all.ended(this)
  }
}

export class Connections {
  readonly clock: Clock
  readonly ledgers: Ledgers
  readonly #programs = new Map<string, Program>()
  /** Programs that wait. */
  readonly #over = new Set<Program>()
  #cancelLook: (() => void) | undefined

  constructor(clock: Clock) {
    this.clock = clock
    this.ledgers = {
      connections: new Ledger(RESOURCES.connections),
      frames: new Ledger(RESOURCES.unfinishedFrames),
      calls: new Ledger(RESOURCES.openCalls),
      callBytes: new Ledger(RESOURCES.openCallBytes),
    }
  }

  /** Opens the account of a connection of this program. One that is refused is ended like any other. */
  open(key: string, member: Member): ConnectionAccount {
    let program = this.#programs.get(key)
    if (program === undefined) {
      program = new Program(key, this.ledgers)
      this.#programs.set(key, program)
    }
    const connection = new Connection(this, program, this.ledgers.connections.share(key), member)
    program.connections.add(connection)
    return connection
  }

  /** For connections alone. */
  callsOver(program: Program): void {
    if (program.areCallsOver) return
    program.areCallsOver = true
    this.#over.add(program)
    program.regulate()
  }

  /** For connections alone: charges what an unfinished frame has grown by. False: there was no room, and the connection is closed. */
  useFrames(connection: Connection, bytes: number): boolean {
    const { program } = connection
    while (!this.ledgers.frames.hasRoom(bytes)) {
      const victim = this.#largest(program.frames.amount + bytes)?.oldest ?? connection
      victim.member.close(CLOSE_CODES.RATELIMITED.code, NO_ROOM)
      if (victim === connection) return false
    }
    if (program.frames.use(bytes) || program.areFramesOver) return true
    program.areFramesOver = true
    this.#over.add(program)
    program.regulate()
    this.#lookLater()
    return true
  }

  /** For connections alone: something was given back. */
  eased(): void {
    if (this.#over.size === 0) return
    // Whoever holds least goes on first.
    for (const program of [...this.#over].toSorted((one, other) => one.frames.amount - other.frames.amount)) {
      const hadToWait = program.areFramesOver || program.areCallsOver
      program.areFramesOver &&= !program.frames.isEased
      program.areCallsOver &&= !(program.calls.isEased && program.callBytes.isEased)
      if (program.areFramesOver || program.areCallsOver || !hadToWait) continue
      this.#over.delete(program)
      program.regulate()
    }
    if (!this.#isSomeoneOverFrames()) this.#stopLooking()
  }

  /** For connections alone. */
  ended(connection: Connection): void {
    const { program } = connection
    program.connections.delete(connection)
    if (program.connections.size === 0) {
      program.end()
      this.#programs.delete(program.key)
      this.#over.delete(program)
    }
    this.eased()
  }

  #isSomeoneOverFrames(): boolean {
    for (const { areFramesOver } of this.#over) if (areFramesOver) return true
    return false
  }

  /** The program with the most bytes of unfinished frames, if that is more than so many. */
  #largest(thanBytes: number): Program | undefined {
    let largest: Program | undefined
    for (const program of this.#programs.values()) if (program.frames.amount > (largest?.frames.amount ?? thanBytes)) largest = program
    return largest
  }

  #lookLater(): void {
    this.#cancelLook ??= this.clock.after(LIMITS.stalledFrameMs.value, () => {
      this.#cancelLook = undefined
      this.#closeStalled()
      if (this.#isSomeoneOverFrames()) this.#lookLater()
    })
  }

  #stopLooking(): void {
    this.#cancelLook?.()
    this.#cancelLook = undefined
  }

  /** The oldest frame of each program that waits, and of the one that holds most, must grow. */
  #closeStalled(): void {
    const since = this.clock.now() - LIMITS.stalledFrameMs.value
    const waiting = [...this.#over].filter(({ areFramesOver }) => areFramesOver)
    if (waiting.length === 0) return
    const largest = this.#largest(0)
    for (const program of new Set(largest === undefined ? waiting : [...waiting, largest])) {
      const { oldest } = program
      // One that may not be read, since too many calls of its program are open, does not stand still by its own fault.
      if (oldest === undefined || oldest.mustWait || oldest.grewAt > since) continue
      oldest.member.close(CLOSE_CODES.CLOSE_ABNORMAL.code, STALLED)
    }
  }
}

export const TOO_MANY_CONNECTIONS = { code: CLOSE_CODES.RATELIMITED.code, reason: TOO_MANY }
