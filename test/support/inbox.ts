/** The frames received on one connection, kept until the test takes them. */
import { jsonOf, type Message, OP, type Received, split } from './frames.ts'

const messageOf = ({ opcode, payload }: Received): Message => {
  if (opcode !== OP.FRAME) throw new Error(`opcode ${opcode}: ${payload.toString()}`)
  return jsonOf(payload) as Message
}

export class Inbox {
  readonly #frames: Received[] = []
  readonly #waiting = new Set<() => void>()
  readonly #onPing: ((payload: Buffer) => void) | undefined
  #rest: Buffer = Buffer.alloc(0)
  #isEnded = false

  /** `onPing`: answers a PING, as every client does; without it PINGs stay with the other frames. */
  constructor(onPing?: (payload: Buffer) => void) {
    this.#onPing = onPing
  }

  put(chunk: Buffer): void {
    const { frames, rest } = split(Buffer.concat([this.#rest, chunk]))
    this.#rest = rest
    for (const one of frames) {
      if (one.opcode === OP.PING && this.#onPing !== undefined) this.#onPing(one.payload)
      else this.#frames.push(one)
    }
    this.#wake()
  }

  /** Whole frames that were not taken yet. */
  get size(): number {
    return this.#frames.length
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  /** The next frame; undefined when the connection has ended. */
  async frame(): Promise<Received | undefined> {
    while (this.#frames.length === 0 && !this.#isEnded) await this.#more()
    return this.#frames.shift()
  }

  /** The next frame; rejects when the connection ends first. */
  async next(): Promise<Received> {
    const found = await this.frame()
    if (found === undefined) throw new Error('the connection ended')
    return found
  }

  /** The next frame, which must be a message. */
  async message(): Promise<Message> {
    return messageOf(await this.next())
  }

  /** The answer to the call with this nonce. Other frames stay in the inbox. */
  async answer(nonce: string): Promise<Message> {
    const others = new Set<Received>()
    for (;;) {
      for (const [index, one] of this.#frames.entries()) {
        if (others.has(one)) continue
        if (one.opcode === OP.FRAME && (jsonOf(one.payload) as Message).nonce === nonce) {
          this.#frames.splice(index, 1)
          return messageOf(one)
        }
        others.add(one)
      }
      if (this.#isEnded) {
        const last = this.#frames.at(-1)
        throw new Error(`the connection ended${last?.opcode === OP.CLOSE ? `: ${last.payload.toString()}` : ''}`)
      }
      await this.#more()
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }
}
