/** Any JSON value survives a round trip in both encodings. Any other bytes are refused, or decode to a JSON value. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { FUZZ_TIMEOUT_MS, runs } from './runs.ts'

const msgpack = msgpackCodec()
// `__proto__` is renamed by MessagePack on purpose, and JSON does not distinguish -0 from 0.
const value = fc
  .jsonValue({ stringUnit: 'binary', maxDepth: 6 })
  .filter((one) => !JSON.stringify(one).includes('__proto__'))
  .map((one): unknown => JSON.parse(JSON.stringify(one)))

test.each([json, msgpack])(
  '$name: values go there and back',
  (codec) => {
    fc.assert(
      fc.property(value, (one) => {
        expect(codec.decode(Buffer.from(codec.encode(one)))).toEqual(one)
      }),
      runs(1000),
    )
  },
  FUZZ_TIMEOUT_MS,
)

const isPlain = (one: unknown): boolean =>
  one === null ||
  ['string', 'number', 'boolean'].includes(typeof one) ||
  (Array.isArray(one) ? one.every(isPlain) : Object.getPrototypeOf(one) === Object.prototype && Object.values(one as object).every(isPlain))

/** The value, or undefined when the bytes are refused by an Error. Anything else thrown fails the test. */
function attempt(codec: typeof json, bytes: Buffer): unknown {
  try {
    return codec.decode(bytes)
  } catch (failure) {
    expect(failure).toBeInstanceOf(Error)
    return undefined
  }
}

const bytes = fc.uint8Array({ maxLength: 200 }).map((one) => Buffer.from(one))
/** Valid bytes with some of them changed, cut off or doubled: closer to the edge than noise. */
const mutated = fc
  .tuple(value, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat(300), bytes)
  .map(([one, changes, keep, tail]) => {
    const whole = Buffer.from(msgpack.encode(one))
    for (const [at, byte] of changes) if (whole.length > 0) whole[at % whole.length] = byte
    return Buffer.concat([whole.subarray(0, Math.max(1, whole.length - (keep % 3))), keep % 5 === 0 ? tail : Buffer.alloc(0)])
  })

test.each([json, msgpack])(
  '$name: any bytes are refused or are plain values',
  (codec) => {
    fc.assert(
      fc.property(fc.oneof(bytes, mutated), (one) => {
        const decoded = attempt(codec, one)
        expect(decoded === undefined || isPlain(decoded)).toBe(true)
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      runs(2000),
    )
  },
  FUZZ_TIMEOUT_MS,
)
