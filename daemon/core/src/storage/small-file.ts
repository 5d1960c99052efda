/** Small private files: keys and addresses, replaced atomically, and a number that is written in place. A failure leaves no draft. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { SAFE_OPEN_FLAGS, unavailable, withPrivateFile } from './safe-folder.ts'

const MAX_BYTES = 64 * 1024
const OWN = 0o600

/** Replaces the file, also a stale one. `survives`: what of; the machine waits for the disk. Throws SERVICE_UNAVAILABLE. */
export function writeSmallFile(file: string, content: string | Uint8Array, survives: 'process' | 'machine' = 'process'): void {
  const draft = `${file}.new`
  try {
    // A stale draft of a crashed process, possibly with wrong permissions.
    rmSync(draft, { force: true })
    replace(file, draft, content, survives)
  } catch (failure) {
    removeDraft(draft)
    throw diskError(file, 'written', failure)
  }
}

/**
 * Writes a few bytes over the start of the file, which several processes may do at once: their drafts would be one. A killed process leaves the file
 * as it was, or empty if it was new. Throws SERVICE_UNAVAILABLE.
 */
export function overwriteSmallFile(file: string, bytes: string): void {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | SAFE_OPEN_FLAGS, OWN)
    try {
      fchmodSync(fd, OWN)
      writeSync(fd, bytes)
    } finally {
      closeSync(fd)
    }
  } catch (failure) {
    throw diskError(file, 'written', failure)
  }
}

/** Does nothing without a file. Throws SERVICE_UNAVAILABLE. */
export function removeSmallFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (failure) {
    throw diskError(file, 'removed', failure)
  }
}

const diskError = (file: string, verb: 'written' | 'removed', failure: unknown) =>
  unavailable(`${file} cannot be ${verb} (${(failure as Error).message}); check that the disk is writable and not full.`, failure)

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // The next write removes it.
  }
}

function replace(file: string, draft: string, content: string | Uint8Array, survives: 'process' | 'machine'): void {
  const fd = openSync(draft, 'wx', OWN)
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
