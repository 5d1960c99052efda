/** Tells the command line of the same user where the running dashboard is, token included: a file for this user alone, gone with the daemon. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (dataDir: string): string => join(dataDir, 'dashboard.address')

/** What a dead daemon left is replaced. Throws what the system says. */
export function writeAddress(dataDir: string, url: string): void {
  const file = fileIn(dataDir)
  const draft = `${file}.new`
  // Left by a process that died while writing it, and perhaps not of the rights it should have.
  rmSync(draft, { force: true })
  writeFileSync(draft, url, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}

export const removeAddress = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })

/** Undefined when no dashboard ran here, or it ended well. */
export function readAddress(dataDir: string): URL | undefined {
  try {
    return new URL(readFileSync(fileIn(dataDir), 'utf8'))
  } catch {
    return undefined
  }
}
