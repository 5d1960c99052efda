/** Collections in memory, lost when the process ends. */
import type { SecretCollection, TokenCollection } from './vault.ts'

export function createMemoryCollection<Value>(): SecretCollection<Value> {
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

export const createMemoryTokens = (): TokenCollection => createMemoryCollection()
