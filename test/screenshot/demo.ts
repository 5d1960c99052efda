/** What the pictures show: a daemon with its dashboard, and games. */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from '../e2e/support/browser.ts'
import { cleanEnvironment, type Daemon, SOURCE, startDaemon } from '../e2e/support/daemon.ts'
import { makeProgram } from '../e2e/support/program-client.ts'
import { ended } from '#test/support/ended.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
const EXAMPLE = join(ROOT, 'bindings/ts/examples/dockside.ts')
/** Fixed and short, because the pictures show paths below it. */
export const BASE = '/tmp/demo'
/** More than a picture takes. */
const ROUNDS = '100'

export interface Demo {
  readonly daemon: Daemon
  readonly dashboard: Page
  /** Closes what a picture opened besides, before the daemon ends; the last one first. */
  readonly closers: (() => Promise<unknown>)[]
}

/** Allows the game on the dashboard and on the page of the platform, as a user does. */
async function signIn(dashboard: Page, consent: Page): Promise<void> {
  await dashboard.getByRole('button', { name: 'Allow' }).click()
  const link = dashboard.getByRole('link', { name: 'open page' })
  await consent.goto((await link.getAttribute('href')) ?? '')
  await consent.getByRole('button', { name: 'Allow' }).click()
  await dashboard.getByText(/elapsed/).waitFor()
}

/** Runs a daemon, its dashboard in a browser, and a game that is signed in; and ends all. */
export async function withDemo(show: (demo: Demo) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  mkdirSync(BASE, { mode: 0o700 })
  try {
    const at = { base: BASE, runtime: join(BASE, 'run'), data: join(BASE, 'data'), remove: async () => {} }
    // Without PATH the daemon finds no browser to open.
    const daemon = await startDaemon(SOURCE, at, ['--sandbox', 'relaxed', '--consent', 'prompt'], { PATH: '/nonexistent' })
    closers.unshift(() => daemon.stop())
    const browser = await openBrowser()
    closers.unshift(() => browser.close())
    const dashboard = await browser.newPage()
    await dashboard.goto(daemon.ready.dashboard ?? '')
    closers.unshift(await startGame('games/dockside', daemon.socket))
    await signIn(dashboard, await browser.newPage())
    await show({ daemon, dashboard, closers })
  } finally {
    for (const close of closers) await close()
    rmSync(BASE, { recursive: true, force: true })
  }
}

/** Starts the example behind a native program, so that the daemon shows the path of that program. Returns a function that ends both. */
export async function startGame(name: string, socket: string): Promise<() => Promise<void>> {
  const program = makeProgram(join(BASE, name))
  const runtime = join(BASE, `${name.replaceAll('/', '-')}.run`)
  mkdirSync(runtime, { mode: 0o700 })
  const front = createServer((connection) => {
    const relay = spawn(program, [socket], { env: cleanEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] })
    // A game that ends closes it, or breaks it.
    connection.on('error', () => {})
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
