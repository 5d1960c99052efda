/** One signed delivery to an address on this machine. */
import { sign } from 'node:crypto'
import { request } from 'node:http'
import { WEBHOOK_HEADERS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { WEBHOOK_ANSWER_MS } from '../constants.ts'
import { signingKey } from './signing-key.ts'

export interface Letter {
  readonly applicationId: string
  readonly body: string
  /** `wrong` is well formed and made with another key. */
  readonly signature: 'right' | 'wrong' | 'missing'
  /** The time it is signed with, in seconds since the epoch. */
  readonly timestamp: number
}

/** The sandbox is offline: it sends nothing beyond this machine. */
export function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname))
}

function headersOf(seed: string, { applicationId, body, signature, timestamp }: Letter): Record<string, string> {
  const key = signingKey(signature === 'wrong' ? `${seed}\nnobody's` : seed, applicationId)
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(signature === 'missing'
      ? {}
      : { [WEBHOOK_HEADERS.signature]: sign(null, Buffer.from(`${timestamp}${body}`), key).toString('hex') }),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
  }
}

export interface PostParts {
  readonly clock: Clock
  /** The keys of applications follow from it. */
  readonly seed: string
  readonly stop: AbortSignal
}

/** The status of the answer; 0 when none came in time. Never rejects. */
export const post = (address: string, letter: Letter, { clock, seed, stop }: PostParts): Promise<number> =>
  new Promise((resolve) => {
    const tooLate = new AbortController()
    const cancel = clock.after(WEBHOOK_ANSWER_MS, () => tooLate.abort())
    const signal = AbortSignal.any([stop, tooLate.signal])
    const outgoing = request(address, { method: 'POST', headers: headersOf(seed, letter), agent: false, signal }, (answer) => {
      resolve(answer.statusCode ?? 0)
      answer.resume().on('error', () => {})
    })
    outgoing.on('error', () => {})
    outgoing.on('close', () => {
      cancel()
      resolve(0)
    })
    outgoing.end(letter.body)
  })
