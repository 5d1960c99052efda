/** A vault that forgets everything when the process ends. */
import type { Shelf, TokenVault } from './vault.ts'

export function createMemoryShelf<Value>(): Shelf<Value> {
  const stored = new Map<string, Value>()
  return {
    get: async (key) => stored.get(key),
    async put(key, value) {
      stored.set(key, value)
    },
    async delete(key) {
      stored.delete(key)
    },
    keys: async () => [...stored.keys()],
  }
}

export const createMemoryVault = (): TokenVault => createMemoryShelf()
