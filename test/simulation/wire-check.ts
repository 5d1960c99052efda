/**
 * Judges the frames of all games, as they are on the wire:
 *
 * - a call gets one answer, or its connection ends: no second answer, no answer without a call, none after its deadline;
 * - on each connection, a game that wants AUTHORIZE_REQUEST subscribes it before any other event.
 */
import { Packr } from 'msgpackr/pack'
import { OP } from '#test/support/frames.ts'
import type { Direction, Link } from './machine/socket.ts'

export interface Message {
  readonly cmd?: string
  readonly evt?: string | null
  readonly nonce?: string | null
  readonly args?: unknown
  readonly data?: unknown
}

/** Sees each message as it is sent. */
export type OnMessage = (link: Link, direction: Direction, message: Message) => void

interface Watched {
  readonly link: Link
  readonly game: string
  readonly unread: Record<Direction, Buffer>
  readonly pending: Map<string, { readonly command: string; readonly at: number }>
  /** Nonces that were answered. */
  readonly answered: Set<string>
  hasSubscribed: boolean
}

const HEADER_BYTES = 8
const FIRST = 'AUTHORIZE_REQUEST'
/** The daemon's own limit of a call, and what the way takes. */
const DEADLINE_MS = 30_000
const SLACK_MS = 1_000
/** The user may take his time: these end with their page. */
const PATIENT: ReadonlySet<string> = new Set(['AUTHORIZE', 'AUTHENTICATE'])
const PATIENT_MS = 10 * 60_000

const OPENING_BRACE = 0x7b
const packr = new Packr({ useRecords: false, mapsAsObjects: true })

/** The first byte says the encoding: in MessagePack, a brace would be a number. */
const read = (payload: Buffer): Message =>
  (payload[0] === OPENING_BRACE ? JSON.parse(payload.toString()) : packr.unpack(payload)) as Message

export class WireCheck {
  readonly #now: () => number
  readonly #onMessage: OnMessage
  readonly #watched = new Map<Link, Watched>()
  readonly failures: string[] = []
  calls = 0
  answers = 0
  events = 0
  /** Calls whose connection ended before the answer. */
  cutOff = 0
  /** How many statements were checked. */
  checked = 0

  constructor(now: () => number, onMessage: OnMessage = () => {}) {
    this.#now = now
    this.#onMessage = onMessage
  }

  onBytes(link: Link, direction: Direction, bytes: Buffer): void {
    const watched = this.#of(link)
    let unread = Buffer.concat([watched.unread[direction], bytes])
    while (unread.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + unread.readUInt32LE(4)
      if (unread.length < end) break
      const op = unread.readUInt32LE(0)
      if (op === OP.FRAME) this.#take(watched, direction, read(unread.subarray(HEADER_BYTES, end)))
      unread = unread.subarray(end)
    }
    watched.unread[direction] = unread
  }

  /** Open connections with a call that has no answer yet. */
  waiting(): readonly Link[] {
    const isOpen = ({ up, down }: Link): boolean => !up.destroyed && !down.destroyed
    return [...this.#watched.values()].filter(({ link, pending }) => pending.size > 0 && isOpen(link)).map(({ link }) => link)
  }

  /** Looks at what is pending. Called from time to time, and at the end. */
  review(): void {
    for (const [link, { pending, game }] of this.#watched) {
      if (link.up.destroyed || link.down.destroyed) {
        this.cutOff += pending.size
        this.#watched.delete(link)
        continue
      }
      for (const [nonce, { command, at }] of pending) {
        this.checked += 1
        const limit = (PATIENT.has(command) ? PATIENT_MS : DEADLINE_MS) + SLACK_MS
        // An answer that its game does not read waits in the daemon.
        if (this.#now() - Math.max(at, link.up.stuckUntil ?? 0) <= limit) continue
        this.#fail(game, `${command} ${nonce} has no answer after ${Math.round(this.#now() - at)} ms`)
        pending.delete(nonce)
      }
    }
  }

  #of(link: Link): Watched {
    const found = this.#watched.get(link)
    if (found !== undefined) return found
    const made: Watched = {
      link,
      game: link.up.owner?.name ?? 'unknown',
      unread: { up: Buffer.alloc(0), down: Buffer.alloc(0) },
      pending: new Map(),
      answered: new Set(),
      hasSubscribed: false,
    }
    this.#watched.set(link, made)
    return made
  }

  #take(watched: Watched, direction: Direction, message: Message): void {
    const { cmd = '', evt, nonce } = message
    this.#onMessage(watched.link, direction, message)
    if (direction === 'up') this.#call(watched, cmd, evt, nonce)
    else if (typeof nonce === 'string') this.#answer(watched, cmd, nonce)
    else this.events += 1
  }

  #call(watched: Watched, command: string, event: string | null | undefined, nonce: string | null | undefined): void {
    if (typeof nonce !== 'string') return
    this.calls += 1
    watched.pending.set(nonce, { command, at: this.#now() })
    if (command !== 'SUBSCRIBE' || watched.hasSubscribed) return
    watched.hasSubscribed = true
    this.checked += 1
    if (event !== FIRST) this.#fail(watched.game, `${event} is subscribed before ${FIRST}`)
  }

  #answer(watched: Watched, command: string, nonce: string): void {
    this.checked += 1
    this.answers += 1
    if (watched.pending.delete(nonce)) watched.answered.add(nonce)
    else
      this.#fail(watched.game, watched.answered.has(nonce) ? `${command} ${nonce} is answered twice` : `no game made ${command} ${nonce}`)
  }

  #fail(game: string, what: string): void {
    this.failures.push(`${(this.#now() / 1_000).toFixed(3)} s, ${game}: ${what}`)
  }
}
