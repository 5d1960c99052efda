/** The databases that each process has open, so that a killed process lets go of them, as the system makes it. */
import { cpSync, rmSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Disk } from './disk.ts'
import { asOwner, currentOwner, type Owner } from './timeline.ts'

const opened = new Map<Owner, Set<DatabaseSync>>()

type Call = (this: unknown, ...given: unknown[]) => unknown

/** Replaces a method of all databases, or of all statements. The classes themselves stay: Node hands out those that it has. */
function replace(prototype: object, name: string, by: (call: Call) => Call): void {
  const methods = prototype as Record<string, Call>
  const call = methods[name]
  if (call !== undefined) methods[name] = by(call)
}

export function replaceDatabases(disk: Disk): void {
  const watched = (call: Call, before: (database: DatabaseSync) => void = () => {}): Call =>
    function (...given) {
      before(this as DatabaseSync)
      try {
        return call.apply(this, given)
      } finally {
        disk.afterSqlite()
      }
    }
  for (const name of ['run', 'get', 'all']) replace(StatementSync.prototype, name, watched)
  // Every file is set up by `exec` as soon as it is open.
  replace(DatabaseSync.prototype, 'exec', (call) => watched(call, noteOpen))
  replace(DatabaseSync.prototype, 'close', (call) => watched(call, noteClosed))
}

const IN_MEMORY = null

function noteOpen(database: DatabaseSync): void {
  const owner = currentOwner()
  if (owner === undefined || database.location() === IN_MEMORY) return
  opened.set(owner, (opened.get(owner) ?? new Set()).add(database))
}

function noteClosed(database: DatabaseSync): void {
  for (const [owner, own] of opened) if (own.delete(database) && own.size === 0) opened.delete(owner)
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
  // Under no owner, so that the disk does not take it for work of the process.
  asOwner(undefined, () => [...(opened.get(owner) ?? [])].forEach((database) => database.close()))
  rmSync(folder, { recursive: true })
  cpSync(kept, folder, { recursive: true, preserveTimestamps: true })
  rmSync(kept, { recursive: true })
}
