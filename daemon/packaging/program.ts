/**
 * Bundles the daemon into two files, the program of `npm start` and of packages: `daemon/dist/sallyport.cjs` opens the ports, and
 * `sallyport-later.cjs` is all that a connection needs. A file starts twice as fast as its modules and uses less memory.
 */
import { dirname, join, resolve } from 'node:path'
import { bundle } from './bundle.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TARGET = 'node26'

export const PROGRAM = join(ROOT, 'daemon/dist/sallyport.cjs')
/** The name by which the program loads the other file, from its own folder. */
export const LATER = './sallyport-later.cjs'

/** Resolves to the size of both files in bytes. */
export async function bundleProgram({ entry = join(ROOT, 'daemon/src/main.ts'), outfile = PROGRAM } = {}): Promise<number> {
  const module = join(ROOT, 'daemon/src/cli/later.ts')
  const parts = await Promise.all([
    bundle({ entry, outfile, target: TARGET, separate: { module, file: LATER } }),
    bundle({ entry: module, outfile: join(dirname(outfile), LATER), target: TARGET }),
  ])
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

if (import.meta.main) await bundleProgram()
