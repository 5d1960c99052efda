/** The ports as the running system has them. */
import { type FSWatcher, watch } from 'node:fs'
import { dialOwnServer, ownFolder } from './own-server.ts'
import type { Clock, Ports } from './ports.ts'

/** Longer than this a timer of the system cannot wait; it would fall due at once. Some 25 days. */
const LONGEST_MS = 2 ** 31 - 1

const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task, background = false) {
    const timer = setTimeout(task, Math.min(delayMs, LONGEST_MS))
    if (background) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A directory that is missing or may not be watched is no error: the timed attempts go on. */
function watchDirectories(directories: readonly string[], onEntry: (name: string) => void): () => void {
  const watchers: FSWatcher[] = []
  for (const directory of directories) {
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => onEntry(name ?? ''))
      watcher.on('error', () => watcher.close())
      watchers.push(watcher)
    } catch {
      // Missing, or not to be watched: the timed attempts find the server all the same.
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

export const systemPorts = (): Ports => ({
  clock: systemClock,
  random: Math.random,
  env: process.env,
  platform: process.platform,
  dial: dialOwnServer,
  ownFolder,
  watch: watchDirectories,
})
