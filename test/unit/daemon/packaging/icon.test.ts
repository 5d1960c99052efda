import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { iconIcns, iconIco, iconPng, iconSvg } from '#daemon/packaging/icon.ts'

test('the PNG has the wall at its edge, the light in the gate, and nothing in the corner', () => {
  const size = 64
  const png = iconPng(size)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBe(size)
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  const pixel = (x: number, y: number) => [...rows.subarray(y * (size * 4 + 1) + 1 + x * 4).subarray(0, 4)]
  expect(pixel(0, 0)).toEqual([0, 0, 0, 0])
  expect(pixel(8, 40)).toEqual([46, 74, 98, 255])
  expect(pixel(22, 50)).toEqual([255, 200, 87, 255])
})

test('the icon of Windows lists its images with their sizes', () => {
  const ico = iconIco()
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + index * 16
    const [bytes, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)]
    expect(offset + bytes).toBeLessThanOrEqual(ico.length)
    return ico[at]
  })
  expect(sizes).toEqual([16, 24, 32, 48, 64, 0])
})

test('the icon of macOS says its own length, and the drawing is one SVG', () => {
  const icns = iconIcns()
  expect(icns.toString('latin1', 0, 4)).toBe('icns')
  expect(icns.readUInt32BE(4)).toBe(icns.length)
  expect(iconSvg()).toMatch(/^<svg [^>]*viewBox="0 0 64 64">.*<\/svg>\n$/)
})

test('is the same each time', () => {
  expect(iconIco().equals(iconIco())).toBe(true)
})
