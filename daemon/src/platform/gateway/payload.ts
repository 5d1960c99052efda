/** Parses gateway payloads, and encodes the control payloads of a connection. Pure. */
import { BUDGETS } from '@sallyport/core/budgets'
import { GATEWAY_OPCODES, GATEWAY_VERSION } from '@sallyport/protocol'
import { fieldsOf } from '@sallyport/core/json-read'
import type { GatewayCompression } from './socket.ts'

export interface GatewayPayload {
  readonly op: number
  readonly d: unknown
  /** For dispatches. */
  readonly s: unknown
  readonly t: unknown
}

/** A resumable session. */
export interface GatewaySession {
  readonly id: string
  /** Resume URL, without query. */
  readonly url: string
}

/** Undefined if the text is not a payload. */
export function parsePayload(text: string): GatewayPayload | undefined {
  try {
    return payloadFrom(text)
  } catch {
    return undefined
  }
}

/** The same, but throws SyntaxError if the text is not JSON. */
export function payloadFrom(text: string): GatewayPayload | undefined {
  const { op, d, s, t } = fieldsOf(JSON.parse(text))
  return typeof op === 'number' && Number.isInteger(op) ? { op, d, s, t } : undefined
}

export const payloadText = (op: number, d: unknown): string => JSON.stringify({ op, d })

export const isTooLarge = (text: string): boolean => Buffer.byteLength(text) > BUDGETS.gatewayPayloadBytes.value

interface IdentifyOptions {
  readonly token: string
  readonly intents: number
  readonly capabilities: number
  readonly presence: object | undefined
}

const PROPERTIES = { os: process.platform, browser: 'sallyport', device: 'sallyport' }

/** Encodes Identify. Omits the presence if the payload would exceed the platform's size limit. */
export function identifyText({ token, intents, capabilities, presence }: IdentifyOptions): string {
  const { op } = GATEWAY_OPCODES.IDENTIFY
  const d = { token, properties: PROPERTIES, intents, ...(capabilities === 0 ? {} : { capabilities }) }
  const text = payloadText(op, presence === undefined ? d : { ...d, presence })
  return isTooLarge(text) ? payloadText(op, d) : text
}

export const resumeText = (token: string, session: GatewaySession, seq: number | null): string =>
  payloadText(GATEWAY_OPCODES.RESUME.op, { token, session_id: session.id, seq })

export const heartbeatText = (seq: number | null): string => payloadText(GATEWAY_OPCODES.HEARTBEAT.op, seq)

const isWebsocket = ({ protocol }: URL): boolean => protocol === 'wss:' || protocol === 'ws:'

/** Whether the URL is a valid websocket URL. */
export function isGatewayUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && isWebsocket(parsed)
}

/** The resume URL: the one from READY if it has the same scheme as `connectedUrl`, otherwise `connectedUrl`. */
export function resumeUrl(given: unknown, connectedUrl: string): string {
  const resumeAt = typeof given === 'string' ? URL.parse(given) : null
  return resumeAt !== null && resumeAt.protocol === URL.parse(connectedUrl)?.protocol ? resumeAt.href : connectedUrl
}

export function withQuery(url: string, compress: GatewayCompression): string {
  const full = new URL(url)
  full.hash = ''
  full.searchParams.set('v', String(GATEWAY_VERSION))
  full.searchParams.set('encoding', 'json')
  if (compress !== 'none') full.searchParams.set('compress', compress)
  return full.href
}
