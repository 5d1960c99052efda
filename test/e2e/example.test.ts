/** The example game plays to its end, also when the daemon is killed in the middle and started again. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanEnvironment, type Daemon, type Folders, folders, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'

const GAME = resolve(import.meta.dirname, '..', '..', 'bindings', 'ts', 'examples', 'dockside.ts')

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterEach(async () => {
    await daemon.stop()
    await at.remove()
  })

  const play = (onText: (all: string) => void) =>
    new Promise<{ code: number | null; text: string }>((done) => {
      let text = ''
      const game = spawn(process.execPath, ['--conditions=sallyport-source', GAME, '--fast', '--runtime-dir', at.runtime], {
        env: cleanEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [game.stdout, game.stderr]) {
        stream.setEncoding('utf8').on('data', (more: string) => {
          text += more
          onText(text)
        })
      }
      game.once('close', (code) => done({ code, text }))
    })

  test('without a break', { tags: ['1-1'] }, async () => {
    const { code, text } = await play(() => {})
    expect(code, text).toBe(0)
  })

  test('with the daemon killed by SIGKILL in the middle and started again', async () => {
    let restart: Promise<void> | undefined
    const { code, text } = await play((all) => {
      if (restart !== undefined || !/lobby/i.test(all)) return
      restart = daemon.kill().then(async () => {
        daemon = await startDaemon(target, at)
      })
    })
    await restart
    expect(code, text).toBe(0)
    expect(text).toMatch(/connection to the bridge lost/i)
    expect(text).toMatch(/back/i)
  })
})
