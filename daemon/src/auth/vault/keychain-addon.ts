/** The keychain library: from node_modules, or out of the single executable, which must unpack it before the system can load it. */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import type * as keyring from '@napi-rs/keyring'
import { openPrivateFolder } from '../../storage/safe-folder.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'

export type KeyringAddon = Pick<typeof keyring, 'AsyncEntry'>

/** What packaging embeds it as. */
const ASSET = 'keyring.node'
const UNPACKED = /^keyring-[0-9a-f]+\.node$/

/** Rejects when this system or build has none. `directory`: where it may be unpacked to, for this user alone. */
export async function loadKeyringAddon(directory: string): Promise<KeyringAddon> {
  if (!isSea()) return import('@napi-rs/keyring')
  const module: { exports: unknown } = { exports: {} }
  process.dlopen(module, await unpacked(Buffer.from(getRawAsset(ASSET)), directory))
  return module.exports as KeyringAddon
}

/** Path of a file with exactly these bytes; written only when it is not there, and those of other versions are removed. */
async function unpacked(library: Buffer, directory: string): Promise<string> {
  openPrivateFolder(directory)
  const name = `keyring-${createHash('sha256').update(library).digest('hex')}.node`
  const file = join(directory, name)
  if ((await readPrivateFile(file))?.equals(library) === true) return file
  await replacePrivateFile(file, library)
  for (const other of await readdir(directory)) {
    // One that is in use cannot be removed everywhere; the next version will.
    if (UNPACKED.test(other) && other !== name) await rm(join(directory, other), { force: true }).catch(() => {})
  }
  return file
}
