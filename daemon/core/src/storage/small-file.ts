/** Small private files for keys and addresses, replaced atomically. */
import { constants, fstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { withPrivateFile } from './safe-folder.ts'

const MAX_BYTES = 64 * 1024

/** Replaces the file, also a stale one. Throws system errors. */
export function writeSmallFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`
  // A stale draft of a crashed process, possibly with wrong permissions.
  rmSync(draft, { force: true })
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}

/** Undefined if the file does not exist or is not a private file. */
export function readSmallText(file: string): string | undefined {
  try {
    return withPrivateFile(file, constants.O_RDONLY, (fd) => (fstatSync(fd).size > MAX_BYTES ? undefined : readFileSync(fd, 'utf8')))
  } catch {
    return undefined
  }
}
