/** Every command, with arguments of any shape: the result is an answer, or a contract error other than an internal one. */
import { COMMANDS, type CommandRow, type EndpointRow, ENDPOINTS, ERRORS, EVENTS } from '@sallyport/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { Game, type TestBridge, testBridge } from '#test/support/bridge.ts'
import type { Message } from '#test/support/frames.ts'
import { tokenOf } from '#test/support/tokens.ts'
import { FUZZ_TIMEOUT_MS, runs } from './runs.ts'

const ROWS = Object.values<CommandRow>(COMMANDS)
const CODES = new Set<number>(Object.values(ERRORS).map(({ code }) => code))
/** Every scope that any row asks for, so that the gate lets all through that it ever lets through. */
const SCOPES = [...new Set(ROWS.flatMap(({ requires }) => requires.flat()))].filter((scope) => !scope.startsWith('rpc.'))
const RPC_SCOPES = ['rpc', 'rpc.voice.read', 'rpc.voice.write', 'rpc.video.write', 'rpc.screenshare.write', 'rpc.notifications.read']

/** Operations that the platform no longer has: the commands remain, to say so. */
const UNAVAILABLE: ReadonlySet<string> = new Set(
  Object.values<EndpointRow>(ENDPOINTS).flatMap(({ name, unavailable }) => (unavailable === undefined ? [] : [name])),
)

/** Answers for rows whose answer is reshaped before it is forwarded. The answers of other rows are not read. */
const USER = { id: '1', username: 'ada', discriminator: '0', avatar: null }
const SHAPED: Readonly<Record<string, unknown>> = {
  GET_CURRENT_APPLICATION: { id: '1234567890', name: 'Fuzzed' },
  GET_CURRENT_USER: USER,
  GET_CURRENT_USER_CONNECTIONS: [],
  GET_CURRENT_USER_GUILDS: [],
  GET_GUILD_CHANNELS: [],
  GET_LOBBY_MESSAGES: [],
  GET_USER_MESSAGES: [],
}

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1.5,
    1e308,
    2 ** 60,
    '1',
    '99999999999999999999999',
    'x'.repeat(3000),
    [],
    {},
    [[]],
    true,
    'javascript:alert(1)',
    '\u0000',
    '\ud800',
    'https://example.test',
  ),
)

/** The argument names of a row, with nested ones, as far as its schema lists them. */
function namesOf(schema: unknown, depth = 3): string[] {
  if (depth === 0 || typeof schema !== 'object' || schema === null) return []
  const { shape, innerType, getter, element, options } = ((schema as { def?: object }).def ?? {}) as {
    shape?: object
    innerType?: unknown
    getter?: () => unknown
    element?: unknown
    options?: unknown[]
  }
  const inside = [innerType, getter?.(), element, ...(options ?? []), ...Object.values(shape ?? {})]
  return [...Object.keys(shape ?? {}), ...inside.flatMap((one) => namesOf(one, depth - 1))]
}

function argsOf(row: CommandRow): fc.Arbitrary<unknown> {
  const names = [...new Set([...namesOf(row.args), 'unknown_name', '__proto__', 'toString'])]
  const name = fc.constantFrom(...names)
  const flat = fc.dictionary(name, odd, { maxKeys: names.length })
  return fc.oneof(
    { weight: 3, arbitrary: flat },
    { weight: 3, arbitrary: fc.dictionary(name, fc.oneof(odd, flat, fc.array(flat, { maxLength: 3 }))) },
    { weight: 1, arbitrary: odd },
  )
}

function expectContract(answer: Message, cmd: string): void {
  // Of an event that no event can be nothing is kept: such a frame reaches no command.
  if (answer.cmd === 'DISPATCH') return expect(answer).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'evt' } })
  expect(answer.cmd).toBe(cmd)
  if (answer.evt === null) return
  expect(answer.evt).toBe('ERROR')
  expect(CODES).toContain(answer.data.code)
  expect(answer.data.code, answer.data.message).not.toBe(ERRORS.UNKNOWN_ERROR.code)
  if (!UNAVAILABLE.has(cmd)) expect(answer.data.code).not.toBe(ERRORS.INVALID_COMMAND.code)
  expect(answer.data.message.length).toBeGreaterThan(5)
}

describe.each([
  ['before signing in', false],
  ['signed in with every scope there is', true],
])('%s', (_, isSignedIn) => {
  let bridge: TestBridge
  let game: Game = undefined as never
  const join = async (): Promise<void> => {
    game?.receiver.onClose()
    game = Game.connected(bridge, { contract: '1.0', streams: true })
    if (isSignedIn) await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', ...SCOPES, ...RPC_SCOPES]) })
  }
  /** The one answer; events that the call causes may come before it. */
  const answerTo = async (name: string, args: unknown, event: unknown) => {
    const nonce = game.begin(name, args, event)
    const received: ReturnType<Game['received']> = []
    for (let turn = 0; turn < 100 && !received.some((one) => one.nonce === nonce); turn++) {
      received.push(...game.received())
      if (!received.some((one) => one.nonce === nonce)) await new Promise((resolve) => setImmediate(resolve))
    }
    const answers = received.filter((one) => one.nonce === nonce)
    expect(answers).toHaveLength(1)
    return answers[0]!
  }
  beforeAll(async () => {
    bridge = testBridge({ botToken: new Secret('bot-token') })
    for (const { name } of Object.values<EndpointRow>(ENDPOINTS))
      if (!name.includes('AUTHORIZATION')) bridge.platform.replies.set(name, () => SHAPED[name] ?? null)
    await join()
  })

  test.each(ROWS.map((row) => [row.name, row] as const))(
    '%s',
    async (name, row) => {
      const evt = fc.oneof(fc.constantFrom(...Object.keys(EVENTS)), odd)
      await fc.assert(
        fc.asyncProperty(argsOf(row), evt, async (args, event) => {
          expectContract(await answerTo(name, args, event), name)
          // A random token revoked, or a sign-out, ends this one too.
          if (isSignedIn && bridge.registry.all()[0]?.signedIn === undefined) await join()
          expect(bridge.log.problems).toEqual([])
        }),
        runs(40),
      )
    },
    FUZZ_TIMEOUT_MS,
  )
})
