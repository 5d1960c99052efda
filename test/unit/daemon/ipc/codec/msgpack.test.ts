import { describe, expect, test } from 'vitest'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'

const codec = msgpackCodec()
const bytesOf = (value: unknown): Buffer => Buffer.from(codec.encode(value))
const decode = (hex: string): unknown => codec.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

test.each([
  [null],
  [true],
  [0],
  [-1],
  [255],
  [1.5],
  [4_294_967_296],
  [1_763_726_400_000],
  ['Grüße 🎮'],
  ['x'.repeat(70_000)],
  [[]],
  [[1, [2, [3]]]],
  [{}],
  [{ cmd: 'X', nonce: 'n', args: { deep: { list: [{ a: null }] } } }],
])('a value goes there and back', (value) => expect(codec.decode(bytesOf(value))).toEqual(value))

test('fields that JSON omits are not encoded as an extension', () => {
  expect(codec.decode(bytesOf({ a: 1, b: undefined, c: [{ d: undefined }] }))).toEqual(
    JSON.parse(JSON.stringify({ a: 1, b: undefined, c: [{ d: undefined }] })),
  )
})

test('a second encode does not change the first result', () => {
  const first = codec.encode({ a: 1 })
  const copy = Buffer.from(first)
  for (let count = 0; count < 1000; count++) codec.encode({ other: 'x'.repeat(100) })
  expect(Buffer.from(first)).toEqual(copy)
})

describe('bytes from other encoders are decoded', () => {
  test.each([
    [
      'every integer width',
      '99 7f cc80 cd0100 ce00010000 cf0000000100000000 d080 d18000 d280000000 e0',
      [127, 128, 256, 65_536, 4_294_967_296, -128, -32_768, -2_147_483_648, -32],
    ],
    ['both float widths', '92 ca3fc00000 cb3ff8000000000000', [1.5, 1.5]],
    ['every text width', '94 a161 d90161 da000161 db0000000161', ['a', 'a', 'a', 'a']],
    ['every array width', '93 90 dc000101 dd0000000101', [[], [1], [1]]],
    ['every map width', '93 80 de0001a16101 df00000001a16101', [{}, { a: 1 }, { a: 1 }]],
    ['nothing, no and yes', '93 c0c2c3', [null, false, true]],
  ])('%s', (_, hex, value) => expect(decode(hex)).toEqual(value))
})

describe('input that is rejected before decoding', () => {
  test.each([
    ['nothing at all', ''],
    ['a map of four thousand million pairs', 'df ffffffff'],
    ['an array of four thousand million', 'dd ffffffff'],
    ['an array of more items than bytes', 'dd 00000004 010101'],
    ['a map of fewer values than keys', '82 a16101 a162'],
    ['a text longer than the bytes', 'db ffffffff 61'],
    ['a length that ends early', 'dd ffff'],
    ['a number that ends early', 'cb 3ff8'],
    ['bytes after the value', '01 01'],
    ['binary', 'c4 01 00'],
    ['binary 32', 'c6 ffffffff'],
    ['an extension', 'd4 01 00'],
    ['undefined as an extension', 'd4 00 00'],
    ['a time', 'd6 ff 00000000'],
    ['an extension that names a record', 'd4 72 40'],
    ['a long extension', 'c9 00000001 01 00'],
    ['the byte that is never used', 'c1'],
  ])('%s', (_, hex) => expect(() => decode(hex)).toThrow())

  test('nesting beyond 63 levels is rejected without a deep call stack', () => {
    expect(decode(`${'91'.repeat(63)}01`)).toBeDefined()
    expect(() => decode(`${'91'.repeat(64)}01`)).toThrow(/nested/)
    expect(() => decode('91'.repeat(500_000))).toThrow(/nested/)
  })
  test('bombs cost no memory', () => {
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 2000; count++) expect(() => decode('dd 00ffffff c0')).toThrow()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024)
  })
})

test('a key named __proto__ changes no prototype', () => {
  const value = decode(`81 a9 ${Buffer.from('__proto__').toString('hex')} 81 a8 ${Buffer.from('polluted').toString('hex')} 01`) as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect('polluted' in {}).toBe(false)
  expect('polluted' in value).toBe(false)
})

test('two codecs share no state', () => {
  const other = msgpackCodec()
  const mine = codec.encode({ a: 'mine' })
  other.encode({ a: 'other' })
  expect(codec.decode(Buffer.from(mine))).toEqual({ a: 'mine' })
})
