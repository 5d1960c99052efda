import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { grants } from '#daemon/src/cli/grants.ts'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '#test/support/silent-logger.ts'
import { Secret } from '@sallyport/core/secret'
import { holdPort } from '@sallyport/core/net/held-port'
import { dashboardUrl, writeDashboardAddress } from '@sallyport/core/storage/daemon-addresses'
import { serveDashboard } from '#daemon/src/operator/dashboard/server.ts'
import type { BridgeState } from '@sallyport/protocol'
import { EMPTY_STATE, TestPublisher } from '#test/support/bridge-state.ts'
import { peersOf } from '#test/support/tcp-peers.ts'
import { tableOf } from './table-of.ts'
import { fakeIo } from './fake-io.ts'

type Grant = BridgeState['grants'][number]

const DAY = Date.UTC(2026, 10, 21)
const FULL: Grant = {
  id: 'abc234',
  application_id: '7',
  application_name: 'Dock\u001b[2Jside',
  user_id: '42',
  username: 'ada',
  program: '/games/one',
  basis: 'allowed',
  scopes: ['identify', 'guilds'],
  granted_at: DAY,
  last_used_at: DAY,
}
const BARE: Grant = {
  id: 'xyz',
  application_id: '8',
  user_id: '5',
  program: 'a program that cannot be identified',
  basis: 'token',
  scopes: ['identify'],
  granted_at: DAY,
  last_used_at: DAY,
}

let directory: string
let close: (() => Promise<void>) | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-grants-'))
})
afterEach(async () => {
  await close?.()
  close = undefined
  rmSync(directory, { recursive: true })
})

async function serve(rows: readonly Grant[], token = 'right', omitted: BridgeState['omitted'] = {}) {
  const held = await holdPort(0)
  const secret = new Secret('right')
  close = serveDashboard({
    peers: peersOf('this-user'),
    clock: systemClock,
    held,
    token: secret,
    publisher: new TestPublisher({ ...EMPTY_STATE, grants: [...rows], omitted }),
    operate: async (name, id) => name === 'revoke' && id === FULL.id,
    log: silentLogger,
  })
  writeDashboardAddress(directory, dashboardUrl(held.port, secret).replace('right', token))
}

async function line(...words: readonly string[]) {
  const io = fakeIo()
  const exitCode = await runCli(['grants', ...words, '--data-dir', directory], io, tableOf(grants))
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n') }
}

test('prints a table without control characters', async () => {
  await serve([FULL, BARE])
  const { exitCode, printed } = await line()
  expect(exitCode).toBe(EXIT.ok)
  expect(printed.split('\n')).toEqual([
    'ID      PROGRAM                              APPLICATION        USER  LAST USED   SCOPES',
    'abc234  /games/one                           Dock\\u{1b}[2Jside  ada   2026-11-21  identify guilds',
    'xyz     a program that cannot be identified  8                  5     2026-11-21  identify (with its own token)',
  ])
})

test('says how many the bridge left out', async () => {
  await serve([FULL], 'right', { grants: 3 })
  expect((await line()).said).toContain('And 3 more.')
})

test('prints a JSON array with --json', async () => {
  await serve([FULL])
  expect(JSON.parse((await line('--json')).printed)).toEqual([FULL])
})

test('reports if there is none', async () => {
  await serve([])
  expect((await line()).printed).toBe('No program has a grant.')
})

test('revoke revokes one, and reports an unknown id', async () => {
  await serve([FULL])
  expect(await line('revoke', 'abc234')).toMatchObject({ exitCode: EXIT.ok, printed: expect.stringContaining('Revoked abc234') })
  expect(await line('revoke', 'abc234', '--json')).toMatchObject({ printed: '{"revoked":"abc234"}' })
  expect(await line('revoke', 'other')).toMatchObject({ exitCode: EXIT.refused, said: expect.stringContaining('no grant other') })
  expect(await line('revoke', '../state')).toMatchObject({ exitCode: EXIT.refused })
})

test.each([[['revoke']], [['remove', 'abc234']], [['list', 'all']]])('%j is a usage error', async (words) => {
  expect(await line(...words)).toMatchObject({ exitCode: EXIT.usage, said: expect.stringContaining('grants revoke ID') })
})

test('without a bridge prints how to start one', async () => {
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon, said: expect.stringContaining('sallyport run') })
  await serve([])
  await close?.()
  close = undefined
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon })
})

test('an address with a rejected token belongs to a bridge that exited', async () => {
  await serve([FULL], 'wrong')
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon, printed: '' })
})
