/** The icon in the formats of the systems. */
import { crc32, deflateSync } from 'node:zlib'
import { CHANNELS, iconPixels } from '../src/tray/icon.ts'

export { iconSvg } from '../src/tray/icon.ts'

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function iconPng(size: number): Buffer {
  const pixels = iconPixels(size)
  const row = size * CHANNELS
  // Each row begins with the number of its filter: none.
  const rows = Array.from({ length: size }, (_, y) => Buffer.concat([Buffer.from([0]), pixels.subarray(y * row, (y + 1) * row)]))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits a channel, red, green, blue and opacity.
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A bitmap as Windows stores it in an icon: bottom row first, blue before red, then an empty mask of one bit a pixel. */
function bitmap(size: number): Buffer {
  const HEADER_BYTES = 40
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const pixels = iconPixels(size)
  const flipped = Buffer.alloc(pixels.length)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray((y * size + x) * CHANNELS)
      flipped.set([blue, green, red, opacity], ((size - 1 - y) * size + x) * CHANNELS)
    }
  }
  const maskRow = Math.ceil(size / 32) * 4
  return Buffer.concat([header, flipped, Buffer.alloc(maskRow * size)])
}

/** The largest is a PNG; the small ones are bitmaps, which every reader of icons accepts. */
const ICO_SIZES = [16, 24, 32, 48, 64, 256] as const
const PNG_FROM = 256

export function iconIco(): Buffer {
  const images = ICO_SIZES.map((size) => ({ size, content: size >= PNG_FROM ? iconPng(size) : bitmap(size) }))
  const [DIRECTORY_BYTES, ENTRY_BYTES] = [6, 16]
  const directory = Buffer.alloc(DIRECTORY_BYTES + ENTRY_BYTES * images.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(images.length, 4)
  let offset = directory.length
  for (const [index, { size, content }] of images.entries()) {
    const at = DIRECTORY_BYTES + index * ENTRY_BYTES
    // Zero means 256.
    directory.set([size % PNG_FROM, size % PNG_FROM, 0, 0, 1, 0, 32, 0], at)
    directory.writeUInt32LE(content.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += content.length
  }
  return Buffer.concat([directory, ...images.map(({ content }) => content)])
}

/** For macOS: PNG images by their type codes. */
export function iconIcns(): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const header = Buffer.from(`${type}0000`, 'latin1')
    header.writeUInt32BE(content.length + header.length, 4)
    return Buffer.concat([header, content])
  }
  const images = Buffer.concat([chunk('ic07', iconPng(128)), chunk('ic08', iconPng(256)), chunk('ic09', iconPng(512))])
  return chunk('icns', images)
}
