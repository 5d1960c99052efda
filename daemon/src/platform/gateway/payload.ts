/** Payloads of the gateway: reading what comes, whatever it is, and the words that a link says by itself. Pure. */
import { GATEWAY_OPCODES, GATEWAY_VERSION, LIMITS } from '@sallyport/protocol'
import { fieldsOf } from './reading.ts'
import type { GatewayCompression } from './socket.ts'

export interface GatewayPayload {
  readonly op: number
  readonly d: unknown
  /** Of dispatches. */
  readonly s: unknown
  readonly t: unknown
}

/** What can be resumed. */
export interface GatewaySession {
  readonly id: string
  /** Address to resume at, without query. */
  readonly url: string
}

/** Undefined when it is no payload. */
export function parsePayload(text: string): GatewayPayload | undefined {
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    return undefined
  }
  const { op, d, s, t } = fieldsOf(payload)
  return typeof op === 'number' && Number.isInteger(op) ? { op, d, s, t } : undefined
}

export const payloadText = (op: number, d: unknown): string => JSON.stringify({ op, d })

export const isTooLarge = (text: string): boolean => Buffer.byteLength(text) > LIMITS.gatewayPayloadBytes.value

export interface Identity {
  readonly token: string
  readonly intents: number
  readonly capabilities: number
  readonly presence: object | undefined
}

const PROPERTIES = { os: process.platform, browser: 'sallyport', device: 'sallyport' }

/** Without the presence when that makes it larger than the platform takes. */
export function identifyText({ token, intents, capabilities, presence }: Identity): string {
  const { op } = GATEWAY_OPCODES.IDENTIFY
  const d = { token, properties: PROPERTIES, intents, ...(capabilities === 0 ? {} : { capabilities }) }
  const text = payloadText(op, presence === undefined ? d : { ...d, presence })
  return isTooLarge(text) ? payloadText(op, d) : text
}

export const resumeText = (token: string, session: GatewaySession, seq: number | null): string =>
  payloadText(GATEWAY_OPCODES.RESUME.op, { token, session_id: session.id, seq })

export const heartbeatText = (seq: number | null): string => payloadText(GATEWAY_OPCODES.HEARTBEAT.op, seq)

const isWebsocket = ({ protocol }: URL): boolean => protocol === 'wss:' || protocol === 'ws:'

/** Whether a connection can be made to it. */
export function isGatewayUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && isWebsocket(parsed)
}

/** Where a session is resumed: where READY says, when that is an address no less safe than the one it began at; else there. */
export function resumeUrl(given: unknown, begunAt: string): string {
  const there = typeof given === 'string' ? URL.parse(given) : null
  return there !== null && there.protocol === URL.parse(begunAt)?.protocol ? there.href : begunAt
}

export function withQuery(url: string, compress: GatewayCompression): string {
  const full = new URL(url)
  full.hash = ''
  full.searchParams.set('v', String(GATEWAY_VERSION))
  full.searchParams.set('encoding', 'json')
  if (compress !== 'none') full.searchParams.set('compress', compress)
  return full.href
}
