/** Opens the vault at its first use: a keychain takes tens of milliseconds and may ask its owner, and many runs need no token at all. */
import type { Clock } from '@sallyport/core/clock'
import { stillWaiting } from './key-sentences.ts'
import type { Shelf, Vault } from './vault.ts'

/** How long a caller waits for a keychain whose owner is being asked, before it is told so; the opening goes on. Shorter than calls wait. */
const PATIENCE_MS = 20_000
/** How long a failure stands before the next try, so that a crowd of calls is not a crowd of questions. */
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
      const cancel = clock.after(PATIENCE_MS, () => reject(stillWaiting()))
      ;(opening ?? begin()).then(resolve, reject).finally(cancel)
    })

  const shelf = <Value>(of: (vault: Vault) => Shelf<Value>): Shelf<Value> => ({
    get: async (key) => of(await opened()).get(key),
    put: async (key, value) => of(await opened()).put(key, value),
    delete: async (key) => of(await opened()).delete(key),
    keys: async () => of(await opened()).keys(),
  })
  return { tokens: shelf(({ tokens }) => tokens), bots: shelf(({ bots }) => bots) }
}
