import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { grants } from '#daemon/src/cli/grants.ts'
import type { BridgeState } from '@sallyport/protocol'
import { EMPTY_STATE } from '#test/support/bridge-state.ts'
import { type Answer, fakeBridge } from './fake-bridge.ts'
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
  program_name: 'game',
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
  program_name: 'game',
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

async function serve(rows: readonly Grant[], omitted: BridgeState['omitted'] = {}) {
  const bridge = await fakeBridge(directory, { WATCH_BRIDGE: { data: { ...EMPTY_STATE, grants: rows, omitted } } })
  close = () => bridge.close()
}

async function line(...words: readonly string[]) {
  const io = fakeIo()
  const exitCode = await runCli(['grants', ...words, '--data-dir', join(directory, 'data')], io, tableOf(grants))
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
  await serve([FULL], { grants: 3 })
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

test('lists what the user chose', async () => {
  const chosen: readonly Grant[] = [
    { ...FULL, denied_scopes: ['guilds'], presence: 'hidden', lasts: 'session' },
    { ...BARE, presence: 'hidden-now' },
    { ...BARE, basis: 'blocked', scopes: [] },
    { ...BARE, basis: 'none', user_id: '', scopes: [], presence: 'hidden' },
  ]
  await serve(chosen)
  const rows = (await line()).printed.split('\n').slice(1)
  expect(rows.map((row) => row.slice(row.indexOf('2026-11-21')))).toEqual([
    '2026-11-21  identify guilds (not guilds, presence hidden, for this session)',
    '2026-11-21  identify (with its own token, presence hidden for now)',
    '2026-11-21  blocked',
    '2026-11-21  no grant (presence hidden)',
  ])
})

describe('what its program gets', () => {
  const choose = async (done: boolean | Answer, ...words: readonly string[]) => {
    const bridge = await fakeBridge(directory, { OPERATE_BRIDGE: typeof done === 'boolean' ? { data: { done } } : done })
    close = () => bridge.close()
    const io = fakeIo()
    const exitCode = await runCli(['grants', ...words, '--data-dir', join(directory, 'data')], io, tableOf(grants))
    return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), asked: bridge.asked.map(({ args }) => args) }
  }
  const proof = expect.stringMatching(/^[0-9a-f]{32}$/) as string

  test.each([
    ['block', 'it gets nothing. Lift this with: sallyport grants revoke abc234'],
    ['hide', 'are hidden. Show them with'],
    ['hide-now', 'are hidden until it has left'],
    ['show', 'are shown'],
    ['for-session', 'abc234 ends a minute after its program has left'],
    ['keep', 'abc234 stays'],
  ])('%s is an operation of the bridge', async (action, text) => {
    const { exitCode, printed, said, asked } = await choose(true, action, 'abc234')
    expect(said).toBe('')
    expect([exitCode, asked]).toEqual([EXIT.ok, [{ action, id: 'abc234', operator_proof: proof }]])
    expect(printed).toContain(text)
  })

  test('revoke revokes one', async () => {
    expect(await choose(true, 'revoke', 'abc234')).toMatchObject({
      exitCode: EXIT.ok,
      printed: expect.stringContaining('Revoked abc234'),
      asked: [{ action: 'revoke', id: 'abc234', operator_proof: proof }],
    })
    await close?.()
    expect(await choose(true, 'revoke', 'abc234', '--json')).toMatchObject({ printed: '{"revoked":"abc234"}' })
    await close?.()
    expect(await choose(false, 'revoke', 'other')).toMatchObject({
      exitCode: EXIT.refused,
      said: expect.stringContaining('no grant other'),
    })
  })

  test('narrow takes scopes, or none, which gives all of them back', async () => {
    const taken = await choose(true, 'narrow', 'abc234', 'guilds', 'email')
    expect(taken).toMatchObject({ exitCode: EXIT.ok, printed: 'abc234 no longer has: guilds, email' })
    expect(taken.asked).toEqual([{ action: 'narrow', id: 'abc234', scopes: ['guilds', 'email'], operator_proof: proof }])
    await close?.()
    expect(await choose(true, 'narrow', 'abc234')).toMatchObject({
      printed: 'abc234 has all of its scopes again.',
      asked: [{ action: 'narrow', id: 'abc234', scopes: [], operator_proof: proof }],
    })
  })

  test('is printed with --json', async () => {
    expect(JSON.parse((await choose(true, 'block', 'abc234', '--json')).printed)).toEqual({ action: 'block', id: 'abc234' })
  })

  test('an unknown id and a refusal are reported', async () => {
    expect(await choose(false, 'hide', 'other')).toMatchObject({ exitCode: EXIT.refused, said: expect.stringContaining('no grant other') })
    await close?.()
    const refused: Answer = { error: { code: 4000, message: 'The grant does not have email.' } }
    expect(await choose(refused, 'narrow', 'abc234', 'email')).toMatchObject({
      exitCode: EXIT.refused,
      said: expect.stringContaining('does not have email'),
    })
  })
})

test.each([
  [['revoke']],
  [['remove', 'abc234']],
  [['list', 'all']],
  [['block']],
  [['block', 'abc234', 'xyz']],
  [['narrow']],
  [['toString', 'abc234']],
])('%j is a usage error', async (words) => {
  expect(await line(...words)).toMatchObject({ exitCode: EXIT.usage, said: expect.stringMatching(/grants \[?revoke ID/) })
})

test('without a bridge prints how to start one', async () => {
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon, said: expect.stringContaining('sallyport run') })
  await serve([])
  await close?.()
  close = undefined
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon })
})
