/** Runs programs in a namespace of their own, as every container has one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'

/** An ordinary user needs a user namespace for the other kind. */
const WAYS = {
  mount: process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--user', '--map-current-user'],
  user: ['--user', '--map-current-user'],
} as const

export type Namespace = keyof typeof WAYS

export const canContain = (namespace: Namespace): boolean =>
  process.platform === 'linux' && spawnSync('unshare', [...WAYS[namespace], process.execPath, '-e', '0'], { env: {} }).status === 0

export const NO_CONTAINER = 'The system allows no such namespace, or has no unshare of util-linux.'

/** Starts a script of Node in a namespace of its own. */
export const spawnContained =
  (namespace: Namespace) =>
  (script: string, ...words: readonly string[]): ChildProcess =>
    spawn('unshare', [...WAYS[namespace], process.execPath, '-e', script, ...words], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
