/** The databases that each process has open, so that a killed process lets go of them, as the system makes it. */
import { cpSync, rmSync } from 'node:fs'
import sqlite, { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Disk } from './disk.ts'
import { currentOwner, type Owner } from './timeline.ts'

const opened = new Map<Owner, Set<DatabaseSync>>()

const CALLS = ['run', 'get', 'all'] as const

export function replaceDatabases(disk: Disk): void {
  const statements = StatementSync.prototype as unknown as Record<string, (...given: unknown[]) => unknown>
  for (const name of CALLS) {
    const call = statements[name]
    statements[name] = function (this: StatementSync, ...given) {
      try {
        return call?.apply(this, given)
      } finally {
        disk.afterSqlite()
      }
    }
  }
  Object.assign(sqlite, {
    DatabaseSync: class extends DatabaseSync {
      readonly #owner = currentOwner()
      constructor(...given: ConstructorParameters<typeof DatabaseSync>) {
        super(...given)
        if (this.#owner === undefined) return
        const own = opened.get(this.#owner) ?? new Set()
        opened.set(this.#owner, own.add(this))
      }
      override exec(sql: string): void {
        try {
          super.exec(sql)
        } finally {
          disk.afterSqlite()
        }
      }
      override close(): void {
        try {
          super.close()
        } finally {
          if (this.#owner !== undefined) opened.get(this.#owner)?.delete(this)
          disk.afterSqlite()
        }
      }
    },
  })
}

/** Databases that the process has open. */
export const openDatabases = (owner: Owner): number => opened.get(owner)?.size ?? 0

/**
 * Closes the databases of a killed process. SQLite tidies up when it closes a database, which a killed process does not, so the folder is put back
 * to what it was.
 */
export function abandonDatabases(owner: Owner, folder: string): void {
  const kept = `${folder}.kept`
  cpSync(folder, kept, { recursive: true, preserveTimestamps: true })
  for (const database of opened.get(owner) ?? []) DatabaseSync.prototype.close.call(database)
  opened.delete(owner)
  rmSync(folder, { recursive: true })
  cpSync(kept, folder, { recursive: true, preserveTimestamps: true })
  rmSync(kept, { recursive: true })
}
