/** A small picture for each text: a disc of one colour on another one, as a PNG. */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const SIDE = 96
const START = Buffer.from('89504e470d0a1a0a', 'hex')
const BITS = 8
const PALETTE_COLOURS = 3

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}

/** The same text always gives the same picture. */
export function generatedPicture(text: string): Buffer {
  const hash = createHash('sha256').update(text).digest()
  // Dark ground, light disc.
  const palette = Buffer.from(
    [...hash.subarray(0, 3)].map((byte) => byte >> 1).concat([...hash.subarray(3, 6)].map((byte) => 128 + (byte >> 1))),
  )
  const radius = SIDE / (3 + ((hash[6] ?? 0) % 3))
  const row = (y: number): Buffer =>
    Buffer.from([0, ...Array.from({ length: SIDE }, (_, x) => (Math.hypot(x - SIDE / 2, y - SIDE / 2) < radius ? 1 : 0))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([BITS, PALETTE_COLOURS], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: SIDE }, (_, y) => row(y))))
  return Buffer.concat([START, chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}
