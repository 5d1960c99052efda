/**
 * Bundles the daemon into `daemon/dist/sallyport.cjs`, the program of `npm start` and of packages. One file starts twice as fast as its
 * modules and uses less memory.
 */
import { join, resolve } from 'node:path'
import { bundle } from './bundle.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TARGET = 'node26'

export const PROGRAM = join(ROOT, 'daemon/dist/sallyport.cjs')

/** Resolves to the size in bytes. */
export async function bundleProgram({ entry = join(ROOT, 'daemon/src/main.ts'), outfile = PROGRAM } = {}): Promise<number> {
  const { bytes } = await bundle({ entry, outfile, target: TARGET })
  return bytes
}

if (import.meta.main) await bundleProgram()
