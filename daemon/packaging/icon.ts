/** The icon: an arched gate in a wall with merlons, drawn by code, as SVG and as pixels for the formats of the systems. */
import { crc32, deflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

/** A shape in a square of 64 units; later ones cover earlier ones. */
interface Shape {
  readonly svg: string
  readonly colour: Colour
  readonly covers: (x: number, y: number) => boolean
}

const UNITS = 64
const hex = (colour: Colour): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`

const rectangle = (x: number, y: number, width: number, height: number, colour: Colour): Shape => ({
  svg: `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${hex(colour)}"/>`,
  colour,
  covers: (px, py) => px >= x && px < x + width && py >= y && py < y + height,
})

/** An opening with a round top; `y` is where the round begins. */
const arch = (centre: number, y: number, radius: number, bottom: number, colour: Colour): Shape => ({
  svg: `<path d="M${centre - radius} ${bottom}V${y}a${radius} ${radius} 0 0 1 ${2 * radius} 0V${bottom}z" fill="${hex(colour)}"/>`,
  colour,
  covers: (px, py) =>
    py < y ? (px - centre) ** 2 + (py - y) ** 2 < radius ** 2 : py < bottom && px >= centre - radius && px < centre + radius,
})

const WALL: Colour = [46, 74, 98]
const LIGHT: Colour = [255, 200, 87]
const BAR: Colour = [29, 47, 63]

const SHAPES: readonly Shape[] = [
  ...[6, 20, 34, 48].map((x) => rectangle(x, 8, 10, 12, WALL)),
  rectangle(6, 18, 52, 40, WALL),
  arch(32, 38, 14, 58, LIGHT),
  ...[27, 24, 27].map((y, bar) => rectangle(24 + bar * 7, y, 2, 44 - y, BAR)),
  rectangle(18, 42, 28, 2, BAR),
]

export const iconSvg = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${UNITS} ${UNITS}">${SHAPES.map(({ svg }) => svg).join('')}</svg>\n`

/** Points per pixel and axis, for smooth edges. */
const SAMPLES = 4
const CHANNELS = 4
const OPAQUE = 255

/** Red, green, blue and opacity of each pixel, row by row. */
function pixelsOf(size: number): Buffer {
  const pixels = Buffer.alloc(size * size * CHANNELS)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const points = Array.from({ length: SAMPLES * SAMPLES }, (_, index) => {
        const at = (pixel: number, sample: number) => ((pixel + (sample + 0.5) / SAMPLES) * UNITS) / size
        const [px, py] = [at(x, index % SAMPLES), at(y, Math.floor(index / SAMPLES))]
        return SHAPES.findLast(({ covers }) => covers(px, py))?.colour
      })
      const covered = points.filter((colour) => colour !== undefined)
      if (covered.length === 0) continue
      const mean = (channel: 0 | 1 | 2) => Math.round(covered.reduce((sum, colour) => sum + colour[channel], 0) / covered.length)
      const opacity = Math.round((OPAQUE * covered.length) / points.length)
      pixels.set([mean(0), mean(1), mean(2), opacity], (y * size + x) * CHANNELS)
    }
  }
  return pixels
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function iconPng(size: number): Buffer {
  const pixels = pixelsOf(size)
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
  const pixels = pixelsOf(size)
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
