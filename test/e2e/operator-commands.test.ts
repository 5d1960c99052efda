/** `sallyport presence` and `sallyport logs` with the real daemon. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SOON } from '../support/soon.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const run = promisify(execFile)
const GAME = '555000'

describe.each(TARGETS)('$name', (target) => {
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

  async function sallyport(...words: readonly string[]): Promise<string> {
    const [program, ...before] = target.command
    const { stdout } = await run(program, [...before, ...words, '--data-dir', at.data], { env: { ...cleanEnvironment(), HOME: at.base } })
    return stdout
  }

  test('presence is paused and resumed, and stays paused when the daemon starts again', async () => {
    expect(JSON.parse(await sallyport('presence', '--json'))).toEqual({ paused: false })
    expect(await sallyport('presence', 'pause')).toContain('Presence is paused')
    const game = await RawClient.ready(daemon.socket, { client_id: GAME })
    expect(await game.call('SET_ACTIVITY', { pid: process.pid, activity: { details: 'Hidden' } })).toMatchObject({
      evt: null,
      data: { details: 'Hidden' },
    })
    game.hangUp()
    await daemon.stop()
    daemon = await startDaemon(target, at)
    expect(JSON.parse(await sallyport('presence', '--json'))).toEqual({ paused: true })
    expect(await sallyport('presence', 'resume')).toBe('Presence is shown.\n')
    expect(JSON.parse(await sallyport('presence', '--json'))).toEqual({ paused: false })
  })

  test('the log is a private file, which is read without the daemon', async () => {
    const game = await RawClient.ready(daemon.socket, { client_id: GAME })
    game.hangUp()
    const events = async () =>
      (await sallyport('logs', '--json', '--level', 'info'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { event: string }).event)
    await expect.poll(events, SOON).toEqual(expect.arrayContaining(['ready', 'session-ready', 'session-ended']))
    await daemon.stop()
    expect(await events()).toContain('session-ready')
    expect(await sallyport('logs', '--lines', '1')).toMatch(/^\d{4}-\d\d-\d\d [\d:.]+ (?:debug|info |warn |error) .+\n$/)
    expect(statSync(join(at.data, 'log', 'sallyport.log')).mode & 0o777).toBe(0o600)
  })
})
