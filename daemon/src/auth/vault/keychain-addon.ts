/** Loads the keychain library: from this program's node_modules, or from the single executable. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import type * as keyring from '@napi-rs/keyring'
import { dataDir } from '../../config/paths.ts'
import { withMemoryFile } from '@sallyport/core/os/memory-file'
import { vaultHome } from './encrypted-file.ts'
import { openPrivateFolder } from '@sallyport/core/storage/safe-folder'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'

export type KeyringAddon = Pick<typeof keyring, 'AsyncEntry'>

/** Name of the embedded asset. */
const ASSET = 'keyring.node'
const UNPACKED = /^keyring-[0-9a-f]+\.node$/

/** Where npm installs dependencies, from the program's folder: in its package, at the root of a clone, or around its package. */
const MODULES = ['../node_modules', '../../node_modules', '../..'] as const
/** Suffixes after platform and processor in the name of a build: its C library. */
const BUILDS: Partial<Record<NodeJS.Platform, readonly string[]>> = { linux: ['-gnu', '-musl'], win32: ['-msvc'] }
const OTHERS_MAY_WRITE = 0o002

/** Rejects when there is none for this system or build. */
export async function loadKeyringAddon(): Promise<KeyringAddon> {
  const module: { exports: unknown } = { exports: {} }
  const load = (path: string) => process.dlopen(module, path)
  const file = isSea() ? undefined : await libraryOf(import.meta.dirname)
  if (process.platform === 'linux') withMemoryFile(file === undefined ? embedded() : await readOwn(file), load)
  else load(file ?? (await unpacked(embedded())))
  return module.exports as KeyringAddon
}

const embedded = (): Buffer => Buffer.from(getRawAsset(ASSET))

/**
 * Path of the library for a program in this folder. Searches this program's own tree only, because other users may own folders further up.
 * Rejects when it is not found.
 */
async function libraryOf(folder: string): Promise<string> {
  const trees = MODULES.map((path) => join(folder, path)).filter((tree) => basename(tree) === 'node_modules')
  const builds = (BUILDS[process.platform] ?? ['']).map((build) => `${process.platform}-${process.arch}${build}`)
  for (const tree of trees) {
    for (const build of builds) {
      const file = join(tree, '@napi-rs', `keyring-${build}`, `keyring.${build}.node`)
      const exists = await access(file).then(
        () => true,
        () => false,
      )
      if (exists) return file
    }
  }
  throw new Error('the keychain library is not installed')
}

/** The bytes of a file that only this user or root could have written. Rejects for any other. */
async function readOwn(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { uid, mode } = await handle.stat()
    const isOurs = uid === process.getuid?.() || uid === 0
    if (!isOurs || (mode & OTHERS_MAY_WRITE) !== 0) throw new Error('another user could have written the keychain library')
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Path of a file with exactly these bytes, in the default vault folder. Writes it when absent and removes those of other versions. */
async function unpacked(library: Buffer): Promise<string> {
  const directory = vaultHome(dataDir({ platform: process.platform, env: process.env, home: homedir() }))
  openPrivateFolder(directory)
  const name = `keyring-${createHash('sha256').update(library).digest('hex')}.node`
  const file = join(directory, name)
  if ((await readPrivateFile(file))?.equals(library) === true) return file
  await replacePrivateFile(file, library)
  for (const other of await readdir(directory)) {
    // Some systems cannot remove a file in use; the next version will.
    if (UNPACKED.test(other) && other !== name) await rm(join(directory, other), { force: true }).catch(() => {})
  }
  return file
}
