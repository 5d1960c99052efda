/**
 * Parses a large payload in parts. The result is that of `parsePayload`, except for arrays that the receiver takes itself. Memory for those is
 * what the receiver keeps and one batch, besides the bytes of the payload.
 */
import { ArrayCutter, BATCH_BYTES, type CutArray, type Range } from './array-cutter.ts'
import { type GatewayPayload, payloadFrom } from './payload.ts'

/** A payload of fewer bytes is parsed at once, in about a ms. */
export const LARGE_BYTES = 262_144

/** Takes the elements of an array one after the other. */
export interface ArrayTaker {
  take(element: unknown): void
  /** The value in place of the array, when it has taken all elements. */
  result(): unknown
}

/** For an array in the `d` of a dispatch: what takes its elements. Undefined: they stay as they are. */
export type TakerOf = (t: unknown, key: string) => ArrayTaker | undefined

/** Keeps all elements. */
class WholeArray implements ArrayTaker {
  readonly #elements: unknown[] = []

  take(element: unknown): void {
    this.#elements.push(element)
  }

  result(): readonly unknown[] {
    return this.#elements
  }
}

/** Ends with undefined if the bytes are not a payload. Between two steps it may wait, and it may be given up. */
export function* parseLargePayload(bytes: Buffer, takerOf: TakerOf): Generator<void, GatewayPayload | undefined> {
  try {
    const cutter = new ArrayCutter(bytes)
    while (!cutter.read(BATCH_BYTES)) yield
    const payload = payloadFrom(cutter.rest.map((range) => textOf(bytes, range)).join(''))
    if (payload === undefined) return undefined
    for (const array of cutter.arrays) {
      const taker = takerOf(payload.t, array.key) ?? new WholeArray()
      for (const batch of array.batches) {
        yield
        const count = takeBatch(bytes, batch, taker)
        // A misplaced comma. Only one batch may be without elements: that of an array with spaces.
        if (count === 0 && array.batches.length > 1) return undefined
      }
      if (!array.isReplaced) putBack(payload, array, taker)
    }
    return payload
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

const textOf = (bytes: Buffer, [from, to]: Range): string => bytes.toString('utf8', from, to)

/** Returns how many elements there were. */
function takeBatch(bytes: Buffer, batch: Range, taker: ArrayTaker): number {
  const elements = JSON.parse(`[${textOf(bytes, batch)}]`) as readonly unknown[]
  for (const element of elements) taker.take(element)
  return elements.length
}

/** The rest has the field already, as an empty array, so the order of fields stays. */
function putBack({ d }: GatewayPayload, { key }: CutArray, taker: ArrayTaker): void {
  Reflect.set(d as object, key, taker.result())
}
