/**
 * The vault: one encrypted file, with its key in the system's keychain or else in a file beside it. Encryption protects the tokens in
 * backups of this one file, in searches and in logs, and from other users. Only the keychain stores the key elsewhere.
 */
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { openPrivateFolder, unavailable } from '@sallyport/core/storage/safe-folder'
import { type OpenedKey, type VaultStore, openKey } from './key-lookup.ts'
import { keyFile } from './key-file.ts'
import type { KeyStore } from './key-store.ts'
import { unknownVault } from './key-errors.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'
import { derivedKeyOf, flawOf, HEAD_BYTES, keyIdOf, seal, type Stored, type VaultKey } from './sealed.ts'
import { openCollections } from './collections.ts'
import type { Vault } from './vault.ts'

const VAULT_FILE = 'tokens.sealed'
const KEY_FILE = 'tokens.key'

/** Folder of the vault below the data folder. */
export const vaultHome = (dataDirectory: string): string => join(dataDirectory, 'vault')

/** Whether no vault was made below this data folder yet. False for any other error: then opening it says what is wrong. */
export function isVaultMissing(dataDirectory: string): boolean {
  try {
    lstatSync(join(vaultHome(dataDirectory), VAULT_FILE))
    return false
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** The first bytes of the vault; undefined if there is none. Throws system errors. */
const vaultHead = (dataDirectory: string): Buffer | undefined =>
  isVaultMissing(dataDirectory) ? undefined : headOf(join(vaultHome(dataDirectory), VAULT_FILE))

function headOf(file: string): Buffer {
  const fd = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.subarray(0, readSync(fd, head))
  } finally {
    closeSync(fd)
  }
}

/** Why no version of this program opens the vault, as a sentence; its key is not needed to see that. Throws system errors. */
export function vaultFormatProblem(dataDirectory: string): string | undefined {
  const head = vaultHead(dataDirectory)
  const flaw = head && flawOf(head)
  return flaw && unknownVault(flaw, join(vaultHome(dataDirectory), VAULT_FILE)).message
}

/** The entry of the keychain that has the key of the vault, unless the key is in a file; undefined if there is no vault. Throws system errors. */
export function keychainEntryOf(dataDirectory: string): string | undefined {
  const head = vaultHead(dataDirectory)
  return head === undefined || hasKeyFile(dataDirectory) ? undefined : keyIdOf(head)
}

const hasKeyFile = (dataDirectory: string): boolean =>
  lstatSync(join(vaultHome(dataDirectory), KEY_FILE), { throwIfNoEntry: false }) !== undefined

/** An entry of the keychain that has, or had, the key of a vault. */
export interface KeychainEntry {
  readonly entry: string
  /** Whether a file has a key too: then the keychain may never have been used. */
  readonly isInFile: boolean
}

/** Those of all vaults in the folder, also of one that was set aside. None where they cannot be read. */
export function keychainEntriesOf(dataDirectory: string): readonly KeychainEntry[] {
  const home = vaultHome(dataDirectory)
  const isInFile = hasKeyFile(dataDirectory)
  try {
    const heads = readdirSync(home, { withFileTypes: true })
      .filter((one) => one.isFile() && one.name.startsWith(VAULT_FILE))
      .map(({ name }) => headOf(join(home, name)))
    return [...new Set(heads.flatMap((head) => keyIdOf(head) ?? []))].map((entry) => ({ entry, isInFile }))
  } catch {
    return []
  }
}

interface VaultRequest {
  readonly dataDirectory: string
  /** The configured store of the key. */
  readonly store: VaultStore
  readonly keychain: KeyStore
}

interface OpenVault extends Vault {
  /** Where the key is stored now. */
  readonly keyIn: OpenedKey['keyIn']
}

/**
 * Opens or creates the vault. Rejects with SERVICE_UNAVAILABLE, without data loss, when the folder is not private, or the key is missing
 * or wrong.
 */
export async function openVault({ dataDirectory, store, keychain }: VaultRequest): Promise<OpenVault> {
  const home = vaultHome(dataDirectory)
  const file = join(home, VAULT_FILE)
  const path = join(home, KEY_FILE)
  openPrivateFolder(home)
  const write = async (next: Stored, key: VaultKey) => {
    await replacePrivateFile(file, seal(next, key)).catch((failure: unknown) => {
      throw unavailable(`The tokens could not be written to ${file}; check that the disk is writable and not full.`, failure)
    })
  }
  const sealed = await readPrivateFile(file)
  const flaw = sealed && flawOf(sealed)
  if (flaw !== undefined) throw unknownVault(flaw, file)
  const { stored, key, keyIn } = await openKey({
    sealed,
    store,
    keychain,
    file: keyFile(path),
    paths: { sealed: file, key: path },
    reseal: write,
  })
  return { ...openCollections(stored, (next) => write(next, key)), derivedKey: async (purpose) => derivedKeyOf(key, purpose), keyIn }
}
