/** Parses a handshake frame to its parameters or to a close code. Pure. */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { ENCODINGS, type EncodingName, PROTOCOL_VERSION } from '@sallyport/protocol/wire'

/** Handshake parameters of a peer, with defaults for optional fields. */
export interface Handshake {
  readonly applicationId: string
  readonly encoding: EncodingName
  /** Contract version, sent by our bindings only. */
  readonly contract?: string
  readonly sdkVersion?: string
  /** Largest payload that the peer can receive, in bytes. */
  readonly maxFrameBytes: number
  /** Whether the peer parses a byte stream, so that one read may contain several frames. */
  readonly streams: boolean
}

interface HandshakeRefusal {
  readonly code: number
  readonly reason: string
}

const CLIENT_ID = /^[0-9]{1,20}$/

const refusal = (row: { readonly code: number }, reason: string): HandshakeRefusal => ({ code: row.code, reason })

const isEncoding = (value: unknown): value is EncodingName => ENCODINGS.includes(value as EncodingName)

/** Unknown keys are ignored because clients add their own. `v` and `client_id` may be numbers or strings. */
export function readHandshake(payload: Buffer): Handshake | HandshakeRefusal {
  let hello: unknown
  try {
    hello = JSON.parse(payload.toString('utf8'))
  } catch {
    return refusal(CLOSE_CODES.CLOSE_UNSUPPORTED, 'The handshake is not JSON.')
  }
  if (typeof hello !== 'object' || hello === null || Array.isArray(hello)) {
    return refusal(CLOSE_CODES.CLOSE_UNSUPPORTED, 'The handshake is not a JSON object.')
  }
  const {
    v,
    client_id: clientId,
    encoding = 'json',
    contract,
    sdk_version: sdkVersion,
    max_frame_bytes: maxFrameBytes,
    streams,
  } = hello as Record<string, unknown>

  if (v !== PROTOCOL_VERSION && v !== String(PROTOCOL_VERSION))
    return refusal(CLOSE_CODES.INVALID_VERSION, `Invalid Version: the handshake needs "v": ${PROTOCOL_VERSION}.`)
  const id = typeof clientId === 'number' && Number.isSafeInteger(clientId) ? String(clientId) : clientId
  if (typeof id !== 'string' || !CLIENT_ID.test(id))
    return refusal(CLOSE_CODES.INVALID_CLIENTID, 'Invalid Client ID: the handshake needs "client_id", the application id.')
  if (!isEncoding(encoding))
    return refusal(CLOSE_CODES.INVALID_ENCODING, `Invalid Encoding: only ${ENCODINGS.join(' and ')} are supported.`)

  const receives =
    typeof maxFrameBytes === 'number' && maxFrameBytes >= LIMITS.readyBytes.value ? maxFrameBytes : LIMITS.outgoingPayloadBytes.value
  return {
    applicationId: id,
    encoding,
    maxFrameBytes: Math.min(receives, LIMITS.contractFrameBytes.value),
    streams: streams === true,
    ...(typeof contract === 'string' ? { contract } : {}),
    ...(typeof sdkVersion === 'string' ? { sdkVersion } : {}),
  }
}

export const isRefusal = (read: Handshake | HandshakeRefusal): read is HandshakeRefusal => 'reason' in read
