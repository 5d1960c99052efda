/** The game's side of the socket. It counts frames by their headers and reads no JSON, so that its own cost stays small. */
import { connect as connectSocket, type Socket } from 'node:net'
import { OPCODE } from './frames.ts'

const HEADER_BYTES = 8

/** Called with the number of frames that are now complete. */
type OnFrames = (count: number) => void

export class BenchClient {
  readonly #socket: Socket
  readonly #head = Buffer.alloc(HEADER_BYTES)
  #headBytes = 0
  #bodyLeft = 0
  #opcode = 0
  #onFrames: OnFrames = () => {}
  #onLost: (reason: Error) => void = () => {}
  /** Payload bytes that came so far. */
  #payloadBytes = 0
  #kept: Buffer[] | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#onLost(error))
    socket.on('close', () => this.#onLost(new Error('the server closed the connection')))
  }

  /** Connects, says hello and waits for READY. Rejects when the connection is refused or closed before. */
  static async open(path: string, handshake: Buffer): Promise<BenchClient> {
    const client = new BenchClient(connectSocket(path))
    await client.exchange(handshake, 1)
    return client
  }

  /** Sends bytes in one write and waits for so many frames. Resolves to the payload bytes of the answers. */
  exchange(bytes: Buffer, answers: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const before = this.#payloadBytes
      let left = answers
      this.#onLost = reject
      this.#onFrames = (count) => {
        left -= count
        if (left === 0) resolve(this.#payloadBytes - before)
        else if (left < 0) reject(new Error('more answers than calls'))
      }
      this.#socket.write(bytes)
    })
  }

  /** Sends one frame and reads the one that answers it. */
  async ask(bytes: Buffer): Promise<unknown> {
    this.#kept = []
    await this.exchange(bytes, 1)
    const text = Buffer.concat(this.#kept).toString()
    this.#kept = undefined
    return JSON.parse(text) as unknown
  }

  /** Reports frames as they come, from now on. */
  listen(onFrames: OnFrames, onLost: (reason: Error) => void): void {
    this.#onFrames = onFrames
    this.#onLost = onLost
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  close(): void {
    this.#onLost = () => {}
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    let at = 0
    let whole = 0
    while (at < chunk.length) {
      if (this.#bodyLeft === 0) {
        at = this.#takeHeader(chunk, at)
        if (this.#headBytes < HEADER_BYTES) break
        this.#opcode = this.#head.readUInt32LE(0)
        this.#bodyLeft = this.#head.readUInt32LE(4)
        if (this.#opcode === OPCODE.CLOSE) this.#kept ??= []
      }
      const taken = Math.min(this.#bodyLeft, chunk.length - at)
      this.#kept?.push(Buffer.from(chunk.subarray(at, at + taken)))
      this.#payloadBytes += taken
      this.#bodyLeft -= taken
      at += taken
      if (this.#bodyLeft > 0) break
      this.#headBytes = 0
      if (this.#opcode === OPCODE.CLOSE) return this.#onLost(new Error(`the server said ${Buffer.concat(this.#kept ?? []).toString()}`))
      whole++
    }
    if (whole > 0) this.#onFrames(whole)
  }

  #takeHeader(chunk: Buffer, from: number): number {
    const taken = Math.min(HEADER_BYTES - this.#headBytes, chunk.length - from)
    chunk.copy(this.#head, this.#headBytes, from, from + taken)
    this.#headBytes += taken
    return from + taken
  }
}
