/** Tells when a socket may have appeared, without looking again and again: the system says so while somebody waits, and only then. */
import { type FSWatcher, watch } from 'node:fs'
import { sep } from 'node:path'
import type { Places } from './places.ts'

export interface FolderWatch {
  /** Hears of changes until the function it gives is called. */
  wait(listener: () => void): () => void
  /** False where nothing would be heard: on pipes, or when the system refuses. */
  readonly isWatching: boolean
}

export function folderWatch({ folders, matters }: Places): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const listeners = new Set<() => void>()

  const changed = (name: string | null): void => {
    if (name !== null && !matters(name)) return
    // A folder on the way may be there now, or be another one than before.
    for (const folder of [...watchers.keys()]) if (name !== null && folder.split(sep).includes(name)) drop(folder)
    open()
    for (const listener of [...listeners]) listener()
  }
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  function open(): void {
    for (const folder of folders) {
      if (watchers.has(folder)) continue
      try {
        const watcher = watch(folder, { persistent: false }, (_event, name) => changed(name))
        watchers.set(folder, watcher)
        watcher.on('error', () => drop(folder))
      } catch {
        // It is not there, or the system has no more watches to give.
      }
    }
  }

  return {
    wait(listener) {
      if (listeners.size === 0) open()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const folder of [...watchers.keys()]) drop(folder)
      }
    },
    get isWatching() {
      return folders[0] !== undefined && watchers.has(folders[0])
    },
  }
}
