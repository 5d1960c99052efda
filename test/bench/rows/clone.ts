/** From a fresh clone to a game that has READY: what a new contributor waits for. The packages come from npm's cache, not from the network. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { isolatedEnvironment, ROOT } from '../contestants/contestants.ts'
import { plainHandshake } from '../frames.ts'
import type { Row } from '../row.ts'
import { atMost } from '../targets.ts'

const MS_PER_S = 1000
const LOOK_MS = 50
const PATIENCE_MS = 300_000
const SOCKET = 'discord-ipc-0'

async function untilReady(path: string, isOver: () => boolean): Promise<void> {
  const from = performance.now()
  while (performance.now() - from < PATIENCE_MS && !isOver()) {
    try {
      const client = await BenchClient.open(path, plainHandshake())
      client.close()
      return
    } catch {
      await pause(LOOK_MS)
    }
  }
  throw new Error('npm start opened no socket')
}

export const clone: Row = {
  name: 'clone',
  async run({ ground }) {
    const directory = ground.folder()
    const folder = join(directory, 'clone')
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    const env = { ...isolatedEnvironment(directory), npm_config_cache: cache, npm_config_prefer_offline: 'true' }
    const from = performance.now()
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, folder])
    // A group of its own, because npm starts the daemon through other programs.
    const child = spawn('npm', ['start', '--', '--runtime-dir', directory], { cwd: folder, env, stdio: 'ignore', detached: true })
    const exited = once(child, 'exit')
    let hasEnded = false
    void exited.then(() => (hasEnded = true))
    try {
      await untilReady(join(directory, SOCKET), () => hasEnded)
      const took = (performance.now() - from) / MS_PER_S
      return [
        {
          what: "fresh clone to a game's READY, `npm start`",
          unit: 's',
          sallyport: took,
          target: atMost(20, 's'),
          note: 'of the last commit; packages come from the cache of npm',
        },
      ]
    } finally {
      if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await exited
    }
  },
}
