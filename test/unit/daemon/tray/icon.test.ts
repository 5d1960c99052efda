import { expect, test } from 'vitest'
import { iconPixels } from '#daemon/src/tray/icon.ts'

/** Red, green, blue and opacity at a place in a square of 64 units. */
function pixel(kind: 'ready' | 'prompt' | 'off', size: 22 | 32 | 48, [x, y]: readonly [number, number]): readonly number[] {
  const pixels = iconPixels(size, kind)
  expect(pixels).toHaveLength(size * size * 4)
  const at = (Math.floor((y * size) / 64) * size + Math.floor((x * size) / 64)) * 4
  return [...pixels.subarray(at, at + 4)]
}

const CORNER = [0, 0] as const
const WALL = [12, 40] as const
const DOT = [48, 48] as const

test.for([22, 32, 48] as const)('of %i pixels: the wall has its colour, the dot of a prompt covers it, and off has no colours', (size) => {
  expect(pixel('ready', size, CORNER)).toEqual([0, 0, 0, 0])
  expect(pixel('ready', size, WALL)).toEqual([46, 74, 98, 255])
  expect(pixel('prompt', size, WALL)).toEqual([46, 74, 98, 255])
  expect(pixel('ready', size, DOT)).toEqual([46, 74, 98, 255])
  expect(pixel('prompt', size, DOT)).toEqual([214, 57, 40, 255])
  expect(pixel('off', size, WALL)).toEqual([73, 73, 73, 255])
})
