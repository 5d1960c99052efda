/** Opens the vault at its first use, because a keychain takes tens of milliseconds and may prompt the user, and many runs need no token. */
import type { Clock } from '@sallyport/core/clock'
import { keychainPending } from './key-errors.ts'
import type { SecretCollection, Vault } from './vault.ts'

/** How long a call waits while the keychain prompts the user, in ms; opening continues. Shorter than the deadline of calls. */
const OPEN_TIMEOUT_MS = 20_000
/** How long a failure is cached before a retry, in ms, so that many calls cause one prompt. */
const RETRY_MS = 3_000

export function lazyVault(open: () => Promise<Vault>, clock: Clock): Vault {
  let opening: Promise<Vault> | undefined

  const begin = (): Promise<Vault> => {
    opening = open()
    opening.catch(() => clock.after(RETRY_MS, () => (opening = undefined)))
    return opening
  }

  const opened = (): Promise<Vault> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(OPEN_TIMEOUT_MS, () => reject(keychainPending()))
      ;(opening ?? begin()).then(resolve, reject).finally(cancel)
    })

  const collection = <Value>(of: (vault: Vault) => SecretCollection<Value>): SecretCollection<Value> => ({
    get: async (key) => of(await opened()).get(key),
    put: async (key, value) => of(await opened()).put(key, value),
    delete: async (key) => of(await opened()).delete(key),
    keys: async () => of(await opened()).keys(),
  })
  return { tokens: collection(({ tokens }) => tokens), bots: collection(({ bots }) => bots) }
}
