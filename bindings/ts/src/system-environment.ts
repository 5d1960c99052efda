/** The environment of the running system. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { connectOwnServer, ownFolder } from './own-server.ts'
import type { Clock, Environment } from './environment.ts'

/** Longest timer of Node, about 25 days; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task, background = false) {
    const timer = setTimeout(task, Math.min(delayMs, MAX_TIMER_MS))
    if (background) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Ignores directories that are missing or cannot be watched, because timed attempts continue. */
function watchDirectories(directories: readonly string[], onEntry: (name: string) => void): () => void {
  const watchers: FSWatcher[] = []
  for (const directory of directories) {
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => onEntry(name ?? ''))
      watcher.on('error', () => watcher.close())
      watchers.push(watcher)
    } catch {
      // Missing, or not watchable: the timed attempts find the server.
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

/** Files at the root of a Flatpak and of a Snap. Outside of them, neither another user nor a contained program can make a file there. */
const CONTAINER_MARKS = ['/.flatpak-info', '/meta/snap.yaml'] as const

export const systemEnvironment = (): Environment => ({
  clock: systemClock,
  random: Math.random,
  env: process.env,
  platform: process.platform,
  connect: connectOwnServer,
  ownFolder,
  isContained: () => CONTAINER_MARKS.some((path) => existsSync(path)),
  exists: existsSync,
  watch: watchDirectories,
})
