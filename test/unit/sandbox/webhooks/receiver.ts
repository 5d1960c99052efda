/** A webhook server of an application, as a developer would write it: it verifies signatures with Node alone. */
import { createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly isSigned: boolean
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly message: {
    readonly application_id: string
    readonly type: number
    readonly event?: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
  }
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The statuses for valid and for invalid signatures, and the body for valid ones. */
  readonly answers: { good: number; bad: number; body: string }
  /** The most deliveries that were open at once. */
  readonly most: number
  /** Delays responses until `release`. */
  hold(): void
  release(): void
  /** Types of the events so far. */
  types(): string[]
  close(): Promise<void>
}

export async function startReceiver(verifyKey: string): Promise<Receiver> {
  const x = Buffer.from(verifyKey, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const received: Received[] = []
  const answers = { good: 204, bad: 401, body: '' }
  let held: (() => void)[] | undefined
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    most = Math.max(most, ++open)
    response.once('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const timestamp = String(request.headers['x-signature-timestamp'])
      const signature = Buffer.from(String(request.headers['x-signature-ed25519'] ?? ''), 'hex')
      const isSigned = verify(null, Buffer.from(timestamp + body.toString('utf8')), key, signature)
      received.push({ isSigned, timestamp: Number(timestamp), message: JSON.parse(body.toString('utf8')) as Received['message'] })
      const answer = () => response.writeHead(isSigned ? answers.good : answers.bad).end(isSigned ? answers.body : '')
      if (held === undefined) answer()
      else held.push(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    answers,
    get most() {
      return most
    },
    hold() {
      held = []
    },
    release() {
      for (const answer of held ?? []) answer()
      held = undefined
    },
    types: () => received.flatMap(({ message }) => message.event?.type ?? []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
