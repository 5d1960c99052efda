/** Parses messages of the desktop client from frame payloads. Pure. */

export interface IncomingMessage {
  readonly cmd?: unknown
  readonly evt?: unknown
  readonly data?: unknown
  readonly nonce?: unknown
}

/** Protocol messages are not half as deep. Events are encoded again for each game, and some encoders overflow on deep values. */
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\[]{}') as unknown as readonly number[]

function isTooDeep(json: Buffer): boolean {
  // Each level needs two bytes.
  if (json.length <= 2 * MAX_DEPTH) return false
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (byte === LIST_END || byte === OBJECT_END) depth--
  }
  return false
}

/** Undefined if the payload is not a message. */
export function parseIncoming(payload: Buffer): IncomingMessage | undefined {
  if (isTooDeep(payload)) return undefined
  try {
    const message: unknown = JSON.parse(payload.toString('utf8'))
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
