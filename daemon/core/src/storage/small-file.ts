/** Small files of keys and addresses: each for this user alone, and replaced as a whole. */
import { constants, fstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { withPrivateFile } from './safe-folder.ts'

const MAX_BYTES = 64 * 1024

/** What a dead process left is replaced. Throws what the system says. */
export function writeSmallFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`
  // Left by a process that died while writing it, and perhaps not of the rights it should have.
  rmSync(draft, { force: true })
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}

/** Undefined when there is none, or something that this user did not write. */
export function readSmallText(file: string): string | undefined {
  try {
    return withPrivateFile(file, constants.O_RDONLY, (fd) => (fstatSync(fd).size > MAX_BYTES ? undefined : readFileSync(fd, 'utf8')))
  } catch {
    return undefined
  }
}
