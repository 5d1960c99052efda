import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GAME, SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { call } from '#daemon/src/cli/call.ts'
import { runCli } from '#daemon/src/cli/cli.ts'
import type { Io } from '#daemon/src/cli/command.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { login } from '#daemon/src/cli/login.ts'
import { logout } from '#daemon/src/cli/logout.ts'
import { status } from '#daemon/src/cli/status.ts'
import { type Answer, type FakeBridge, fakeBridge } from './fake-bridge.ts'
import { tableOf } from './table-of.ts'
import { fakeIo } from './fake-io.ts'

const TABLE = tableOf(call, login, logout, status)
const AUTHENTICATED: Answer = {
  data: {
    user: { id: '5', username: 'ada', discriminator: '0', avatar: null },
    scopes: ['guilds'],
    expires: '2030-01-01T00:00:00Z',
    application: { id: '42', name: 'x', icon: null, description: '', rpc_origins: [] },
  },
}
const UNKNOWN: Answer = { error: { code: 4009, message: 'Nothing is stored.' } }

let directory: string
let bridge: FakeBridge | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-'))
})
afterEach(async () => {
  await bridge?.close()
  bridge = undefined
  rmSync(directory, { recursive: true })
})

async function line(words: readonly string[], answers?: Readonly<Record<string, Answer>>, at: Partial<Io> = {}, typed?: string) {
  if (answers !== undefined) bridge = await fakeBridge(directory, answers)
  const io = { ...fakeIo({}, typed), ...at }
  const exitCode = await runCli([...words, '--runtime-dir', directory], io, TABLE)
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), asked: bridge?.asked.map(({ cmd }) => cmd) }
}

describe('without a bridge', () => {
  test.each([['status'], ['call', 'GET_USER'], ['login'], ['logout']])('%s reports it and exits with its own code', async (...words) => {
    const { exitCode, said, printed } = await line(words)
    expect(exitCode).toBe(EXIT.noDaemon)
    expect(said).toContain(`No bridge is running in ${directory}. Start one with: sallyport run`)
    expect(printed).toBe('')
  })
})

describe('call', () => {
  test('signs in with the stored grant, makes the call and prints its data', async () => {
    const answers = { AUTHENTICATE: AUTHENTICATED, GET_GUILD: { data: { id: '1', name: 'Harbour' } } }
    const { exitCode, printed, asked } = await line(['call', 'get_guild', '{"guild_id":"1"}', '--application', '42'], answers)
    expect(exitCode).toBe(EXIT.ok)
    expect(JSON.parse(printed)).toEqual({ id: '1', name: 'Harbour' })
    expect(asked).toEqual(['AUTHENTICATE', 'GET_GUILD'])
    expect(bridge?.asked[1]).toEqual({ cmd: 'GET_GUILD', args: { guild_id: '1' }, client_id: '42' })
  })

  test('continues without a sign-in if nothing is stored', async () => {
    const { exitCode, printed } = await line(['call', 'GET_BRIDGE_STATUS', '--json'], {
      AUTHENTICATE: UNKNOWN,
      GET_BRIDGE_STATUS: { data: { a: 1 } },
    })
    expect([exitCode, printed]).toEqual([EXIT.ok, '{"a":1}'])
  })

  test('that is refused prints code and message on stderr, nothing on stdout', async () => {
    const answers = { AUTHENTICATE: UNKNOWN, GET_GUILD: { error: { code: 4006, message: 'The scope guilds is missing.' } } }
    const { exitCode, said, printed } = await line(['call', 'GET_GUILD'], answers)
    expect(exitCode).toBe(EXIT.refused)
    expect(said).toBe('sallyport call: INVALID_PERMISSIONS (4006): The scope guilds is missing.')
    expect(printed).toBe('')
  })

  test('that is refused prints an object with --json', async () => {
    const answers = { AUTHENTICATE: UNKNOWN, GET_GUILD: { error: { code: 4000, message: 'No.', path: 'guild_id' } } }
    const { said } = await line(['call', 'GET_GUILD', '--json'], answers)
    expect(JSON.parse(said)).toEqual({
      error: { name: 'INVALID_PAYLOAD', code: 4000, message: 'No.', path: 'guild_id', exit_code: EXIT.refused },
    })
  })

  test.each([['{guild_id:1}'], ['[1]'], ['null'], ['"x"']])('rejects the arguments %s before it connects', async (args) => {
    const { exitCode, said, asked } = await line(['call', 'GET_GUILD', args], {})
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toMatch(/arguments (are not JSON|must be a JSON object)/)
    expect(asked).toEqual([])
  })
})

describe('without a terminal', () => {
  const NO_TERMINAL = { isAtTerminal: () => false }
  const DATA: Answer = { data: { id: '1' } }

  test.each([[['call', 'GET_GUILD']], [['login']]])('%j is rejected before it connects, with advice', async (words) => {
    const { exitCode, said, asked } = await line(words, {}, NO_TERMINAL)
    expect([exitCode, asked]).toEqual([EXIT.usage, []])
    expect(said).toMatch(/foreground of a terminal.*--non-interactive/)
  })
  test('a script continues with --non-interactive', async () => {
    const { exitCode, asked } = await line(
      ['call', 'GET_GUILD', '--non-interactive'],
      { AUTHENTICATE: AUTHENTICATED, GET_GUILD: DATA },
      NO_TERMINAL,
    )
    expect([exitCode, asked]).toEqual([EXIT.ok, ['AUTHENTICATE', 'GET_GUILD']])
  })
  test.each([[['status']], [['logout']]])('%j works', async (words) => {
    const { exitCode } = await line(
      words,
      { AUTHENTICATE: UNKNOWN, FORGET_TOKENS: DATA, GET_BRIDGE_STATUS: DATA, GET_BOT_TOKENS: DATA },
      NO_TERMINAL,
    )
    expect(exitCode).toBe(EXIT.ok)
  })
})

describe('a destructive call', () => {
  const answers: Record<string, Answer> = { AUTHENTICATE: AUTHENTICATED, DELETE_MESSAGE: { data: null } }

  test('requires its typed name', async () => {
    const { exitCode, said, asked } = await line(['call', 'delete_message'], answers, {}, ' delete_message ')
    expect([exitCode, asked]).toEqual([EXIT.ok, ['AUTHENTICATE', 'DELETE_MESSAGE']])
    expect(said).toMatch(/DELETE_MESSAGE permanently deletes data: Delete a message.*\nType the name/)
  })
  test.each([['yes'], ['DELETE_MESSAGES'], [''], [undefined]])('is not made if %j is typed', async (typed) => {
    const { exitCode, said, asked } = await line(['call', 'DELETE_MESSAGE'], answers, {}, typed)
    expect([exitCode, asked]).toEqual([EXIT.usage, []])
    expect(said).toContain('DELETE_MESSAGE was not called')
  })
  test('needs --yes in a script', async () => {
    const { exitCode, said, asked } = await line(['call', 'DELETE_MESSAGE', '--non-interactive'], answers, {}, 'DELETE_MESSAGE')
    expect([exitCode, asked]).toEqual([EXIT.usage, []])
    expect(said).toContain('--yes')
    expect((await line(['call', 'DELETE_MESSAGE', '--non-interactive', '--yes'], undefined)).exitCode).toBe(EXIT.ok)
  })
})

describe('a sign-in with a prompt of the bridge', () => {
  const answers = (sentence: string): Record<string, Answer> => ({
    AUTHENTICATE: { error: { code: 5000, message: sentence } },
    GET_GUILD: { data: 1 },
  })

  test('prints a notice while it waits, and the error', async () => {
    const waits: number[] = []
    const after = (ms: number, action: () => void) => {
      waits.push(ms)
      action()
      return () => {}
    }
    const { exitCode, said } = await line(['call', 'GET_GUILD'], answers('The user did not allow it.'), { after })
    expect([exitCode, waits]).toEqual([EXIT.ok, [1000]])
    expect(said).toMatch(/may be waiting.*dashboard within 5 minutes[^]*Not signed in: The user did not allow it\./)
  })
})

describe('login', () => {
  const answers: Record<string, Answer> = {
    AUTHORIZE: { data: { code: 'planted-code', redirect_uri: 'http://127.0.0.1:1/callback' } },
    GET_TOKEN: { data: { access_token: 'planted-token', token_type: 'Bearer', expires_in: 604800, scope: 'guilds' } },
    AUTHENTICATE: AUTHENTICATED,
  }

  test('requests the scopes with a challenge, exchanges with the verifier, and prints the user', async () => {
    const { exitCode, printed, asked } = await line(['login', '--scopes', 'identify  guilds', '--application', '42'], answers)
    expect(exitCode).toBe(EXIT.ok)
    expect(printed).toBe('Signed in as ada (5) for application 42: guilds')
    expect(asked).toEqual(['AUTHORIZE', 'GET_TOKEN', 'AUTHENTICATE'])
    const [authorize, getToken] = bridge?.asked ?? []
    expect(authorize?.args).toMatchObject({
      scopes: ['identify', 'guilds'],
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(getToken?.args).toMatchObject({ code: 'planted-code', code_verifier: expect.stringMatching(/^[\w-]{43,}$/) })
  })

  test('prints no code and no token', async () => {
    const { printed, said } = await line(['login', '--json'], answers)
    expect(JSON.parse(printed).user.username).toBe('ada')
    expect(printed + said).not.toContain('planted')
  })

  test('that the bridge cannot store fails, and names the command with the reason', async () => {
    const lost = { data: { access_token: 'planted-token', token_type: 'Bearer', expires_in: 604800, scope: 'guilds', kept: false } }
    const { exitCode, printed, said } = await line(['login'], { ...answers, GET_TOKEN: lost })
    expect([exitCode, printed]).toEqual([EXIT.failed, ''])
    expect(said).toMatch(/could not store.*sallyport status/)
    expect(said).not.toContain('planted')
  })

  test('that the user denies is refused', async () => {
    const { exitCode, said } = await line(['login'], { AUTHORIZE: { error: { code: 5000, message: 'access_denied' } } })
    expect(exitCode).toBe(EXIT.refused)
    expect(said).toContain('OAUTH2_ERROR (5000): access_denied')
  })
})

test('logout signs in with the stored grant, then deletes it', async () => {
  const { exitCode, printed, asked } = await line(['logout', '--application', '42'], {
    AUTHENTICATE: AUTHENTICATED,
    FORGET_TOKENS: { data: {} },
  })
  expect([exitCode, printed]).toEqual([EXIT.ok, 'Signed out of application 42.'])
  expect(asked).toEqual(['AUTHENTICATE', 'FORGET_TOKENS'])
})

const OPENED = { OPERATE_BRIDGE: { data: { done: true } } }

test('status opens the vault, then prints the state of the bridge, without signing in', async () => {
  const answers = { ...OPENED, WATCH_BRIDGE: { data: SAMPLE_STATE } }
  const { exitCode, printed, asked, said } = await line(['status', '--data-dir', directory], answers)
  expect([exitCode, said]).toEqual([EXIT.ok, ''])
  expect(printed).toContain('Presence       paused')
  expect(printed).toContain('Playing Tide Pilot: Out at sea (tide, signed in as mary)')
  expect(asked).toEqual(['OPERATE_BRIDGE', 'WATCH_BRIDGE'])
  const proof = expect.stringMatching(/^[0-9a-f]{32}$/) as string
  expect(bridge?.asked.map(({ args }) => args)).toEqual([{ action: 'open-vault', operator_proof: proof }, { operator_proof: proof }])
  expect(readdirSync(join(directory, 'operator'))).toEqual([])
})
test('status --json prints the state and the platform of the settings, and nothing else', async () => {
  const { printed } = await line(['status', '--json', '--data-dir', directory], { ...OPENED, WATCH_BRIDGE: { data: SAMPLE_STATE } })
  expect(JSON.parse(printed)).toEqual({ ...SAMPLE_STATE, settings: { platform: 'sandbox', from: 'default' } })
})
test('status without access to the data folder reports it, prints what a game learns, and creates no folder', async () => {
  const elsewhere = join(directory, 'none')
  const answers = { GET_BRIDGE_STATUS: { data: { platform: 'sandbox', games: [GAME] } } }
  const { exitCode, printed, said, asked } = await line(['status', '--data-dir', elsewhere], answers)
  expect([exitCode, printed, asked]).toEqual([EXIT.ok, '  Bridge    running\n  Platform  sandbox', ['GET_BRIDGE_STATUS']])
  expect(said).toContain(elsewhere)
  expect(existsSync(elsewhere)).toBe(false)
})
