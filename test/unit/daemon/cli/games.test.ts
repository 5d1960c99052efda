import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BridgeState } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { games } from '#daemon/src/cli/games.ts'
import { CLIENT, EMPTY_STATE, GAME, GRANT, PRESENCE } from '#test/support/bridge-state.ts'
import { type Answer, fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

let directory: string
let close: (() => Promise<void>) | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-games-'))
})
afterEach(async () => {
  await close?.()
  rmSync(directory, { recursive: true })
})

const STATE: BridgeState = {
  ...EMPTY_STATE,
  places: [CLIENT, { id: 'account', kind: 'account', running: true }],
  games: [GAME],
  presences: [{ ...PRESENCE, shown_on: [CLIENT.id] }],
  grants: [
    { ...GRANT, program_name: 'ti\u001bde' },
    { ...GRANT, id: 'g2', program: '/games/kraken', program_name: 'kraken', basis: 'blocked', scopes: [] },
    { ...GRANT, id: 'g3', program: '/games/dock', program_name: 'dock', basis: 'none', presence: 'hidden-now', lasts: 'session' },
    { ...GRANT, id: 'g4', program: '/games/gull', program_name: 'gull', basis: 'token', chosen_places: ['account'] },
  ],
}
const PROOF = { operator_proof: expect.stringMatching(/^[0-9a-f]{32}$/) as string }

async function line(words: readonly string[], { state = STATE, done = true }: { state?: BridgeState; done?: boolean | Answer } = {}) {
  const operated = typeof done === 'boolean' ? { data: { done } } : done
  const bridge = await fakeBridge(directory, { OPERATE_BRIDGE: operated, WATCH_BRIDGE: { data: state } })
  close = () => bridge.close()
  const io = { ...fakeIo(), isAtTerminal: () => false }
  const exitCode = await runCli(['games', ...words, '--data-dir', join(directory, 'data')], io, tableOf(games))
  const asked = bridge.asked.filter(({ cmd }) => cmd === 'OPERATE_BRIDGE').map(({ args }) => args)
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), asked }
}

test('lists games, where they are shown, and the places, without control characters', async () => {
  const { exitCode, printed } = await line([])
  expect(exitCode).toBe(EXIT.ok)
  expect(printed.split('\n')).toEqual([
    'ID  GAME        PROGRAM     RUNS     ACCESS     SHOWN ON                            PATH',
    'g1  Tide Pilot  ti\\u{1b}de  running  allowed    mary (canary, flatpak)              /games/tide',
    'g2  Tide Pilot  kraken      -        blocked    -                                   /games/kraken',
    'g3  Tide Pilot  dock        -        no grant   hidden for now                      /games/dock',
    'g4  Tide Pilot  gull        -        own token  only on the account of the sign-in  /games/gull',
    '',
    'PLACE             WHAT IT IS',
    '5-canary-flatpak  mary (canary, flatpak)',
    'account           the account of the sign-in',
    'Games are shown on: the first desktop client that runs, else the account of the sign-in; and pages in a browser.',
  ])
})

test('prints the games and places as data with --json', async () => {
  const { printed } = await line(['--json'], { state: { ...STATE, chosen_places: ['account'] } })
  const listed = JSON.parse(printed) as { games: { id: string }[]; places: unknown; chosen_places: unknown }
  expect([listed.games.map(({ id }) => id), listed.places, listed.chosen_places]).toEqual([
    ['g1', 'g2', 'g3', 'g4'],
    STATE.places,
    ['account'],
  ])
})

describe('an operation', () => {
  test.each(['hide', 'hide-now', 'show', 'block'])('%s', async (action) => {
    expect(await line([action, 'g1', '--json'])).toMatchObject({
      exitCode: EXIT.ok,
      asked: [{ action, id: 'g1', ...PROOF }],
      printed: JSON.stringify({ action, id: 'g1' }),
    })
  })

  test.each([
    [
      ['show-on', 'g1', '5-canary-flatpak', 'account'],
      { id: 'g1', places: ['5-canary-flatpak', 'account'] },
      'The game is shown on: mary (canary',
    ],
    [['show-on', 'all', 'account'], { id: 'all', places: ['account'] }, 'Every game without a choice of its own is shown on: the account'],
    [['show-on', 'g1', 'default'], { id: 'g1' }, 'what is chosen for every game'],
  ])('%s', async (words, args, text) => {
    const { printed, asked } = await line(words)
    expect(asked).toEqual([{ action: 'choose-places', ...args, ...PROOF }])
    expect(printed).toContain(text)
  })

  test('unblock needs a person at a terminal, or a flag, and a game that is blocked', async () => {
    expect(await line(['unblock', 'g2'])).toMatchObject({
      exitCode: EXIT.usage,
      asked: [],
      said: expect.stringContaining('--non-interactive'),
    })
    await close?.()
    expect(await line(['unblock', 'g2', '--non-interactive'])).toMatchObject({ exitCode: EXIT.ok, asked: [{ action: 'revoke', id: 'g2' }] })
    await close?.()
    const allowed = await line(['unblock', 'g1', '--non-interactive'])
    expect(allowed).toMatchObject({ exitCode: EXIT.refused, asked: [], said: expect.stringContaining('There is no game g1') })
  })

  test('that the bridge does not know, or refuses, is reported', async () => {
    expect(await line(['hide', 'xx'], { done: false })).toMatchObject({
      exitCode: EXIT.refused,
      said: expect.stringContaining('no game xx'),
    })
    await close?.()
    const refused: Answer = { error: { code: 4000, message: 'The bridge knows no place eve.' } }
    expect(await line(['show-on', 'all', 'eve'], { done: refused })).toMatchObject({
      exitCode: EXIT.refused,
      said: expect.stringContaining('eve'),
    })
  })
})

test.each([['hide'], ['hide', 'g1', 'g2'], ['show-on', 'all'], ['close', 'g1']])('%s %s is no command', async (...words) => {
  expect(await line(words)).toMatchObject({ exitCode: EXIT.usage, asked: [], said: expect.stringContaining('show-on ID PLACE') })
})
