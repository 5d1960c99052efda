/**
 * Finds the key of the vault, and puts it where the operator wants it: keychain or file. A key is written to its new place and read back
 * before it is removed from the old one, so that dying at any point leaves at least one place that opens the vault.
 */
import type { Secret } from '@sallyport/core/secret'
import { type KeyStore, KeyStoreUnavailable, type Unavailability } from './key-store.ts'
import { lockedOut, noKeychain, notFound, notOpening } from './key-sentences.ts'
import { keyIdOf, newKey, newKeyId, NOTHING_STORED, type Stored, unseal, type VaultKey } from './sealed.ts'

/** `auto`: the keychain when it can be used, else the file. */
export type VaultStore = 'auto' | 'keychain' | 'file'

export interface Opening {
  readonly stored: Stored
  readonly key: VaultKey
  readonly keyIn: 'keychain' | 'file'
}

export interface KeySearch {
  /** Undefined when there is no vault yet. */
  readonly sealed: Buffer | undefined
  readonly store: VaultStore
  readonly keychain: KeyStore
  readonly file: KeyStore
  readonly paths: { readonly sealed: string; readonly key: string }
  /** Writes the vault under this key. */
  readonly reseal: (stored: Stored, key: VaultKey) => Promise<void>
}

type Key = Secret<Buffer>

const isSame = (one: Key, other: Key | undefined): boolean => other !== undefined && one.reveal().equals(other.reveal())

/** Rejects with SERVICE_UNAVAILABLE when no key opens the vault, or none can be kept where it must. */
export async function openKey(search: KeySearch): Promise<Opening> {
  const { sealed, file, store } = search
  const knownId = sealed && keyIdOf(sealed)
  const id = knownId ?? newKeyId()
  const inFile = await file.read(id, 'brief')
  const opens = (key: Key | undefined): Stored | undefined => key && (sealed === undefined ? NOTHING_STORED : unseal(sealed, key))

  const fromFile = opens(inFile)
  // Whoever chose the file, and has the key there, is not to hear from a keychain.
  const chain =
    store === 'file' && (fromFile !== undefined || sealed === undefined)
      ? {}
      : await ask(search, id, fromFile === undefined && sealed !== undefined)
  const fromChain = opens(chain.key)
  const key = fromChain !== undefined ? chain.key : fromFile !== undefined ? inFile : sealed === undefined ? newKey() : undefined
  const stored = fromChain ?? fromFile ?? NOTHING_STORED
  if (key === undefined) throw refusal(search, inFile, chain)

  const keyIn = await place(search, { id, key }, inFile, chain)
  if (sealed === undefined || knownId === undefined) await search.reseal(stored, { id, key })
  await tidy(search, { id, key }, keyIn, inFile, chain)
  return { stored, key: { id, key }, keyIn }
}

interface Chain {
  readonly key?: Key | undefined
  /** Absent when it answered, or was not asked. */
  readonly absent?: Unavailability
}

async function ask({ keychain }: KeySearch, id: string, isNeeded: boolean): Promise<Chain> {
  try {
    return { key: await keychain.read(id, isNeeded ? 'patient' : 'brief') }
  } catch (failure) {
    if (failure instanceof KeyStoreUnavailable) return { absent: failure.reason }
    throw failure
  }
}

function refusal({ sealed, paths }: KeySearch, inFile: Key | undefined, chain: Chain) {
  if (inFile !== undefined) return notOpening(paths.sealed, paths.key)
  // Older vaults never had their key anywhere but in the file.
  const couldBeInChain = sealed !== undefined && keyIdOf(sealed) !== undefined
  if (chain.key !== undefined) return notOpening(paths.sealed, "the key in the system's keychain")
  return couldBeInChain && chain.absent !== undefined ? lockedOut(chain.absent, paths.sealed, paths.key) : notFound(paths.sealed, paths.key)
}

/** Makes sure that the key is where it is wanted; gives back where that is. */
async function place({ store, keychain, file }: KeySearch, { id, key }: VaultKey, inFile: Key | undefined, chain: Chain) {
  const intoFile = async (): Promise<'file'> => {
    if (!isSame(key, inFile)) await writeAndReadBack(file, id, key)
    return 'file'
  }
  if (store === 'file') return intoFile()
  let absent = chain.absent
  if (absent === undefined) {
    try {
      if (!isSame(key, chain.key)) await writeAndReadBack(keychain, id, key)
      return 'keychain' as const
    } catch (failure) {
      if (!(failure instanceof KeyStoreUnavailable)) throw failure
      absent = failure.reason
    }
  }
  if (store === 'keychain') throw noKeychain(absent)
  return intoFile()
}

async function writeAndReadBack(store: KeyStore, id: string, key: Key): Promise<void> {
  await store.write(id, key)
  // A store that took a key and does not give it back is none.
  if (!isSame(key, await store.read(id, 'brief'))) throw new KeyStoreUnavailable('failed')
}

/** The key stands in its place; what is left elsewhere goes. A keychain that does not answer now keeps a copy that harms nobody who could not read the file. */
async function tidy({ keychain, file }: KeySearch, { id }: VaultKey, keyIn: Opening['keyIn'], inFile: Key | undefined, chain: Chain) {
  if (keyIn === 'keychain' && inFile !== undefined) await file.remove(id)
  if (keyIn === 'file' && chain.key !== undefined) {
    await keychain.remove(id).catch((failure: unknown) => {
      if (!(failure instanceof KeyStoreUnavailable)) throw failure
    })
  }
}
