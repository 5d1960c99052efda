/**
 * Proof that a process acts for the operator of the bridge: it creates an empty file with a random name in the private data folder, and the
 * bridge deletes it. A sandboxed game may reach the socket, but not this folder.
 */
import { closeSync, lstatSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openPrivateFolder, assertPrivate } from './safe-folder.ts'

const SUBDIRECTORY = 'operator'
const FORM = /^[0-9a-f]{32}$/

const fileOf = (dataDirectory: string, proof: string): string => join(dataDirectory, SUBDIRECTORY, proof)

/** `proof`: 32 random hexadecimal digits. Returns a function that deletes the proof. Throws if other users can access the folder, and system errors. */
export function createOperatorProof(dataDirectory: string, proof: string): () => void {
  openPrivateFolder(dataDirectory)
  openPrivateFolder(join(dataDirectory, SUBDIRECTORY))
  const file = fileOf(dataDirectory, proof)
  closeSync(openSync(file, 'wx', 0o600))
  return () => rmSync(file, { force: true })
}

/** True once per proof; deletes it. */
export function redeemOperatorProof(dataDirectory: string, proof: string): boolean {
  if (!FORM.test(proof)) return false
  const file = fileOf(dataDirectory, proof)
  try {
    assertPrivate(file, 'file', lstatSync(file))
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}
