/** `sallyport presence` and `sallyport logs` with the real daemon. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

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

  async function run(...words: readonly string[]): Promise<string> {
    const { code, out, err } = await sallyport(target, [...words, '--data-dir', at.data], { HOME: at.base })
    expect(code, err).toBe(0)
    return out
  }

  test('presence is paused and resumed, and stays paused when the daemon starts again', async () => {
    expect(JSON.parse(await run('presence', '--json'))).toEqual({ paused: false })
    expect(await run('presence', 'pause')).toContain('Presence is paused')
    const game = await RawClient.ready(daemon.socket, { client_id: GAME })
    expect(await game.call('SET_ACTIVITY', { pid: process.pid, activity: { details: 'Hidden' } })).toMatchObject({
      evt: null,
      data: { details: 'Hidden' },
    })
    game.hangUp()
    await daemon.stop()
    daemon = await startDaemon(target, at)
    expect(JSON.parse(await run('presence', '--json'))).toEqual({ paused: true })
    expect(await run('presence', 'resume')).toBe('Presence is shown.\n')
    expect(JSON.parse(await run('presence', '--json'))).toEqual({ paused: false })
  })

  test('the log is a private file, which is read without the daemon', async () => {
    const game = await RawClient.ready(daemon.socket, { client_id: GAME })
    game.hangUp()
    const events = async () =>
      (await run('logs', '--json', '--level', 'info'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { event: string }).event)
    await expect.poll(events, SOON).toEqual(expect.arrayContaining(['ready', 'session-ready', 'session-ended']))
    await daemon.stop()
    expect(await events()).toContain('session-ready')
    expect(await run('logs', '--lines', '1')).toMatch(/^\d{4}-\d\d-\d\d [\d:.]+ (?:debug|info |warn |error) .+\n$/)
    expect(statSync(join(at.data, 'log', 'sallyport.log')).mode & 0o777).toBe(0o600)
  })
})
