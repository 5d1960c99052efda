/** A prompt as a notification of a real service on a real screen: what is shown, and a click on its button. Only on Linux with dunst and Xvfb. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { carryOut } from '#daemon/src/install/carry-out.ts'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, SMOKE_TARGETS, startDaemon } from './support/daemon.ts'
import { type Bus, hasBus, startBus } from './support/desktop.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const MISSING = ['Xvfb', 'dunst', 'dunstctl', 'gcc'].filter((program) => !isThere(program))
const DISPLAY_FD = 3
/** A click before 700 ms only opens the dashboard. They begin when the daemon reads the answer of the service, which a busy machine delays. */
const READABLE_MS = 2_000

/** The menu of actions chooses the first line with the word in the file beside it. */
const CONFIGURATION = (menu: string): string => `[global]\ndmenu = ${menu}\nfollow = none\n`

describe.skipIf(!hasBus || process.platform !== 'linux' || MISSING.length > 0).each(SMOKE_TARGETS)(
  `$name (skipped where one is missing: dbus-daemon, Xvfb, dunst, gcc; on Debian: apt-get install dbus xvfb dunst gcc)`,
  (target) => {
    let at: Folders
    let bus: Bus
    let daemon: Daemon
    let env: NodeJS.ProcessEnv
    const running: ChildProcess[] = []

    beforeEach(async () => {
      at = await folders()
      const screen = spawn('Xvfb', ['-displayfd', String(DISPLAY_FD), '-screen', '0', '800x400x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      })
      running.push(screen)
      const [number] = (await once(createInterface({ input: screen.stdio[DISPLAY_FD] as Readable }), 'line')) as [string]
      bus = await startBus({ DISPLAY: `:${number}`, HOME: at.base })
      const menu = join(at.base, 'menu')
      writeFileSync(menu, `#!/bin/sh\ntee '${menu}.shown' | grep -m1 "$(cat '${menu}.choice')"\n`)
      chmodSync(menu, 0o755)
      mkdirSync(join(at.base, 'config'))
      writeFileSync(join(at.base, 'config', 'dunstrc'), CONFIGURATION(menu))
      env = { ...cleanEnvironment(), ...bus.env, DISPLAY: `:${number}`, HOME: at.base }
      running.push(spawn('dunst', ['-conf', join(at.base, 'config', 'dunstrc')], { env, stdio: 'ignore' }))
      await expect.poll(() => shown('waiting'), SOON).toBe(0)
      daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent', ...bus.env })
    })
    afterEach(async () => {
      await daemon.stop()
      await carryOut(
        [{ do: 'stop-tray', dataDir: at.data }],
        async () => false,
        () => {},
      )
      for (const child of running.splice(0).toReversed()) {
        child.kill('SIGTERM')
        await ended(child)
      }
      await bus.stop()
      await at.remove()
    })

    const control = (...words: string[]): string => spawnSync('dunstctl', words, { env, encoding: 'utf8' }).stdout
    const shown = (kind: 'displayed' | 'waiting'): number => Number(control('count', kind) || Number.NaN)
    const choose = (action: string): void => {
      writeFileSync(join(at.base, 'menu.choice'), action)
      control('context')
    }
    const authorize = (game: ProgramClient) =>
      game.call('AUTHORIZE', {
        scopes: ['identify'],
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
        code_challenge_method: 'S256',
      })

    test('the daemon brings it by itself, and its button answers the prompt', async () => {
      const game = await ProgramClient.start(makeProgram(join(at.base, 'game')), daemon.socket, { client_id: '555000', contract: '1.0' })
      try {
        const answer = authorize(game)
        await expect.poll(() => shown('displayed'), SOON).toBe(1)
        await pause(READABLE_MS)
        choose('Deny')
        expect(await answer).toMatchObject({
          evt: 'ERROR',
          data: { code: 5000, message: expect.stringContaining('did not allow') as string },
        })
        expect(readFileSync(join(at.base, 'menu.shown'), 'utf8')).toMatch(/\bOpen\b[^]*\bAllow\b[^]*\bDeny\b/)
        await expect.poll(() => shown('displayed'), SOON).toBe(0)
      } finally {
        await game.end()
      }
    })
  },
)
