/** Notifies when a socket may have appeared, without polling. It watches only while there are listeners. */
import { type FSWatcher, watch } from 'node:fs'
import { sep } from 'node:path'
import type { SocketCandidates } from './socket-candidates.ts'

export interface DirectoryWatch {
  /** Calls `listener` on changes, until the returned function is called. */
  subscribe(listener: () => void): () => void
  /** False if changes are not reported: on pipes, or when the system refuses. */
  readonly isWatching: boolean
}

export function watchDirectories({ folders, isRelevant: matters }: SocketCandidates): DirectoryWatch {
  const watchers = new Map<string, FSWatcher>()
  const listeners = new Set<() => void>()

  const changed = (name: string | null): void => {
    if (name !== null && !matters(name)) return
    // A parent directory may have appeared or may have been replaced.
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
        // The directory does not exist, or the system has no watches left.
      }
    }
  }

  return {
    subscribe(listener) {
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
