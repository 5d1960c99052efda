/** MessagePack: any bytes are refused with an error of their own, or are a plain value that survives the way there and back. */
import { isDeepStrictEqual } from 'node:util'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { hold, isPlain, refusalOf, type Target } from '../target.ts'

const codec = msgpackCodec()
const encoded = (value: unknown) => Buffer.from(codec.encode(value))

export const target: Target = {
  seeds: [
    encoded({ cmd: 'SET_ACTIVITY', args: { pid: 1, activity: { state: 'a', party: { size: [1, 4] } } }, nonce: 'n' }),
    encoded([1.5, -1, 70_000, 5_000_000_000, true, null, 'x'.repeat(40)]),
    Buffer.from([0xdf, 0, 0, 0, 1, 0xd9, 1, 0x61, 0xdd, 0, 0, 0, 1, 0xda, 0, 1, 0x62]),
  ],
  run(bytes) {
    let value: unknown
    // The package throws RangeError and Error for numbers and texts that it cannot read.
    if (
      refusalOf(
        () => (value = codec.decode(bytes)),
        (failure) => failure instanceof Error && failure.name !== 'TypeError',
      ) !== undefined
    )
      return
    hold(isPlain(value), 'a decoded value is plain')
    hold(isDeepStrictEqual(codec.decode(encoded(value)), value), 'a value survives the way there and back')
    hold(Object.keys(Object.prototype).length === 0, 'no prototype is changed')
  },
}
