import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { COMMANDS, ENDPOINTS, LIMITS } from '@sallyport/protocol'
import { SECRET_NAMES } from '@sallyport/core/secret-names'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import type { InspectedFrame } from '#daemon/src/cli/frame-feed.ts'
import { readRecording } from '#daemon/src/cli/recording-reader.ts'
import { replay } from '#daemon/src/cli/replay.ts'
import { guardOf, surveyOf, withinSurvey } from '#daemon/src/cli/replay-plan.ts'
import { runs } from '#test/fuzz/runs.ts'
import { type FakeBridge, fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

const HEADER = { recording: 1, application_id: '5', version: '0', contract: '1.0' }
const frame = (direction: 'in' | 'out', opcode: string, message: unknown): InspectedFrame => ({
  at: 0,
  connection: 1,
  direction,
  opcode,
  bytes: 0,
  message,
})
const HANDSHAKE = frame('in', 'HANDSHAKE', { v: 1, client_id: '5' })
const READY = frame('out', 'FRAME', { cmd: 'DISPATCH', evt: 'READY', data: {} })
const callOf = (cmd: string, args: unknown, nonce = '1') => frame('in', 'FRAME', { cmd, args, nonce })
const responseTo = (cmd: string, nonce: string) => frame('out', 'FRAME', { cmd, evt: 'ERROR', nonce, data: { code: 4002 } })

type Risk = 'files' | 'launch' | 'tokens'
interface Call {
  readonly cmd: string
  readonly args: unknown
  readonly risk: Risk | undefined
}

const withFiles = Object.values(ENDPOINTS).filter(({ upload }) => upload !== undefined)
const launching = Object.values(COMMANDS).filter((row) => row.launches !== undefined)
const harmless = fc.constantFrom('GET_GUILDS', 'SET_ACTIVITY', 'SEND_LOBBY_MESSAGE', 'DELETE_MESSAGE', 'NO_SUCH_COMMAND')
const text = fc.stringMatching(/^[a-z ]{1,12}$/)
/** The value below some objects and lists. */
const nested = (value: fc.Arbitrary<unknown>) =>
  fc
    .tuple(value, fc.array(fc.constantFrom('x', 'list'), { maxLength: 5 }))
    .map(([inner, levels]) => levels.reduce<unknown>((below, level) => (level === 'x' ? { x: below } : [below]), inner))

const CALLS: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ cmd: harmless, args: fc.record({ content: text }), risk: fc.constant(undefined) }),
  fc
    .record({
      cmd: fc.constantFrom(...withFiles.map(({ name }) => name)),
      args: text.map((path) => path),
      risk: fc.constant('files' as const),
    })
    .map(({ cmd, args: path, risk }) => {
      const { upload } = withFiles.find(({ name }) => name === cmd) ?? {}
      const file = { path: `/etc/${path}` }
      return { cmd, args: { [upload?.argument ?? '']: upload?.isList ? [{ data: '' }, file] : file }, risk }
    }),
  fc.record({
    cmd: fc.constantFrom(...launching.map(({ name }) => name)),
    args: text.map((command) => ({ command })),
    risk: fc.constant('launch' as const),
  }),
  fc.record({
    cmd: fc.oneof(harmless, fc.constant('AUTHENTICATE')),
    args: fc
      .tuple(fc.constantFrom(...SECRET_NAMES), text)
      .chain(([name, value]) => nested(fc.constant({ [name]: value })))
      .map((args) => ({ args })),
    risk: fc.constant('tokens' as const),
  }),
)

let directory: string
let bridge: FakeBridge
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'replay-'))
  bridge = await fakeBridge(directory, {})
})
afterEach(async () => {
  await bridge.close()
  rmSync(directory, { recursive: true })
})

function recordingOf(frames: readonly object[], header: object = HEADER): string {
  const file = join(directory, 'game.jsonl')
  writeFileSync(file, [header, ...frames].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const framesOf = (calls: readonly Call[]) => [
  HANDSHAKE,
  READY,
  ...calls.flatMap(({ cmd, args }, index) => [callOf(cmd, args, `${index}`), responseTo(cmd, `${index}`)]),
]

async function play(words: readonly string[], { typed, isAtTerminal = true }: { typed?: string | undefined; isAtTerminal?: boolean } = {}) {
  const io = { ...fakeIo({}, typed), isAtTerminal: () => isAtTerminal }
  const code = await runCli(['replay', ...words, '--data-dir', join(directory, 'data')], io, tableOf(replay))
  return { code, said: io.said.join('\n'), printed: io.printed.join('\n') }
}

test("for any recording, the user's bridge gets no call without an answer, and no file, launch or token without its flag", async () => {
  const run = fc.record({
    calls: fc.array(CALLS, { minLength: 1, maxLength: 6 }),
    allowed: fc.subarray<Risk>(['files', 'launch', 'tokens']),
    typed: fc.constantFrom(undefined, '', 'yes', 'play'),
    flags: fc.subarray(['--yes', '--non-interactive']),
    isAtTerminal: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ calls, allowed, typed, flags, isAtTerminal }) => {
      bridge.asked.length = 0
      const allow = allowed.flatMap((risk) => ['--allow', risk])
      await play([recordingOf(framesOf(calls)), '--against', 'running', ...allow, ...flags], { typed, isAtTerminal })
      const [isYes, isScript] = [flags.includes('--yes'), flags.includes('--non-interactive')]
      const isAnswered = isYes ? isScript || isAtTerminal : !isScript && isAtTerminal && typed === 'play'
      const played = calls.filter(({ risk }) => isAnswered && (risk === undefined || allowed.includes(risk)))
      // The connection that identifies the command line ends without a call.
      expect(bridge.asked.map(({ cmd }) => cmd).filter((cmd) => cmd !== '')).toEqual(played.map(({ cmd }) => cmd))
    }),
    runs(80),
  )
}, 30_000)

test('what needs a flag is not played, and the reason names the flag, not the secret', () => {
  const guard = guardOf([])
  expect(guard(callOf('CREATE_MESSAGE', { files: [{ path: '/etc/hostname' }] }))).toBe(
    'which names files of yours (to play it: --allow files)',
  )
  expect(guard(callOf('REGISTER_LAUNCH_COMMAND', { command: 'x' }))).toBe(
    'which registers a program to launch (to play it: --allow launch)',
  )
  expect(guard(callOf('AUTHENTICATE', { access_token: 'planted-token' }))).toBe(
    'which brings a token or another secret (to play it: --allow tokens)',
  )
})

describe('the rows say which arguments are a risk', () => {
  /** Names of all properties of a schema, however deep. */
  const namesIn = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : Object.entries(schema).flatMap(([key, value]) => [
          ...(key === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []),
          ...namesIn(value),
        ])
  const withArgument = (name: string) =>
    Object.values(COMMANDS).filter(({ args }) => namesIn(z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' })).includes(name))

  test('each command with a path has files, and no other', () => {
    expect(
      withArgument('path')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(withFiles.map(({ name }) => name).toSorted())
  })
  test.each(launching.map((row) => [row.name, row.launches ?? '']))(
    '%s has the argument %s, and no other command has it',
    (name, argument) => {
      expect(withArgument(argument).map((row) => row.name)).toEqual([name])
    },
  )
  test('a launch is one of these commands', () => {
    const others = Object.keys(COMMANDS).filter((name) => /LAUNCH/.test(name) && launching.every((row) => row.name !== name))
    expect(others).toEqual([])
  })
})

describe('against the running bridge', () => {
  test('the calls are listed with what they do before the question', async () => {
    const calls: Call[] = [
      { cmd: 'AUTHENTICATE', args: {}, risk: undefined },
      { cmd: 'DELETE_MESSAGE', args: { channel_id: '1', message_id: '2' }, risk: undefined },
      { cmd: 'DELETE_MESSAGE', args: { channel_id: '1', message_id: '3' }, risk: undefined },
      { cmd: 'REGISTER_LAUNCH_COMMAND', args: { command: 'x' }, risk: 'launch' },
      { cmd: 'evil\u001b[2J', args: {}, risk: undefined },
    ]
    const { code, said } = await play([recordingOf(framesOf(calls)), '--against', 'running'], { typed: 'no' })
    expect(code).toBe(EXIT.usage)
    expect(said).toContain(
      [
        '  1 × AUTHENTICATE (signs in with your account)',
        '  2 × DELETE_MESSAGE (deletes permanently)',
        '  1 × REGISTER_LAUNCH_COMMAND (registers a program to launch: not played without --allow launch)',
        '  1 × a command that no table has',
      ].join('\n'),
    )
    expect(said).not.toContain('\u001b')
    expect(bridge.asked).toEqual([])
  })

  test('a script needs --yes', async () => {
    const file = recordingOf(framesOf([{ cmd: 'GET_GUILDS', args: {}, risk: undefined }]))
    const { code, said } = await play([file, '--against', 'running', '--non-interactive'], { typed: 'play' })
    expect([code, bridge.asked]).toEqual([EXIT.usage, []])
    expect(said).toContain('add --yes')
  })
})

test('a handshake with a token is not played, nor is what follows it', () => {
  const guard = guardOf([])
  expect(guard(frame('in', 'HANDSHAKE', { client_id: '5', access_token: 'x' }))).toContain('--allow tokens')
  expect(guard(HANDSHAKE)).toBeUndefined()
})

test('a call that was not in the list is not played, when the file changed since', () => {
  const guard = withinSurvey(surveyOf([callOf('GET_GUILDS', {})]), guardOf([]))
  expect(guard(callOf('GET_GUILDS', {}))).toBeUndefined()
  expect(guard(callOf('GET_GUILDS', {}))).toContain('the file changed')
  expect(guard(callOf('DELETE_GUILD', {}))).toContain('the file changed')
})

test('what record writes for a call is played: secrets that are already removed are no tokens', () => {
  const marked = { secret: '[redacted]', url: 'my:/cb?code=[redacted]&state=7', content: 'a [redacted] word' }
  expect(guardOf([])(callOf('SEND_LOBBY_MESSAGE', marked))).toBeUndefined()
})

test('a report of large frames is short, so that its memory does not grow with them', async () => {
  const cmd = 'N'.repeat(100_000)
  const large = { ...responseTo(cmd, '0'), message: { cmd, evt: 'ERROR', nonce: '0', data: { code: 4002, message: 'y'.repeat(500_000) } } }
  const { code, printed } = await play([
    recordingOf([HANDSHAKE, READY, callOf(cmd, {}, '0'), large]),
    '--against',
    'running',
    '--yes',
    '--json',
  ])
  expect(code).toBe(EXIT.failed)
  expect(JSON.parse(printed)).toMatchObject({ differing: [{}, { differences: [{ path: 'data.message' }] }] })
  expect(printed.length).toBeLessThan(20_000)
})

describe('a file', () => {
  const readAll = (file: string) => [...readRecording(file)].length

  test('is read in parts: a frame as large as the wire allows is read, a longer line is refused', () => {
    const line = callOf('SEND_LOBBY_MESSAGE', { content: '' })
    const room = LIMITS.contractFrameBytes.value - JSON.stringify(line).length
    const ofLength = (length: number) => callOf('SEND_LOBBY_MESSAGE', { content: 'é'.repeat(length >> 1) + 'x'.repeat(length & 1) })
    expect(readAll(recordingOf([line, ofLength(room), line]))).toBe(3)
    expect(() => readAll(recordingOf([ofLength(room + 1)]))).toThrow(/more than 1048576 bytes/)
  })

  test.each([
    [
      'of nests that would exhaust the stack',
      `${JSON.stringify(HEADER)}\n{"connection":1,"direction":"in","opcode":"FRAME","message":${'['.repeat(5000)}${']'.repeat(5000)}}\n`,
    ],
    ['with a line that is no JSON', `${JSON.stringify(HEADER)}\nnonsense\n`],
    ['with a frame without a connection', `${JSON.stringify(HEADER)}\n{"direction":"in","opcode":"FRAME"}\n`],
    ['without a header', '{}\n'],
    ['with nothing', ''],
  ])('%s is refused in a sentence', async (_, content) => {
    const file = join(directory, 'bad.jsonl')
    writeFileSync(file, content)
    const { code, said } = await play([file])
    expect(code).toBe(EXIT.usage)
    expect(said).toContain('Name a file that sallyport record wrote.')
  })

  test('that is no regular file is refused', () => {
    expect(() => readAll('/dev/zero')).toThrow(/no regular file/)
  })
})
