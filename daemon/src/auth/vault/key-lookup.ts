/**
 * Finds the key of the vault and moves it to the configured store: keychain or file. A key is written to the new store and read back before
 * it is removed from the old one, so a crash at any point leaves at least one usable copy.
 */
import type { Secret } from '@sallyport/core/secret'
import { type KeyStore, KeyStoreUnavailable, type Unavailability } from './key-store.ts'
import { keychainUnavailable, keychainRequired, keyNotFound, wrongKey } from './key-errors.ts'
import { keyIdOf, newKey, newKeyId, NOTHING_STORED, type Stored, unseal, type VaultKey } from './sealed.ts'

/** `auto`: the keychain when available, else the file. */
export type VaultStore = 'auto' | 'keychain' | 'file'

export interface OpenedKey {
  readonly stored: Stored
  readonly key: VaultKey
  readonly keyIn: 'keychain' | 'file'
}

interface KeyLookup {
  /** Undefined when there is no vault yet. */
  readonly sealed: Buffer | undefined
  readonly store: VaultStore
  readonly keychain: KeyStore
  readonly file: KeyStore
  readonly paths: { readonly sealed: string; readonly key: string }
  /** Writes the vault with this key. */
  readonly reseal: (stored: Stored, key: VaultKey) => Promise<void>
}

type Key = Secret<Buffer>

const isSame = (one: Key, other: Key | undefined): boolean => other !== undefined && one.reveal().equals(other.reveal())

/** Rejects with SERVICE_UNAVAILABLE when no key opens the vault, or the configured store cannot hold it. */
export async function openKey(request: KeyLookup): Promise<OpenedKey> {
  const { sealed, file, store } = request
  const knownId = sealed && keyIdOf(sealed)
  const id = knownId ?? newKeyId()
  const fileKey = await file.read(id, 'brief')
  const opens = (key: Key | undefined): Stored | undefined => key && (sealed === undefined ? NOTHING_STORED : unseal(sealed, key))

  const fromFile = opens(fileKey)
  // When the file is configured and has the key, the keychain must not prompt the user.
  const lookup =
    store === 'file' && (fromFile !== undefined || sealed === undefined)
      ? {}
      : await readKeychain(request, id, fromFile === undefined && sealed !== undefined)
  const fromChain = opens(lookup.key)
  const key = fromChain !== undefined ? lookup.key : fromFile !== undefined ? fileKey : sealed === undefined ? newKey() : undefined
  const stored = fromChain ?? fromFile ?? NOTHING_STORED
  if (key === undefined) throw refusal(request, fileKey, lookup)

  const keyIn = await storeKey(request, { id, key }, fileKey, lookup)
  if (sealed === undefined || knownId === undefined) await request.reseal(stored, { id, key })
  await removeOldKey(request, { id, key }, keyIn, fileKey, lookup)
  return { stored, key: { id, key }, keyIn }
}

interface KeychainLookup {
  readonly key?: Key | undefined
  /** Absent when it responded, or was not used. */
  readonly unavailable?: Unavailability
}

async function readKeychain({ keychain }: KeyLookup, id: string, isNeeded: boolean): Promise<KeychainLookup> {
  try {
    return { key: await keychain.read(id, isNeeded ? 'patient' : 'brief') }
  } catch (failure) {
    if (failure instanceof KeyStoreUnavailable) return { unavailable: failure.reason }
    throw failure
  }
}

function refusal({ sealed, paths }: KeyLookup, fileKey: Key | undefined, lookup: KeychainLookup) {
  if (fileKey !== undefined) return wrongKey(paths.sealed, paths.key)
  // Older vaults always had their key in the file.
  const couldBeInChain = sealed !== undefined && keyIdOf(sealed) !== undefined
  if (lookup.key !== undefined) return wrongKey(paths.sealed, "the key in the system's keychain")
  return couldBeInChain && lookup.unavailable !== undefined
    ? keychainUnavailable(lookup.unavailable, paths.sealed, paths.key)
    : keyNotFound(paths.sealed, paths.key)
}

/** Ensures that the key is in the configured store; returns that store. */
async function storeKey({ store, keychain, file }: KeyLookup, { id, key }: VaultKey, fileKey: Key | undefined, lookup: KeychainLookup) {
  const intoFile = async (): Promise<'file'> => {
    if (!isSame(key, fileKey)) await writeAndReadBack(file, id, key)
    return 'file'
  }
  if (store === 'file') return intoFile()
  let reason = lookup.unavailable
  if (reason === undefined) {
    try {
      if (!isSame(key, lookup.key)) await writeAndReadBack(keychain, id, key)
      return 'keychain' as const
    } catch (failure) {
      if (!(failure instanceof KeyStoreUnavailable)) throw failure
      reason = failure.reason
    }
  }
  if (store === 'keychain') throw keychainRequired(reason)
  return intoFile()
}

async function writeAndReadBack(store: KeyStore, id: string, key: Key): Promise<void> {
  await store.write(id, key)
  // A store that does not return the key it accepted is unusable.
  if (!isSame(key, await store.read(id, 'brief'))) throw new KeyStoreUnavailable('failed')
}

/** Removes the key from the store that is not used. A keychain that does not respond keeps its copy, which gives no access beyond the file's. */
async function removeOldKey(
  { keychain, file }: KeyLookup,
  { id }: VaultKey,
  keyIn: OpenedKey['keyIn'],
  fileKey: Key | undefined,
  lookup: KeychainLookup,
) {
  if (keyIn === 'keychain' && fileKey !== undefined) await file.remove(id)
  if (keyIn === 'file' && lookup.key !== undefined) {
    await keychain.remove(id).catch((failure: unknown) => {
      if (!(failure instanceof KeyStoreUnavailable)) throw failure
    })
  }
}
