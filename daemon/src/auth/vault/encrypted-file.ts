/**
 * A vault in one encrypted file beside its key file: what there is without a keychain. It keeps tokens out of backups of the one
 * file, of greps and of logs, and from other users; it cannot keep them from programs of the same user.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Secret } from '../../core/secret.ts'
import { openPrivateDirectory, readPrivateFile, refused, replacePrivateFile } from './private-file.ts'
import { KEY_BYTES, seal, type Stored, unseal } from './sealed.ts'
import type { TokenSet, TokenVault } from './vault.ts'

const SUBDIRECTORY = 'vault'
const VAULT_FILE = 'tokens.sealed'
const KEY_FILE = 'tokens.key'

/** Opens the vault below `directory`, or makes it. Rejects with SERVICE_UNAVAILABLE, and changes nothing, when it is not private or does not open. */
export async function openEncryptedFileVault(directory: string): Promise<TokenVault> {
  const home = join(directory, SUBDIRECTORY)
  const file = join(home, VAULT_FILE)
  const keyFile = join(home, KEY_FILE)
  await openPrivateDirectory(home)
  const sealed = await readPrivateFile(file)
  const key = await openKey(keyFile, sealed !== undefined)
  const stored = sealed === undefined ? new Map<string, TokenSet>() : unseal(sealed, key)
  if (stored === undefined) {
    throw refused(
      `The stored tokens in ${file} do not open with ${keyFile}. Put the right files back, or move both away and sign in again.`,
    )
  }
  return vaultOver(stored, async (next) => {
    await replacePrivateFile(file, seal(next, key)).catch((failure: unknown) => {
      throw refused(`The tokens could not be written to ${file}; check that the disk has room and is writable.`, failure)
    })
  })
}

/** A key is only made where there is nothing yet that an older one would open. */
async function openKey(keyFile: string, isNeeded: boolean): Promise<Secret<Buffer>> {
  const found = await readPrivateFile(keyFile)
  if (found?.length === KEY_BYTES) return new Secret(found)
  if (found !== undefined)
    throw refused(`${keyFile} is not a key of ${KEY_BYTES} bytes. Put the right file back, or move the vault away and sign in again.`)
  if (isNeeded)
    throw refused(`${keyFile} is missing, so the stored tokens cannot be opened. Put it back, or move the vault away and sign in again.`)
  const key = randomBytes(KEY_BYTES)
  await replacePrivateFile(keyFile, key)
  return new Secret(key)
}

/** Readers see what is on disk. Writes go one after the other; those that come meanwhile go together in the next. */
function vaultOver(initial: Stored, write: (next: Stored) => Promise<void>): TokenVault {
  let onDisk = initial
  let changes: Map<string, TokenSet | undefined> | undefined
  let next: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const flush = async () => {
    const applied = new Map(onDisk)
    for (const [key, tokens] of changes ?? []) {
      if (tokens === undefined) applied.delete(key)
      else applied.set(key, tokens)
    }
    changes = undefined
    next = undefined
    await write(applied)
    onDisk = applied
  }

  const change = (key: string, tokens: TokenSet | undefined): Promise<void> => {
    changes ??= new Map()
    changes.set(key, tokens)
    if (next === undefined) {
      // A failed write is told to those who asked for it, and does not keep the next from being tried.
      next = last.then(flush)
      last = next.catch(() => {})
    }
    return next
  }

  return {
    get: async (key) => onDisk.get(key),
    put: (key, tokens) => change(key, tokens),
    delete: (key) => change(key, undefined),
    keys: async () => [...onDisk.keys()],
  }
}
