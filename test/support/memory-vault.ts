/** Collections of the vault in memory. */
import type { SecretCollection, TokenCollection } from '#daemon/src/auth/vault/vault.ts'

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
