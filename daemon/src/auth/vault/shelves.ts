/** The shelves of a vault over one file that is written as a whole: changes that come while a write is under way go together in the next. */
import type { Stored } from './sealed.ts'
import type { BotToken, Shelf, TokenSet, Vault } from './vault.ts'

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

/** Readers see what is on disk. `write` resolves when its argument would survive a crash; it is called for one at a time. */
export function shelvesOver(initial: Stored, write: (next: Stored) => Promise<void>): Vault {
  let onDisk = initial
  let changes: Change[] = []
  let next: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const flush = async () => {
    const applied = { tokens: new Map(onDisk.tokens), bots: new Map(onDisk.bots) }
    for (const { kind, key, value } of changes) {
      const shelf = applied[kind] as Map<string, unknown>
      if (value === undefined) shelf.delete(key)
      else shelf.set(key, value)
    }
    changes = []
    next = undefined
    await write(applied)
    onDisk = applied
  }

  const apply = (change: Change): Promise<void> => {
    changes.push(change)
    if (next === undefined) {
      // A failed write is told to those who asked for it, and does not keep the next from being tried.
      next = last.then(flush)
      last = next.catch(() => {})
    }
    return next
  }

  const shelf = <Kind extends keyof Kinds>(kind: Kind): Shelf<Kinds[Kind]> => ({
    get: async (key) => (onDisk[kind] as ReadonlyMap<string, Kinds[Kind]>).get(key),
    put: (key, value) => apply({ kind, key, value }),
    delete: (key) => apply({ kind, key, value: undefined }),
    keys: async () => [...onDisk[kind].keys()],
  })
  return { tokens: shelf('tokens'), bots: shelf('bots') }
}
