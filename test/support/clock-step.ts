/** The kernel's clock for the times of files, which goes in steps of some milliseconds. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns when a change of a file in this folder has another time than every change before. */
export function afterStep(folder: string): void {
  const path = join(folder, 'clock')
  const time = (): bigint => {
    writeFileSync(path, '')
    return statSync(path, { bigint: true }).ctimeNs
  }
  for (const first = time(); time() === first; );
}
