/** Plays a vector against a server at a socket path, whichever server it is. Plain TypeScript, so that a command can run it too. */
import { frame, handshake, jsonOf, type Message, OP } from '#test/support/frames.ts'
import { SocketGame } from '#test/support/socket-game.ts'
import { type Step, stepName, type Vector } from '#test/support/vectors.ts'
import { difference, shown } from './matching.ts'

/** The server under test. */
export interface Host {
  /** Socket path, or name of a Windows pipe. */
  readonly path: string
  /** Application id that games send in their handshake. */
  readonly applicationId: string
  /** How long a frame may take; undefined: any time. */
  readonly waitMs?: number
  /** An access token of a user for these scopes. */
  token(scopes: readonly string[]): Promise<string>
}

/** The host cannot play a vector; the message says what it lacks. */
export class Lacking extends Error {}

/** The server accepts no connection: it does not run, or no longer. */
export class Unreachable extends Error {}

/** Codes of errors and closes come with a sentence. */
const SENTENCE = 5
const KEYS = ['cmd', 'data', 'evt', 'nonce']

function check(actual: unknown, expected: unknown): void {
  const found = difference(actual, expected)
  if (found !== undefined) throw new Error(found)
}

function within<T>({ waitMs }: Host, work: Promise<T>): Promise<T> {
  if (waitMs === undefined) return work
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${waitMs} ms`)), waitMs)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

class Playing {
  readonly #game: SocketGame
  readonly #host: Host

  constructor(game: SocketGame, host: Host) {
    this.#game = game
    this.#host = host
  }

  message(): Promise<Message> {
    return within(this.#host, this.#game.message())
  }

  async ready(): Promise<void> {
    check(await this.message(), { cmd: 'DISPATCH', evt: 'READY', nonce: null })
  }

  async play(step: Step, index: number): Promise<void> {
    if ('call' in step) await this.#call(step, step.nonce ?? `step-${index}`)
    else if ('signIn' in step) await this.#signIn(['identify', ...step.signIn])
    else if ('frame' in step) {
      const [opcode, payload] = step.frame
      const one = frame(opcode, payload as Buffer | string | object | null)
      this.#game.send(Buffer.concat(Array.from({ length: step.times ?? 1 }, () => one)), step.chunk)
    } else if ('bytes' in step) this.#game.send(Buffer.from(step.bytes.replaceAll(' ', ''), 'hex'))
    else if ('gets' in step) await this.#frame(step.gets)
    else if ('message' in step) check(await this.message(), step.message)
    else if ('quiet' in step) {
      this.#game.send(frame(OP.PING, '"quiet?"'))
      await this.#frame([OP.PONG, '"quiet?"'])
    } else if ('closed' in step) await this.#closed(step.closed, step.contains)
    else if ('ended' in step) await this.#ended()
    else if ('end' in step) this.#game.socket.end()
    else this.#game.vanish()
  }

  async #call(step: Extract<Step, { call: string }>, nonce: string | number): Promise<void> {
    const { call: cmd, args, evt, times = 1 } = step
    const one = frame(OP.FRAME, { cmd, nonce, ...(args === undefined ? {} : { args }), ...(evt === undefined ? {} : { evt }) })
    this.#game.send(times === 1 ? one : Buffer.concat(Array.from({ length: times }, () => one)), step.chunk)
    for (let count = 0; count < times; count++) {
      const response = await this.message()
      check(Object.keys(response).toSorted(), KEYS)
      check(response, { cmd, nonce })
      this.#checkOutcome(response, step)
    }
  }

  #checkOutcome({ evt, data }: Message, step: Extract<Step, { call: string }>): void {
    if (step.error === undefined) {
      if (evt !== null) throw new Error(`expected a result, got ${evt} ${shown(data)}`)
      if (step.data !== undefined) check(data, step.data)
      return
    }
    check({ evt, code: data?.code }, { evt: 'ERROR', code: step.error })
    this.#checkSentence(data.message, SENTENCE, step.contains)
    if (step.path !== undefined) check(data, { path: step.path })
  }

  #checkSentence(message: unknown, least: number, contains = ''): void {
    if (typeof message !== 'string' || message.length <= least || !message.includes(contains))
      throw new Error(`expected a message with "${contains}", got ${shown(message)}`)
  }

  async #signIn(scopes: readonly string[]): Promise<void> {
    const { evt, data } = await within(this.#host, this.#game.call('AUTHENTICATE', { access_token: await this.#host.token(scopes) }))
    if (evt !== null) throw new Error(`AUTHENTICATE failed: ${shown(data)}`)
    const held: readonly string[] = data.scopes
    // More scopes are no better than fewer: a vector may expect that the missing ones are required.
    if (new Set(held).symmetricDifference(new Set(scopes)).size > 0)
      throw new Lacking(`a token with the scopes ${[...new Set(scopes)].join(' ')}`)
  }

  async #frame([opcode, expected]: readonly [number, unknown]): Promise<void> {
    const { opcode: got, payload } = await within(this.#host, this.#game.next())
    check(got, opcode)
    check(typeof expected === 'string' ? payload.toString() : jsonOf(payload), expected)
  }

  async #closed(code: number, contains?: string): Promise<void> {
    const { opcode, payload } = await within(this.#host, this.#game.next())
    if (opcode !== OP.CLOSE) throw new Error(`expected a close with ${code}, got opcode ${opcode} ${shown(payload.toString())}`)
    const close = jsonOf(payload)
    check(close, { code })
    this.#checkSentence(close.message, 2 * SENTENCE, contains)
    await this.#ended()
  }

  async #ended(): Promise<void> {
    const more = await within(this.#host, this.#game.frame())
    if (more !== undefined)
      throw new Error(`expected the end of the connection, got opcode ${more.opcode} ${shown(more.payload.toString())}`)
  }
}

/** Rejects with the step that failed, and why. A second game must not be affected by what the first one does. */
export async function playVector(vector: Vector, host: Host): Promise<void> {
  const games: SocketGame[] = []
  const greeting = { client_id: host.applicationId }
  const connect = async (): Promise<SocketGame> => {
    const game = await SocketGame.connect(host.path).catch((failure: unknown) => {
      throw new Unreachable(`no connection: ${(failure as Error).message}`, { cause: failure })
    })
    games.push(game)
    return game
  }
  const at = async (where: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      if (failure instanceof Lacking) throw failure
      throw new Error(`${where}: ${(failure as Error).message}`, { cause: failure })
    }
  }
  try {
    const other = await connect()
    const bystander = new Playing(other, host)
    other.send(handshake(greeting))
    await at('a second game, handshake', () => bystander.ready())
    const game = await connect()
    const playing = new Playing(game, host)
    if (vector.handshake !== null) {
      game.send(handshake({ ...greeting, ...vector.handshake }))
      await at('handshake', () => playing.ready())
    }
    for (const [index, step] of vector.steps.entries()) await at(`step ${index + 1} (${stepName(step)})`, () => playing.play(step, index))
    const call = { call: 'SET_ACTIVITY', args: { pid: 1, activity: { details: 'Still here' } }, data: { details: 'Still here' } }
    await at('a second game afterwards', () => bystander.play(call, vector.steps.length))
  } finally {
    for (const game of games) game.vanish()
  }
}
