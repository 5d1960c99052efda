/** Small private files for keys and addresses, replaced atomically. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { withPrivateFile } from './safe-folder.ts'

const MAX_BYTES = 64 * 1024

/** Replaces the file, also a stale one. `survives`: what of; the machine waits for the disk. Throws system errors. */
export function writeSmallFile(file: string, content: string | Uint8Array, survives: 'process' | 'machine' = 'process'): void {
  const draft = `${file}.new`
  // A stale draft of a crashed process, possibly with wrong permissions.
  rmSync(draft, { force: true })
  const fd = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(fd, content)
    if (survives === 'machine') fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
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
