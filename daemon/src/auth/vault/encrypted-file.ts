/**
 * The vault: one encrypted file, and its key in the system's keychain or, where there is none, in a file beside it. The file keeps tokens
 * out of backups of the one file, of greps and of logs, and from other users; only the keychain keeps the key from lying beside it.
 */
import { join } from 'node:path'
import { openPrivateFolder, refused } from '@sallyport/core/storage/safe-folder'
import { type Opening, type VaultStore, openKey } from './find-key.ts'
import { keyFile } from './key-file.ts'
import type { KeyStore } from './key-store.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'
import { seal, type Stored, type VaultKey } from './sealed.ts'
import { shelvesOver } from './shelves.ts'
import type { Vault } from './vault.ts'

const VAULT_FILE = 'tokens.sealed'
const KEY_FILE = 'tokens.key'

/** Folder of the vault below the data folder. */
export const vaultHome = (dataDirectory: string): string => join(dataDirectory, 'vault')

export interface VaultRequest {
  readonly dataDirectory: string
  /** Where the operator wants the key. */
  readonly store: VaultStore
  readonly keychain: KeyStore
}

export interface OpenVault extends Vault {
  /** Where the key rests now. */
  readonly keyIn: Opening['keyIn']
}

/**
 * Opens the vault, or makes it. Rejects with SERVICE_UNAVAILABLE, and loses nothing, when it is not private, its key cannot be had, or
 * does not open it.
 */
export async function openVault({ dataDirectory, store, keychain }: VaultRequest): Promise<OpenVault> {
  const home = vaultHome(dataDirectory)
  const file = join(home, VAULT_FILE)
  const path = join(home, KEY_FILE)
  openPrivateFolder(home)
  const write = async (next: Stored, key: VaultKey) => {
    await replacePrivateFile(file, seal(next, key)).catch((failure: unknown) => {
      throw refused(`The tokens could not be written to ${file}; check that the disk has room and is writable.`, failure)
    })
  }
  const { stored, key, keyIn } = await openKey({
    sealed: await readPrivateFile(file),
    store,
    keychain,
    file: keyFile(path),
    paths: { sealed: file, key: path },
    reseal: write,
  })
  return { ...shelvesOver(stored, (next) => write(next, key)), keyIn }
}
