/** Opens what calls with a key need: their file, and keys of the vault. Loaded at the first of them. */
import type { Clock } from '@sallyport/core/clock'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import type { Logger } from '@sallyport/core/logger'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { Vault } from '../../auth/vault/vault.ts'
import type { OpenedKeys } from './keyed-calls.ts'
import { KeyStore } from './key-store.ts'
import { ResultSeal } from './result-seal.ts'

interface KeyParts {
  readonly vault: Pick<Vault, 'derivedKey'>
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside' | 'notRead'>
  readonly clock: Clock
  readonly log: Logger
}

/** Rejects with SERVICE_UNAVAILABLE if the vault or the file cannot be used. */
export async function openKeys({ vault, health, clock, log }: KeyParts): Promise<OpenedKeys> {
  const [ofArguments, ofResults] = await Promise.all([
    vault.derivedKey('arguments of calls with a key'),
    vault.derivedKey('results of calls with a key'),
  ])
  const store = openStore(() => new KeyStore({ health, clock, log, vaultKeyId: ofResults.vaultKeyId }), health)
  return { store, seal: new ResultSeal(ofArguments.key, ofResults.key) }
}

function openStore(open: () => KeyStore, health: KeyParts['health']): KeyStore {
  try {
    return open()
  } catch (failure) {
    // It stays as it is, and the user learns it; any other reason may pass.
    if (failure instanceof NewerDataError) health.notRead('calls.sqlite', failure)
    throw failure
  }
}
