/** The image of the program, in the formats of the systems. */
import { join } from 'node:path'
import type { PayloadFile } from './installers/payload.ts'

const image = (extension: string): string => join(import.meta.dirname, 'icons', `sallyport.${extension}`)

/** Paths by format. */
export const ICONS = { svg: image('svg'), ico: image('ico'), icns: image('icns') } as const

/** Sides of the images that desktops ask for, in pixels. Not every desktop draws vectors. */
const SIDES = [16, 24, 32, 48, 64, 128, 256] as const

/** Where desktops look for them, below `/usr/share` and below `~/.local/share`. */
export const iconFiles = (): readonly PayloadFile[] => [
  { path: 'icons/hicolor/scalable/apps/sallyport.svg', from: ICONS.svg },
  ...SIDES.map((side) => ({ path: `icons/hicolor/${side}x${side}/apps/sallyport.png`, from: image(`${side}.png`) })),
]
