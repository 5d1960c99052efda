/** The image of the program, in the formats of the systems. */
import { join } from 'node:path'

const image = (extension: string): string => join(import.meta.dirname, 'icons', `sallyport.${extension}`)

/** Paths by format. */
export const ICONS = { svg: image('svg'), ico: image('ico'), icns: image('icns') } as const
