/** Plays the game's side of a recording, frame by frame in the recorded order, and collects what differs. */
import { toDisplayName, toDisplayPath } from '@sallyport/core/display-text'
import { OPCODES } from '@sallyport/protocol/wire'
import { FewList } from './few-list.ts'
import type { InspectedFrame } from './frame-feed.ts'
import { compare, type Difference, IdPairs } from './replay-compare.ts'
import type { Received, ReplayConnection } from './replay-connection.ts'
import { type Guard, isMessage, type Message, messageOf, withoutUnknown } from './replay-plan.ts'
import type { ReplaySecrets } from './replay-secrets.ts'
import { type Total, WaitingFrames } from './waiting-frames.ts'

/** Longer than the deadline of a call. */
const RESPONSE_MS = 35_000
/** Events have no deadline; on one machine they arrive with the response or soon after. */
const EVENT_MS = 2000
/** More than a game has. Further ones are not opened. */
const MAX_CONNECTIONS = 256
/** What is kept for the report. The rest is counted. */
const MAX_REPORTED = 1000
const MAX_DIFFERENCES = 100
const MAX_VALUE_CHARACTERS = 1000

/** What differs in one frame. */
export interface FrameDifference {
  /** The command or event, with the number of its connection in the recording. */
  readonly frame: string
  readonly differences: readonly Difference[]
}

export interface Replayed {
  /** Calls, handshakes and events that were compared. */
  readonly compared: number
  /** Frames that were not played, and why. */
  readonly skipped: FewList<string>
  readonly differing: FewList<FrameDifference>
}

/** The value, or the start of its JSON in a text of its own, so that the frame that it is from can be freed. */
function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? ''
  return text.length <= MAX_VALUE_CHARACTERS ? value : `${Buffer.from(text.slice(0, MAX_VALUE_CHARACTERS)).toString()}…`
}

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

/** A sent frame whose response the recording may have. */
interface Sent {
  readonly name: string
  readonly message: Message
  /** What the game sent itself. */
  readonly own: unknown
  readonly accepts: (message: Message) => boolean
  /** The part of both responses that is compared. */
  readonly part: (message: unknown) => unknown
}

interface Played {
  readonly connection: ReplayConnection
  /** Calls whose response may still come in the recording. */
  readonly sent: WaitingFrames<Sent>
  /** Recorded events that are not compared yet. */
  readonly events: WaitingFrames<InspectedFrame>
}

export interface ReplayParts {
  readonly open: () => Promise<ReplayConnection>
  readonly guard: Guard
  readonly secrets: ReplaySecrets
}

export class ReplayPlayer {
  readonly #parts: ReplayParts
  readonly #played = new Map<number, Played>()
  readonly #ids = new IdPairs()
  readonly #skipped = new FewList<string>(MAX_REPORTED)
  readonly #differing = new FewList<FrameDifference>(MAX_REPORTED)
  readonly #waiting: Total = { bytes: 0 }
  #compared = 0

  constructor(parts: ReplayParts) {
    this.#parts = parts
  }

  async play(frames: Iterable<InspectedFrame>): Promise<Replayed> {
    try {
      for (const frame of frames) await (frame.direction === 'in' ? this.#send(frame) : this.#expect(frame))
      for (const [number, played] of this.#played) await this.#compareRest(number, played)
    } finally {
      await Promise.all([...this.#played.values()].map(({ connection }) => connection.close()))
    }
    return { compared: this.#compared, skipped: this.#skipped, differing: this.#differing }
  }

  async #send(frame: InspectedFrame): Promise<void> {
    const { opcode, connection: number } = frame
    const played = this.#played.get(number)
    const what = toDisplayName(opcode === 'FRAME' ? String(messageOf(frame)['cmd']) : opcode)
    const refused = this.#parts.guard(frame)
    if (refused !== undefined) this.#skipped.add(`${what} of #${number}, ${refused}`)
    else if (opcode === 'HANDSHAKE') await this.#greet(frame)
    else if (played === undefined) this.#skipped.add(`${what} of #${number}, whose handshake was not played`)
    else if (opcode === 'FRAME' && frame.message === undefined) this.#skipped.add(`a frame of #${number} without a message`)
    else if (opcode === 'FRAME') await this.#call(played, frame)
    else if (opcode === 'CLOSE') played.connection.send(OPCODES.CLOSE, messageOf(frame))
  }

  /** Responses are JSON here, in place of any other encoding that the game chose. */
  async #greet(frame: InspectedFrame): Promise<void> {
    const { connection: number } = frame
    const { encoding: _, ...handshake } = messageOf({ message: withoutUnknown(frame.message) })
    if (this.#played.size === MAX_CONNECTIONS && !this.#played.has(number)) {
      this.#skipped.add(`HANDSHAKE of #${number}, because ${MAX_CONNECTIONS} connections are the most`)
      return
    }
    const played = this.#played.get(number) ?? {
      connection: await this.#parts.open(),
      sent: new WaitingFrames(this.#waiting),
      events: new WaitingFrames(this.#waiting),
    }
    this.#played.set(number, played)
    played.connection.send(OPCODES.HANDSHAKE, handshake)
    this.#parts.secrets.learn(handshake, undefined, number)
    played.sent.push({ name: 'handshake', message: {}, own: handshake, accepts: () => true, part: withoutUser }, handshake)
  }

  async #call({ connection, sent }: Played, frame: InspectedFrame): Promise<void> {
    const call = messageOf(frame)
    const completed = await this.#parts.secrets.complete(call, frame.connection)
    if (completed === undefined) {
      this.#skipped.add(`${toDisplayName(String(call['cmd']))} of #${frame.connection}, which needs a secret`)
      return
    }
    connection.send(OPCODES.FRAME, { ...call, ...('args' in call ? { args: this.#ids.translated(withoutUnknown(completed.args)) } : {}) })
    await connection.drained()
    const part = completed.isWithoutToken ? withoutToken : asIs
    const accepts = (message: Message): boolean => isResponseTo(call, message)
    sent.push({ name: String(call['cmd']), message: call, own: call['args'], accepts, part }, call)
    if (sent.isFull) sent.take()
  }

  /** A recorded frame to the game: waits for its counterpart if it answers what was played. */
  async #expect(recorded: InspectedFrame): Promise<void> {
    const { connection: number, opcode } = recorded
    const played = this.#played.get(number)
    if (played === undefined || (opcode !== 'FRAME' && opcode !== 'CLOSE')) return
    const message = messageOf(recorded)
    const answered = played.sent.take(({ accepts }) => opcode === 'CLOSE' || accepts(message))
    if (answered !== undefined) await this.#compareResponse(answered, recorded, played)
    else if (isEvent(message)) played.events.push(recorded, message)
    while (played.events.isFull) await this.#compareEvent(played.connection, played.events.take())
  }

  async #compareResponse({ name, message: call, own, accepts, part }: Sent, recorded: InspectedFrame, { connection }: Played) {
    const isCounterpart = ({ opcode, message }: Received) =>
      opcode === OPCODES.CLOSE || (opcode === OPCODES.FRAME && isMessage(message) && accepts(message))
    const now = await connection.next(isCounterpart, RESPONSE_MS)
    this.#parts.secrets.learn(call, now?.raw, recorded.connection)
    this.#compare(name, recorded, now, own, part)
  }

  /** Events in any order, because they race the responses. */
  async #compareEvent(connection: ReplayConnection, recorded: InspectedFrame | undefined): Promise<void> {
    if (recorded === undefined) return
    const { evt } = messageOf(recorded)
    const now = await connection.next(({ message }) => isMessage(message) && isEvent(message) && message['evt'] === evt, EVENT_MS)
    this.#compare(String(evt), recorded, now, undefined, asIs)
  }

  async #compareRest(number: number, played: Played): Promise<void> {
    for (let event = played.events.take(); event !== undefined; event = played.events.take())
      await this.#compareEvent(played.connection, event)
    for (const { message } of played.connection.rest)
      if (isMessage(message) && isEvent(message))
        this.#differs(`${toDisplayName(String(message['evt']))} of #${number}`, [{ path: '', recorded: undefined, now: message }])
  }

  #compare(name: string, recorded: InspectedFrame, now: Received | undefined, own: unknown, part: Sent['part']): void {
    this.#compared++
    this.#differs(`${toDisplayName(name)} of #${recorded.connection}`, compare(part(recorded.message), part(now?.message), own, this.#ids))
  }

  #differs(frame: string, differences: readonly Difference[]): void {
    if (differences.length === 0) return
    const kept = differences.slice(0, MAX_DIFFERENCES)
    this.#differing.add({
      frame,
      differences: kept.map(({ path, recorded, now }) => ({ path: toDisplayPath(path), recorded: short(recorded), now: short(now) })),
    })
  }
}
