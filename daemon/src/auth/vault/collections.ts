/** The secret collections of a vault in one file, written as a whole. Changes during a write are combined in the next one. */
import type { Stored } from './sealed.ts'
import type { BotToken, SecretCollection, SecretCollections, TokenSet } from './vault.ts'

interface Kinds {
  readonly tokens: TokenSet
  readonly bots: BotToken
}

interface Change {
  readonly kind: keyof Kinds
  readonly key: string
  /** Undefined deletes. */
  readonly value: Kinds[keyof Kinds] | undefined
}

/** Readers see the content on disk. `write` resolves once its argument would survive a crash; calls do not overlap. */
export function openCollections(initial: Stored, write: (next: Stored) => Promise<void>): SecretCollections {
  let onDisk = initial
  let changes: Change[] = []
  let next: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const flush = async () => {
    const applied = { tokens: new Map(onDisk.tokens), bots: new Map(onDisk.bots) }
    for (const { kind, key, value } of changes) {
      const collection = applied[kind] as Map<string, unknown>
      if (value === undefined) collection.delete(key)
      else collection.set(key, value)
    }
    changes = []
    next = undefined
    await write(applied)
    onDisk = applied
  }

  const apply = (change: Change): Promise<void> => {
    changes.push(change)
    if (next === undefined) {
      // A failed write rejects for its callers and does not block the next write.
      next = last.then(flush)
      last = next.catch(() => {})
    }
    return next
  }

  const collection = <Kind extends keyof Kinds>(kind: Kind): SecretCollection<Kinds[Kind]> => ({
    get: async (key) => (onDisk[kind] as ReadonlyMap<string, Kinds[Kind]>).get(key),
    put: (key, value) => apply({ kind, key, value }),
    delete: (key) => apply({ kind, key, value: undefined }),
    keys: async () => [...onDisk[kind].keys()],
  })
  return { tokens: collection('tokens'), bots: collection('bots') }
}
