/**
 * The bridge as users run it: three files. Each test run builds its own files once, from the sources at that time. So no build is necessary before,
 * and later edits do not affect the run.
 */
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundleProgram, LATER, PROGRAM as BUILT } from '../../../daemon/packaging/program.ts'

/** Where left-behind.ts wants it; without it, as in a soak, the program that `npm start` runs. */
const OWN = process.env['SALLYPORT_TEST_PROGRAM']
export const PROGRAM = OWN ?? BUILT
/** The part of the program that it loads later, from its own folder. */
export const PROGRAM_LATER = join(dirname(PROGRAM), LATER)

const LOOK_MS = 50

/** Test files run in parallel: the one that creates the folder builds the program. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure
    return false
  }
}

/** Resolves when the program is there: the first who needs it makes it. */
export async function programMade(): Promise<void> {
  if (OWN === undefined) return
  while (!existsSync(OWN)) {
    const claimed = `${OWN}.making`
    if (!claim(claimed)) {
      await pause(LOOK_MS)
      continue
    }
    try {
      await bundleProgram({ outfile: `${OWN}.part` })
      renameSync(`${OWN}.part`, OWN)
    } finally {
      rmdirSync(claimed)
    }
  }
}
