/**
 * Validates MessagePack bytes before decoding. A decoder allocates memory for the declared counts, so six bytes could cost gigabytes.
 * Here every count must be backed by bytes, nesting is bounded, and types that JSON lacks are rejected.
 */

const MAX_DEPTH = 64

const refuse = (why: string): never => {
  throw new SyntaxError(`not acceptable MessagePack: ${why}`)
}

/** Size of the length field in bytes, by first byte. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4 }
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0xc0: 0,
  0xc2: 0,
  0xc3: 0,
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
}

/** Throws SyntaxError unless the bytes are exactly one plain value. */
export function assertPlainMsgpack(bytes: Buffer): void {
  /** Remaining items at each open level. An explicit stack, so that deep nesting cannot exhaust the call stack. */
  const open: number[] = [1]
  let at = 0

  const readLength = (size: number): number => {
    if (at + size > bytes.length) refuse('it ends early')
    const length = bytes.readUIntBE(at, size)
    at += size
    return length
  }
  const skip = (count: number): void => {
    if (count > bytes.length - at) refuse('it declares more than it holds')
    at += count
  }
  const enter = (items: number): void => {
    if (items > bytes.length - at) refuse('it declares more than it holds')
    if (open.length >= MAX_DEPTH) refuse('it is nested too deeply')
    open.push(items)
  }

  while (open.length > 0) {
    const left = open[open.length - 1] ?? 0
    if (left === 0) {
      open.pop()
      continue
    }
    open[open.length - 1] = left - 1
    if (at >= bytes.length) refuse('it ends early')
    const first = bytes[at++] ?? 0
    if (first <= 0x7f || first >= 0xe0) continue
    if (first <= 0x8f) enter((first & 0x0f) * 2)
    else if (first <= 0x9f) enter(first & 0x0f)
    else if (first <= 0xbf) skip(first & 0x1f)
    else {
      const fixed = FIXED_BYTES[first]
      const lengthBytes = LENGTH_BYTES[first]
      if (fixed !== undefined) skip(fixed)
      else if (lengthBytes === undefined) refuse('binary and extension types are not part of the protocol')
      else if (first <= 0xdb) skip(readLength(lengthBytes))
      else enter(readLength(lengthBytes) * (first >= 0xde ? 2 : 1))
    }
  }
  if (at !== bytes.length) refuse('bytes follow the value')
}
