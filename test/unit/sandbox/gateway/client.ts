/** A client of the sandbox's gateway that sends exactly what a test gives it, and queues the payloads it receives. */
import { randomUUID } from 'node:crypto'
import { createInflate, constants, createZstdDecompress } from 'node:zlib'
import { WebSocket } from 'ws'
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import { recordDispatch } from '#test/conformance/answers/record.mjs'
import { APPLICATION, type Harness } from '../harness.ts'

export interface Payload {
  readonly op: number
  // The data under test has many shapes; each test names the one it expects.
  readonly d: Record<string, unknown>
  readonly s: number | null
  readonly t: string | null
}

export const BOT_TOKEN = `sandbox-bot-${APPLICATION}`
export const GUILDS = 1 << 0
export const MESSAGES = (1 << 9) | (1 << 12)
export const CONTENT = 1 << 15
export const MEMBERS = 1 << 1
export const PRESENCES = 1 << 8
export const VOICE_STATES = 1 << 7

const inflaters = {
  'zlib-stream': () => createInflate({ flush: constants.Z_SYNC_FLUSH }),
  'zstd-stream': () => createZstdDecompress(),
} as const

export class GatewayClient {
  readonly #socket: WebSocket
  readonly #received: Payload[] = []
  readonly #waiting = new Set<() => void>()
  /** Bytes of the received frames. */
  readonly frames: Buffer[] = []
  readonly closed: Promise<number>
  #isClosed = false
  seq = 0

  constructor(socket: WebSocket, compress: keyof typeof inflaters | undefined) {
    this.#socket = socket
    const inflater = compress === undefined ? undefined : inflaters[compress]()
    let text = ''
    inflater?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      // Each frame has one whole payload, which the inflater may emit in pieces.
      try {
        this.#hear(text)
        text = ''
      } catch {}
    })
    socket.on('message', (data: Buffer) => {
      this.frames.push(data)
      if (inflater === undefined) this.#hear(data.toString('utf8'))
      else inflater.write(data)
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) =>
      socket.once('close', (code) => {
        this.#isClosed = true
        resolve(code)
        this.#wake()
      }),
    )
  }

  #hear(text: string): void {
    const payload = JSON.parse(text) as Payload
    if (payload.s !== null) this.seq = payload.s
    if (payload.t !== null && !payload.t.startsWith('MARK_')) recordDispatch(payload.t, payload.d)
    this.#received.push(payload)
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  send(op: number, d: unknown): void {
    this.raw(JSON.stringify({ op, d }))
  }

  raw(text: string | Buffer): void {
    this.#socket.send(text)
  }

  /** Removes and returns the first matching payload. Rejects when the connection closes first. */
  async take(fits: (payload: Payload) => boolean): Promise<Payload> {
    for (;;) {
      const index = this.#received.findIndex(fits)
      const [found] = index < 0 ? [] : this.#received.splice(index, 1)
      if (found !== undefined) return found
      if (this.#isClosed) throw new Error(`closed with ${await this.closed}, received ${JSON.stringify(this.#received).slice(0, 500)}`)
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
    }
  }

  of(op: number): Promise<Payload> {
    return this.take((payload) => payload.op === op)
  }

  async event(name: string): Promise<Record<string, unknown>> {
    return (await this.take(({ t }) => t === name)).d
  }

  async identify(given: object): Promise<Record<string, unknown>> {
    this.send(GATEWAY_OPCODES.IDENTIFY.op, { properties: {}, ...given })
    return this.event('READY')
  }

  /** Terminates without a close frame. */
  vanish(): void {
    this.#socket.terminate()
  }

  leave(code: number): void {
    this.#socket.close(code)
  }

  /**
   * All queued events up to now: a made-up event of the control interface marks the end. Presence events are left out by
   * default, because they are too frequent.
   */
  async heardUntilNow(harness: Harness, withPresences = false): Promise<readonly Payload[]> {
    const name = `MARK_${randomUUID()}`
    await harness.send('POST', '~sandbox/gateway', { json: { action: 'dispatch', t: name, d: null } })
    const mark = await this.take(({ t }) => t === name)
    const before = this.#received.filter(({ s }) => s !== null && s < (mark.s ?? 0))
    for (const payload of before) this.#received.splice(this.#received.indexOf(payload), 1)
    return before.filter(({ t }) => t?.startsWith('MARK_') === false && (withPresences || t !== 'PRESENCE_UPDATE'))
  }
}

export interface Opening {
  readonly query?: string
  readonly path?: string
  readonly compress?: keyof typeof inflaters
}

/** Opens a connection. Its Hello is still queued. */
export async function open(
  harness: Harness,
  { query = 'v=10&encoding=json', path = '/gateway', compress }: Opening = {},
): Promise<GatewayClient> {
  const address = `${harness.sandbox.origin.replace('http', 'ws')}${path}?${query}${compress === undefined ? '' : `&compress=${compress}`}`
  const socket = new WebSocket(address)
  const client = new GatewayClient(socket, compress)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return client
}

/** A bot's connection after READY and its guilds. */
export async function bot(harness: Harness, intents = GUILDS, more: object = {}, opening: Opening = {}) {
  const client = await open(harness, opening)
  const ready = await client.identify({ token: BOT_TOKEN, intents, ...more })
  await client.heardUntilNow(harness)
  return { client, ready }
}

/** A user's connection after READY and its guilds. */
export async function user(harness: Harness, name: string, more: object = {}, scope = 'identify gateway.connect') {
  const { access_token: token } = await harness.signIn(scope, { user: name })
  const client = await open(harness)
  const ready = await client.identify({ token: `Bearer ${token}`, intents: 0, ...more })
  await client.heardUntilNow(harness)
  return { client, ready, token }
}

/** Sends a gateway action to the control interface. */
export const order = (harness: Harness, json: object) => harness.send('POST', '~sandbox/gateway', { json })
