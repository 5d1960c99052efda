/** What `sallyport status` says to people, and that it starts no bridge. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { painterOf } from '#daemon/src/cli/paint.ts'
import { status } from '#daemon/src/cli/status.ts'
import { durationText, statusText } from '#daemon/src/cli/status-text.ts'
import { EMPTY_STATE, GAME, SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

const CHOSEN = { platform: 'sandbox', from: 'default' }
const PLAIN = { columns: 200, paint: painterOf(false) }
const linesOf = (...args: Parameters<typeof statusText>) => statusText(...args).split('\n')

test('a bridge without a game is described in a few lines', () => {
  expect(linesOf(EMPTY_STATE, CHOSEN, PLAIN)).toEqual([
    '  Bridge     running for 1 min, version 0.1.0',
    '  Platform   sandbox',
    '  Presence   shown',
    '  Games      none is connected',
    '  Signed in  0 accounts, 0 bots',
    '  Grants     0 programs; to list them: sallyport grants',
  ])
})

test('everything that a user can act on has a line, and nothing else', () => {
  expect(linesOf(SAMPLE_STATE, { platform: 'discord', from: 'file' }, PLAIN)).toEqual([
    '  Bridge         running for 1 min, version 0.1.0',
    '  Platform       sandbox; the settings say discord, which a bridge has that starts now',
    '  Browser games  Games in browsers cannot connect.',
    '  Presence       paused: no activity is shown. To show them again: sallyport presence resume',
    '  Web pages      2 web pages; ws://127.0.0.1:1337; Port 1337 was taken.',
    '  Games          Playing Tide Pilot: Out at sea (tide, signed in as mary)',
    '                 Harbour (tide, not signed in)',
    '                 and 1 more',
    '  Waits for you  tide: A program wants to sign in for a game.',
    '                 and 2 more',
    '                 Answer in the tray or on the dashboard.',
    '  Signed in      The keychain is locked.',
    '  Grants         7 programs; to list them: sallyport grants',
    '  Warning        The provider gateway does not work now: The platform refused the token. Store a valid bot token with: sallyport login --bot.',
    '                 Application 42 created many lobbies. Ask the platform to approve it.',
    '                 This system does not identify processes.',
    '                 and 9 more',
  ])
})

test('names no process, descriptor or session', () => {
  const text = statusText({ ...SAMPLE_STATE, ipc: ['fd:3'], games: [{ ...GAME, pid: 77 }] }, CHOSEN, PLAIN)
  for (const unwanted of ['fd:3', '4242', 'pid', '77)']) expect(text).not.toContain(unwanted)
})

test('what a game learns has fewer lines', () => {
  expect(linesOf({ platform: 'sandbox', version: '1.2.3', uptime_s: 3 }, CHOSEN, PLAIN)).toEqual([
    '  Bridge    running for 3 s, version 1.2.3',
    '  Platform  sandbox',
  ])
})

test('fits the terminal, and a warning has a colour where colours are shown', () => {
  for (const line of linesOf(SAMPLE_STATE, CHOSEN, { ...PLAIN, columns: 80 })) expect(line.length).toBeLessThanOrEqual(80)
  expect(statusText(SAMPLE_STATE, CHOSEN, { columns: 80, paint: painterOf(true) })).toContain('\n  \u001b[33mWarning\u001b[39m  ')
})

test.each([
  [-172_782, '0 s'],
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3600, '1 h 0 min'],
  [7500, '2 h 5 min'],
  [90_061, '1 d 1 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

describe.skipIf(process.platform !== 'linux')('with a socket of systemd', () => {
  let folder: string
  let close: (() => Promise<void>) | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sp-'))
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await close?.()
    close = undefined
    rmSync(folder, { recursive: true })
  })

  /** A user's manager that says whether the service runs, and the socket that it opened. */
  function withSystemd(isActive: boolean): void {
    for (const name of ['bin', 'systemd', 'sallyport']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'systemd', 'private'), '')
    writeFileSync(join(folder, 'sallyport', 'discord-ipc-0'), '')
    writeFileSync(
      join(folder, 'bin', 'systemctl'),
      `#!/bin/sh\n[ "$*" = '--user is-active --quiet sallyport.service' ] && exit ${isActive ? 0 : 3}\nexit 9\n`,
    )
    chmodSync(join(folder, 'bin', 'systemctl'), 0o755)
    vi.stubEnv('XDG_RUNTIME_DIR', folder)
    vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`)
  }

  async function line(dataDir: string) {
    const io = fakeIo({ XDG_RUNTIME_DIR: folder })
    const exitCode = await runCli(['status', '--data-dir', dataDir], io, tableOf(status))
    return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n') }
  }

  test('a bridge that sleeps is not started', async () => {
    withSystemd(false)
    const bridge = await fakeBridge(folder, { GET_BRIDGE_STATUS: { data: { platform: 'sandbox' } } })
    close = () => bridge.close()
    expect(await line(join(folder, 'other'))).toEqual({
      exitCode: EXIT.noDaemon,
      printed: '',
      said: 'sallyport status: No bridge is running. The next game starts it (sallyport.socket listens), with the platform sandbox.',
    })
    expect(bridge.asked).toEqual([])
  })

  test('one that runs is asked, also with another data folder', async () => {
    withSystemd(true)
    const bridge = await fakeBridge(folder, { GET_BRIDGE_STATUS: { data: { platform: 'sandbox' } } })
    close = () => bridge.close()
    expect(await line(join(folder, 'other'))).toMatchObject({ exitCode: EXIT.ok, printed: '  Bridge    running\n  Platform  sandbox' })
  })
})
