/** The game of the pictures. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { cleanEnvironment } from '../e2e/support/daemon.ts'
import { makeProgram } from '../e2e/support/program-client.ts'
import { ended } from '../support/ended.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
const EXAMPLE = join(ROOT, 'bindings/ts/examples/dockside.ts')
/** Fixed and short, because the pictures show paths below it. */
export const BASE = '/tmp/demo'
/** More than a picture takes. */
const ROUNDS = '100'

/** Starts the example behind a native program, so that the daemon shows the path of that program. Returns a function that ends both. */
export async function startGame(name: string, socket: string): Promise<() => Promise<void>> {
  const program = makeProgram(join(BASE, name))
  const runtime = join(BASE, `${name.replaceAll('/', '-')}.run`)
  mkdirSync(runtime, { mode: 0o700 })
  const front = createServer((connection) => {
    const relay = spawn(program, [socket], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] })
    connection.pipe(relay.stdin)
    relay.stdout.pipe(connection)
  })
  await new Promise<void>((listening) => front.listen(join(runtime, 'discord-ipc-0'), listening))
  const game = spawn(process.execPath, ['--conditions=sallyport-source', EXAMPLE, '--rounds', ROUNDS, '--runtime-dir', runtime], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return async () => {
    game.kill('SIGTERM')
    await ended(game)
    front.close()
  }
}
