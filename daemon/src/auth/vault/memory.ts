/** A vault that forgets everything when the process ends. */
import type { TokenSet, TokenVault } from './vault.ts'

export function createMemoryVault(): TokenVault {
  const stored = new Map<string, TokenSet>()
  return {
    get: async (key) => stored.get(key),
    async put(key, tokens) {
      stored.set(key, tokens)
    },
    async delete(key) {
      stored.delete(key)
    },
    keys: async () => [...stored.keys()],
  }
}
