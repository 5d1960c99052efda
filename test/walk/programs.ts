/** Makes the programs that play in the machine: one executable under the name of each role, so that the bridge sees native programs. */
import { execFile } from 'node:child_process'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { oneFile } from '../e2e/support/one-file.ts'

const ROLES = ['game', 'client', 'browser'] as const

/** Makes them in a folder that is there. `scratch`: for what is made on the way. */
export async function makePrograms(folder: string, scratch: string): Promise<void> {
  const main = await oneFile(join(import.meta.dirname, 'inside/main.ts'), scratch)
  const [first, ...others] = ROLES.map((role) => join(folder, role)) as [string, ...string[]]
  const description = join(scratch, 'single-file.json')
  await mkdir(folder, { recursive: true })
  await writeFile(description, JSON.stringify({ main, mainFormat: 'module', output: first, disableExperimentalSEAWarning: true }))
  await promisify(execFile)(process.execPath, ['--build-sea', description])
  for (const other of others) {
    await rm(other, { force: true })
    await link(first, other)
  }
}
