/** Opens what calls with a key need: their file, and keys of the vault. Loaded at the first of them. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { NewerDataError } from '@sallyport/core/storage/newer-data'
import type { Logger } from '@sallyport/core/logger'
import { Secret } from '@sallyport/core/secret'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { Accounting } from '../../accounting/accounting.ts'
import type { Vault } from '../../auth/vault/vault.ts'
import type { OpenedKeys } from './keyed-calls.ts'
import { KeyStore } from './key-store.ts'
import { ResultSeal } from './result-seal.ts'

/** Of AES-256. */
const KEY_BYTES = 32

interface KeyParts {
  readonly vault: Pick<Vault, 'derivedKey'>
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside' | 'notRead'>
  readonly accounting: Pick<Accounting, 'shareOf'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Where the vault cannot be opened, the keys of this process take its place: a game that brings its own token needs no vault. After a restart their
 * results are `unsealed`. Rejects with SERVICE_UNAVAILABLE if the file cannot be used.
 */
export async function openKeys({ vault, health, accounting, clock, log }: KeyParts): Promise<OpenedKeys> {
  const { vaultKeyId, ofArguments, ofResults } = await keysOf(vault).catch((failure: unknown) => {
    if (!(failure instanceof BridgeError)) throw failure
    log.warn('call-keys-without-vault', { err: failure })
    return keysOfThisProcess()
  })
  const store = openStore(() => new KeyStore({ health, accounting, clock, log, vaultKeyId }), health)
  return { store, seal: new ResultSeal(ofArguments, ofResults) }
}

interface SealKeys {
  readonly vaultKeyId: string
  readonly ofArguments: Secret<Buffer>
  readonly ofResults: Secret<Buffer>
}

async function keysOf(vault: KeyParts['vault']): Promise<SealKeys> {
  const [ofArguments, ofResults] = await Promise.all([
    vault.derivedKey('arguments of calls with a key'),
    vault.derivedKey('results of calls with a key'),
  ])
  return { vaultKeyId: ofResults.vaultKeyId, ofArguments: ofArguments.key, ofResults: ofResults.key }
}

const randomKey = (): Secret<Buffer> => new Secret(randomBytes(KEY_BYTES))
const keysOfThisProcess = (): SealKeys => ({ vaultKeyId: randomUUID(), ofArguments: randomKey(), ofResults: randomKey() })

function openStore(open: () => KeyStore, health: KeyParts['health']): KeyStore {
  try {
    return open()
  } catch (failure) {
    // It stays as it is, and the user learns it; any other reason may pass.
    if (failure instanceof NewerDataError) health.notRead('calls.sqlite', failure)
    throw failure
  }
}
