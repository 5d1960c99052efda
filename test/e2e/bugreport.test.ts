/** `sallyport bugreport`, with the real daemon: what it writes, what stays out, and that nothing is written without an answer. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const APPLICATION = '223344556677889944'
const PLANTED = 'planted-text-of-a-report'

let at: Folders
let daemon: Daemon
beforeAll(async () => {
  at = await folders()
  daemon = await startDaemon(SOURCE, at, ['--log-level', 'debug', '--trace', 'on'])
  await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
})
afterAll(async () => {
  await daemon.stop()
  await at.remove()
})

const report = (path: string, ...words: string[]) =>
  sallyport(SOURCE, ['bugreport', path, '--data-dir', at.data, ...words], { HOME: at.data })

test('a report has the failed call, the checks and the log, and no secret, argument or user', async () => {
  const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0' })
  const token = await sandboxToken(
    { authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl },
    'ada',
    APPLICATION,
    ['identify', 'rpc', 'sdk.social_layer'],
  )
  await game.call('AUTHENTICATE', { access_token: token })
  await game.call('SET_ACTIVITY', { pid: process.pid, activity: { state: PLANTED } })
  await fetch(`${daemon.origin}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: { path: '/lobbies' }, status: 403, body: JSON.stringify({ code: 50007, message: `Not to ${token}` }) }),
  })
  const { evt, data } = await game.call('SEND_LOBBY_MESSAGE', { lobby_id: '5', content: PLANTED })
  expect([evt, data]).toMatchObject(['ERROR', { platform_code: 50007 }])
  const { call_id: id = '' } = data as { call_id?: string }

  const path = join(at.base, 'report.txt')
  const refused = await report(path)
  expect([refused.code, existsSync(path)]).toEqual([2, false])
  expect(refused.err).toContain('Add --yes')

  const written = await report(path, '--yes', '--json')
  expect(written.code).toBe(0)
  const { bytes, sections } = JSON.parse(written.out) as { bytes: number; sections: readonly { name: string; lines: number }[] }
  expect(sections.map(({ name, lines }) => [name, lines > 0])).toEqual(
    ['versions', 'settings', 'doctor', 'state', 'calls', 'log'].map((name) => [name, true]),
  )
  for (const { name } of sections) expect(written.err).toContain(name)
  const text = readFileSync(path, 'utf8')
  expect([Buffer.byteLength(text), statSync(path).mode & 0o777]).toEqual([bytes, 0o600])
  expect(text).toContain(`"id":"${id}"`)
  for (const secret of [token, PLANTED, at.data, '"username"']) expect(text).not.toContain(secret)

  const replayed = await sallyport(SOURCE, ['replay', '--report', path, '--json'], { HOME: at.data })
  expect([replayed.code, replayed.err, JSON.parse(replayed.out)]).toEqual([0, '', { compared: 1, skipped: [], differing: [] }])

  const again = await report(path, '--yes')
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('Name a new file')])
  game.hangUp()
})

test('without a bridge, a report says so and has the rest', async () => {
  const path = join(at.base, 'without.txt')
  const { code } = await sallyport(SOURCE, ['bugreport', path, '--yes', '--data-dir', join(at.base, 'none')], { HOME: at.data })
  expect(code).toBe(0)
  expect(readFileSync(path, 'utf8')).toMatch(/== state: .*\nNo bridge is running with the data folder/)
})
