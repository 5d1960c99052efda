/** Plays the game's side of a recording, call by call, and collects what differs. */
import { REDACTED } from '@sallyport/core/redacted'
import { OPCODES } from '@sallyport/protocol/wire'
import type { InspectedFrame } from './frame-feed.ts'
import { compare, type Difference, IdPairs } from './replay-compare.ts'
import type { Received, ReplayConnection } from './replay-connection.ts'

/** Longer than the deadline of a call. */
const RESPONSE_MS = 35_000
/** Events have no deadline; on one machine they arrive with the response or soon after. */
const EVENT_MS = 2000

type Message = Readonly<Record<string, unknown>>

/** What differs in one frame. */
export interface FrameDifference {
  /** The command or event, with the number of its connection in the recording. */
  readonly frame: string
  readonly differences: readonly Difference[]
}

export interface Replayed {
  /** Calls, handshakes and events that were compared. */
  readonly compared: number
  /** Calls with a secret that the recording does not have. */
  readonly skipped: readonly string[]
  readonly differing: readonly FrameDifference[]
}

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null && !Array.isArray(value)
const messageOf = ({ message }: { readonly message?: unknown }): Message => (isMessage(message) ? message : {})

const hasSecret = (value: unknown): boolean =>
  value === REDACTED || (typeof value === 'object' && value !== null && Object.values(value).some(hasSecret))

const isEvent = (message: Message): boolean => message['cmd'] === 'DISPATCH' && message['evt'] !== 'ERROR'
const isResponseTo = (call: Message, message: Message): boolean => !isEvent(message) && message['nonce'] === call['nonce']

/** READY without the user: it announces the one who signed in last on this machine, in whichever game. */
function withoutUser(ready: unknown): unknown {
  if (!isMessage(ready) || !isMessage(ready['data'])) return ready
  const { user: _, ...data } = ready['data']
  return { ...ready, data }
}

/** The response to a sign-in with a stored grant has no token, because the game sent none. */
function withoutToken(response: unknown): unknown {
  if (!isMessage(response) || !isMessage(response['data'])) return response
  const { access_token: _, ...data } = response['data']
  return { ...response, data }
}

const asIs = (message: unknown): unknown => message

/** The secrets of an activity are any text, so that the marker serves as one. */
const NEEDS_NO_SECRET: ReadonlySet<unknown> = new Set(['SET_ACTIVITY'])

/** The arguments to send; undefined if the command needs a secret. A sign-in uses the stored grant of this program instead of the token. */
function argumentsToSend({ cmd, args }: Message): { readonly args: unknown } | undefined {
  if (!hasSecret(args) || NEEDS_NO_SECRET.has(cmd)) return { args }
  if (cmd !== 'AUTHENTICATE' || !isMessage(args)) return undefined
  const { access_token: _, ...rest } = args
  return hasSecret(rest) ? undefined : { args: rest }
}

/** Whether the recording contains a sign-in, so that the replay uses an account. */
export const usesAccount = (frames: readonly InspectedFrame[]): boolean =>
  frames.some((frame) => frame.direction === 'in' && messageOf(frame)['cmd'] === 'AUTHENTICATE')

export class ReplayPlayer {
  readonly #frames: readonly InspectedFrame[]
  readonly #open: () => Promise<ReplayConnection>
  readonly #connections = new Map<number, ReplayConnection>()
  readonly #ids = new IdPairs()
  /** Recorded frames that were compared. */
  readonly #used = new Set<InspectedFrame>()
  readonly #skipped: string[] = []
  readonly #differing: FrameDifference[] = []
  #compared = 0

  constructor(frames: readonly InspectedFrame[], open: () => Promise<ReplayConnection>) {
    this.#frames = frames
    this.#open = open
  }

  async play(): Promise<Replayed> {
    try {
      for (const [index, frame] of this.#frames.entries()) if (frame.direction === 'in') await this.#send(frame, index)
      for (const [number, connection] of this.#connections) await this.#compareEvents(number, connection)
    } finally {
      await Promise.all([...this.#connections.values()].map((connection) => connection.close()))
    }
    return { compared: this.#compared, skipped: this.#skipped, differing: this.#differing }
  }

  async #send(frame: InspectedFrame, index: number): Promise<void> {
    const { opcode, connection: number } = frame
    const connection = this.#connections.get(number)
    const message = messageOf(frame)
    if (opcode === 'HANDSHAKE') await this.#greet(frame, index)
    else if (connection === undefined) this.#skipped.push(`${opcode} of #${number}, whose handshake is not in the recording`)
    else if (opcode === 'FRAME' && frame.message === undefined) this.#skipped.push(`a frame of #${number} without a message`)
    else if (opcode === 'FRAME') await this.#call(connection, frame, message, index)
    else if (opcode === 'CLOSE') connection.send(OPCODES.CLOSE, message)
  }

  /** Responses are JSON here, in place of any other encoding that the game chose. */
  async #greet(frame: InspectedFrame, index: number): Promise<void> {
    const { encoding: _, ...handshake } = messageOf(frame)
    const connection = await this.#open()
    this.#connections.set(frame.connection, connection)
    connection.send(OPCODES.HANDSHAKE, handshake)
    const recorded = this.#recordedAfter(frame, index, () => true)
    if (recorded === undefined) return
    this.#compare('handshake', recorded, await connection.next(() => true, RESPONSE_MS), handshake, withoutUser)
  }

  async #call(connection: ReplayConnection, frame: InspectedFrame, call: Message, index: number): Promise<void> {
    const toSend = argumentsToSend(call)
    const recorded = this.#recordedAfter(frame, index, (message) => isResponseTo(call, message))
    if (toSend === undefined) {
      if (recorded !== undefined) this.#used.add(recorded)
      this.#skipped.push(`${String(call['cmd'])} of #${frame.connection}, which needs a secret`)
      return
    }
    connection.send(OPCODES.FRAME, { ...call, ...('args' in call ? { args: this.#ids.translated(toSend.args) } : {}) })
    if (recorded === undefined) return
    const isResponse = ({ opcode, message }: Received) =>
      opcode === OPCODES.CLOSE || (opcode === OPCODES.FRAME && isMessage(message) && isResponseTo(call, message))
    const part = toSend.args === call['args'] ? asIs : withoutToken
    this.#compare(String(call['cmd']), recorded, await connection.next(isResponse, RESPONSE_MS), call['args'], part)
  }

  /** The first recorded frame to the game after this one that was not compared yet. */
  #recordedAfter(sent: InspectedFrame, index: number, accepts: (message: Message) => boolean): InspectedFrame | undefined {
    return this.#frames
      .slice(index)
      .find(
        (frame) =>
          frame.direction === 'out' &&
          frame.connection === sent.connection &&
          frame.opcode !== 'PONG' &&
          !this.#used.has(frame) &&
          (frame.opcode === 'CLOSE' || accepts(messageOf(frame))),
      )
  }

  /** Events in any order, because they race the responses. */
  async #compareEvents(number: number, connection: ReplayConnection): Promise<void> {
    const expected = this.#frames.filter(
      (frame) => frame.direction === 'out' && frame.connection === number && !this.#used.has(frame) && isEvent(messageOf(frame)),
    )
    for (const recorded of expected) {
      const { evt } = messageOf(recorded)
      const now = await connection.next(({ message }) => isMessage(message) && isEvent(message) && message['evt'] === evt, EVENT_MS)
      this.#compare(String(evt), recorded, now, undefined)
    }
    for (const { message } of connection.rest)
      if (isMessage(message) && isEvent(message))
        this.#differs(`${String(message['evt'])} of #${number}`, [{ path: '', recorded: undefined, now: message }])
  }

  #compare(name: string, recorded: InspectedFrame, now: Received | undefined, sent: unknown, part = asIs): void {
    this.#used.add(recorded)
    this.#compared++
    this.#differs(`${name} of #${recorded.connection}`, compare(part(recorded.message), part(now?.message), sent, this.#ids))
  }

  #differs(frame: string, differences: readonly Difference[]): void {
    if (differences.length > 0) this.#differing.push({ frame, differences })
  }
}
