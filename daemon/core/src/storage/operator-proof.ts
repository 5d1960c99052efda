/**
 * How a process proves that it acts for the operator of the bridge and not only runs beside it: it leaves an empty file of an unguessable
 * name in the private data folder, and the bridge takes it away. A game in a sandbox may reach the socket, but not this folder.
 */
import { closeSync, lstatSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openPrivateFolder, refuseUnlessPrivate } from './safe-folder.ts'

const SUBDIRECTORY = 'operator'
const FORM = /^[0-9a-f]{32}$/

const fileOf = (dataDirectory: string, proof: string): string => join(dataDirectory, SUBDIRECTORY, proof)

/** `proof`: 32 hexadecimal digits nobody can guess. The function it returns takes the proof back. Throws when others may use the folder, and what the system says. */
export function leaveProof(dataDirectory: string, proof: string): () => void {
  openPrivateFolder(dataDirectory)
  openPrivateFolder(join(dataDirectory, SUBDIRECTORY))
  const file = fileOf(dataDirectory, proof)
  closeSync(openSync(file, 'wx', 0o600))
  return () => rmSync(file, { force: true })
}

/** True once for each proof that was left. */
export function takeProof(dataDirectory: string, proof: string): boolean {
  if (!FORM.test(proof)) return false
  const file = fileOf(dataDirectory, proof)
  try {
    refuseUnlessPrivate(file, 'file', lstatSync(file))
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}
