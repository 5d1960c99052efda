/** One signed delivery to an address on this machine. */
import { sign } from 'node:crypto'
import { request } from 'node:http'
import { WEBHOOK_HEADERS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { WEBHOOK_ANSWER_MS } from '../constants.ts'
import { signingKey } from './signing-key.ts'

export interface WebhookDelivery {
  readonly applicationId: string
  readonly body: string
  /** `wrong` is well formed but signed with another key. */
  readonly signature: 'right' | 'wrong' | 'missing'
  /** The signed time, in seconds since the epoch. */
  readonly timestamp: number
}

/** The sandbox is offline: it sends nothing beyond this machine. */
export function isLoopbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname))
}

function headersOf(seed: string, { applicationId, body, signature, timestamp }: WebhookDelivery): Record<string, string> {
  const key = signingKey(signature === 'wrong' ? `${seed}\nanother key` : seed, applicationId)
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(signature === 'missing'
      ? {}
      : { [WEBHOOK_HEADERS.signature]: sign(null, Buffer.from(`${timestamp}${body}`), key).toString('hex') }),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
  }
}

interface PostDeps {
  readonly clock: Clock
  /** The signing keys derive from it. */
  readonly seed: string
  readonly signal: AbortSignal
}

export interface PostAnswer {
  /** 0 when no response arrives in time. */
  readonly status: number
  /** The first part of the body. */
  readonly body: string
}

const BODY_MAX = 1024

/** Resolves with status 0, as if no server listened. */
export const postNothing = async (): Promise<PostAnswer> => ({ status: 0, body: '' })

/** Never rejects. */
export const post = (address: string, delivery: WebhookDelivery, { clock, seed, signal: closing }: PostDeps): Promise<PostAnswer> =>
  new Promise((resolve) => {
    const deadline = new AbortController()
    const cancel = clock.after(WEBHOOK_ANSWER_MS, () => deadline.abort())
    const signal = AbortSignal.any([closing, deadline.signal])
    const outgoing = request(address, { method: 'POST', headers: headersOf(seed, delivery), agent: false, signal }, (response) => {
      let body = ''
      const end = (): void => resolve({ status: response.statusCode ?? 0, body })
      response.setEncoding('utf8').on('data', (part: string) => {
        if (body.length < BODY_MAX) body += part
      })
      response.on('end', end).on('error', end)
    })
    outgoing.on('error', () => {})
    outgoing.on('close', () => {
      cancel()
      resolve({ status: 0, body: '' })
    })
    outgoing.end(delivery.body)
  })
