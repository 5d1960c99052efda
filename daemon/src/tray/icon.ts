/** The icon: an arched gate in a wall with merlons, drawn by code, as SVG and as pixels. */
import type { IconKind } from './menu.ts'

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

const disc = (x: number, y: number, radius: number, colour: Colour): Shape => ({
  svg: `<circle cx="${x}" cy="${y}" r="${radius}" fill="${hex(colour)}"/>`,
  colour,
  covers: (px, py) => (px - x) ** 2 + (py - y) ** 2 < radius ** 2,
})

const WALL: Colour = [46, 74, 98]
const LIGHT: Colour = [255, 200, 87]
const BAR: Colour = [29, 47, 63]
const PAPER: Colour = [255, 255, 255]
const ALERT: Colour = [214, 57, 40]

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
export const CHANNELS = 4
const OPAQUE = 255

/** What the tray draws over it: a question is a dot, a bridge that does not run has no colours. */
const MARKS: Readonly<Record<IconKind, readonly Shape[]>> = {
  ready: [],
  off: [],
  question: [disc(48, 48, 15, PAPER), disc(48, 48, 12, ALERT)],
}

const grey = ([red, green, blue]: Colour): Colour => {
  const mean = Math.round((red + green + blue) / 3)
  return [mean, mean, mean]
}

/** Red, green, blue and opacity of each pixel, row by row. */
export function iconPixels(size: number, kind: IconKind = 'ready'): Buffer {
  const pixels = Buffer.alloc(size * size * CHANNELS)
  const shapes = [...SHAPES, ...MARKS[kind]]
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const points = Array.from({ length: SAMPLES * SAMPLES }, (_, index) => {
        const at = (pixel: number, sample: number) => ((pixel + (sample + 0.5) / SAMPLES) * UNITS) / size
        const [px, py] = [at(x, index % SAMPLES), at(y, Math.floor(index / SAMPLES))]
        const colour = shapes.findLast(({ covers }) => covers(px, py))?.colour
        return colour !== undefined && kind === 'off' ? grey(colour) : colour
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
