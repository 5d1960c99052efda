/** A message of the desktop client, read from the payload of its frame. Pure. */

export interface Incoming {
  readonly cmd?: unknown
  readonly evt?: unknown
  readonly data?: unknown
  readonly nonce?: unknown
}

/** No message of the protocol is nested half as deep; what is handed on is written again for each game, and not every writer bears any depth. */
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\[]{}') as unknown as readonly number[]

function isTooDeep(json: Buffer): boolean {
  // Each level opens and closes.
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

/** Undefined when it is none. */
export function incomingOf(payload: Buffer): Incoming | undefined {
  if (isTooDeep(payload)) return undefined
  try {
    const message: unknown = JSON.parse(payload.toString('utf8'))
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
