/**
 * Opens the vault at its first use, because a keychain takes a process, tens of milliseconds and perhaps a prompt, and many runs need no
 * token. While nothing was ever stored or tried to be, only `put` and `derivedKey` open it.
 */
import type { Clock } from '@sallyport/core/clock'
import { keychainPending } from './key-errors.ts'
import type { SecretCollection, Vault } from './vault.ts'

/** How long a call waits while the keychain prompts the user, in ms; opening continues. Shorter than the deadline of calls. */
const OPEN_TIMEOUT_MS = 20_000
/** How long a failure is cached before a retry, in ms, so that many calls cause one prompt. */
const RETRY_MS = 3_000

interface LazyVaultDeps {
  readonly open: () => Promise<Vault>
  /** Whether the vault has no file yet. */
  readonly isMissing: () => boolean
  readonly clock: Clock
}

export function lazyVault({ open, isMissing, clock }: LazyVaultDeps): Vault {
  /** It was opened, or something prevented that, which a reader must learn too. */
  let isTried = false
  let opening: Promise<Vault> | undefined

  const begin = (): Promise<Vault> => {
    opening = open()
    opening.catch(() => clock.after(RETRY_MS, () => (opening = undefined))).finally(() => (isTried = true))
    return opening
  }

  const opened = (): Promise<Vault> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(OPEN_TIMEOUT_MS, () => reject(keychainPending()))
      ;(opening ?? begin()).then(resolve, reject).finally(cancel)
    })

  const isEmpty = (): boolean => !isTried && isMissing()

  const collection = <Value>(of: (vault: Vault) => SecretCollection<Value>): SecretCollection<Value> => ({
    get: async (key) => (isEmpty() ? undefined : of(await opened()).get(key)),
    put: async (key, value) => of(await opened()).put(key, value),
    delete: async (key) => (isEmpty() ? undefined : of(await opened()).delete(key)),
    keys: async () => (isEmpty() ? [] : of(await opened()).keys()),
  })
  return {
    tokens: collection(({ tokens }) => tokens),
    bots: collection(({ bots }) => bots),
    derivedKey: async (purpose) => (await opened()).derivedKey(purpose),
  }
}
