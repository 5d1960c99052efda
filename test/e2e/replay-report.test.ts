/** `sallyport replay --report`: calls that failed elsewhere fail in the same way here, without the platform and without the texts of the user. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallTrace } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportText, traceLines } from '#daemon/src/cli/report-sections.ts'
import { sendForCalls } from '#daemon/src/platform/api/call-requests.ts'
import type { HttpReply, HttpSend } from '#daemon/src/platform/api/forwarder-port.ts'
import { createForwarder } from '#daemon/src/platform/api/forwarder.ts'
import { HttpFailure } from '#daemon/src/platform/api/http-failure.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { Game, testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { authorizationInformation, meaningOf, tokenOf } from '#test/support/tokens.ts'
import { sallyport, SOURCE } from './support/daemon.ts'

const TURNS = 200
const USER_TEXT = 'Meet me at pier seven'
const json = (status: number, body: object, headers: HttpReply['headers'] = {}): HttpReply => ({
  status,
  headers,
  body: JSON.stringify(body),
})

interface Failing {
  readonly cmd: string
  readonly args: object
  readonly scopes?: readonly string[]
  /** What the platform does with the call; it throws when it gives no reply. */
  readonly platform?: () => HttpReply
}

/** The trace of a call that fails in the bridge of a developer. */
async function traceOf({ cmd, args, scopes, platform }: Failing): Promise<CallTrace> {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const send: HttpSend = async ({ url, headers }) => {
    const meaning = meaningOf(String(headers['authorization']).split(' ')[1] ?? '')
    if (url.endsWith('/oauth2/@me') && meaning !== undefined) return json(200, authorizationInformation(meaning))
    if (platform === undefined) throw new Error('no request was expected')
    return platform()
  }
  const forwarder = createForwarder({
    profile: { baseUrl: 'https://example.test/api/v10', userAgent: 'test' },
    send: sendForCalls(send, undefined, clock),
    clock,
    log,
    warnings: new Warnings(clock, log),
    random: () => 0.5,
  })
  const bridge = testBridge({ clock, forwarder })
  await bridge.calls.traceAlways()
  const game = Game.connected(bridge, { contract: '1.0', streams: true })
  if (scopes !== undefined) await game.ask('AUTHENTICATE', { access_token: tokenOf(scopes) })
  game.begin(cmd, args)
  const found = () => bridge.calls.newest({ applicationId: undefined, all: false }, 1_000_000).calls
  for (let turn = 0; turn < TURNS && found().length === 0; turn++) {
    await new Promise(setImmediate)
    if (turn % 10 === 9) clock.advance(1000)
  }
  const [call] = found()
  if (call === undefined) throw new Error(`${cmd} did not fail`)
  return call
}

const MESSAGE = {
  cmd: 'SEND_USER_MESSAGE',
  args: { user_id: '80351110224678913', content: USER_TEXT },
  scopes: ['identify', 'sdk.social_layer'],
}
const GUILDS = { cmd: 'GET_CURRENT_USER_GUILDS', args: {}, scopes: ['identify', 'guilds'] }

const FAULTS: readonly (readonly [string, Failing, object])[] = [
  ['a missing scope', { ...GUILDS, scopes: ['identify'] }, { code: 4006 }],
  ['a missing sign-in', { cmd: GUILDS.cmd, args: {} }, { code: 4006 }],
  [
    'a text that is too long',
    { cmd: 'SET_ACTIVITY', args: { pid: 1, activity: { state: `${USER_TEXT} ${'ü'.repeat(128)}` } } },
    { code: 4000, path: 'activity.state' },
  ],
  [
    'a rate limit',
    {
      ...GUILDS,
      platform: () => json(429, { message: 'You are being rate limited.', retry_after: 3600, global: false }, { 'retry-after': '3600' }),
    },
    { code: 5011, http_status: 429, retry_after: 3600 },
  ],
  [
    'an error of the platform',
    { ...MESSAGE, platform: () => json(500, { message: '500: Internal Server Error', code: 0 }) },
    { http_status: 500 },
  ],
  [
    'an error page of a proxy',
    { ...MESSAGE, platform: () => ({ status: 502, headers: {}, body: '<html>502</html>' }) },
    { http_status: 502 },
  ],
  [
    'a dead platform',
    {
      ...MESSAGE,
      platform: () => {
        throw new HttpFailure('unreachable', false)
      },
    },
    { code: 1001 },
  ],
  [
    'a user who takes no messages',
    { ...MESSAGE, platform: () => json(403, { message: 'Cannot send messages to this user', code: 50007 }) },
    { http_status: 403, platform_code: 50007 },
  ],
]

/** As it stands in a report. Each has an id of its own. */
async function reported(failing: Failing, index: number) {
  const call = await traceOf(failing)
  const id = `c${index}-1`
  const [line = ''] = traceLines([{ ...call, id, ...(call.error === undefined ? {} : { error: { ...call.error, call_id: id } }) }])
  return { frame: `${failing.cmd} (${id})`, call, line }
}

interface Result {
  readonly compared: number
  readonly skipped: readonly string[]
  readonly differing: readonly { readonly frame: string; readonly differences: readonly object[] }[]
}

let folder: string
let lines: readonly Awaited<ReturnType<typeof reported>>[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-report-'))
  lines = await Promise.all(FAULTS.map(([, failing], index) => reported(failing, index)))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The command, with a report that has these calls, newest first. */
async function replayed(name: string, calls: readonly string[]): Promise<{ code: number | null; err: string; result: Result }> {
  const path = join(folder, name)
  const sections = [
    { name: 'versions', holds: 'what runs', lines: ['{}'] },
    { name: 'calls', holds: 'calls', lines: calls.toReversed() },
    { name: 'log', holds: 'the log', lines: ['{"event":"x"}'] },
  ]
  writeFileSync(path, reportText(sections, '/nowhere'))
  const { code, out, err } = await sallyport(SOURCE, ['replay', '--report', path, '--json'], { HOME: folder, TMPDIR: folder })
  return { code, err, result: JSON.parse(out) as Result }
}

describe('a call fails once more in the same way after', () => {
  let replay: Awaited<ReturnType<typeof replayed>>
  beforeAll(async () => {
    replay = await replayed(
      'report.txt',
      lines.map(({ line }) => line),
    )
  })

  test.each(FAULTS.map(([fault, , error], index) => [fault, error, index] as const))('%s', (_, error, index) => {
    const { call, frame, line } = lines[index] as (typeof lines)[number]
    expect(call).toMatchObject({ kept: 'whole', error })
    expect(line).not.toContain('pier')
    expect(replay.result.differing.filter((one) => one.frame === frame)).toEqual([])
    expect(replay.result.skipped.filter((one) => one.startsWith(frame))).toEqual([])
  })

  test('each of them, and nothing stays behind', () => {
    expect([replay.code, replay.err, replay.result.compared]).toEqual([0, '', FAULTS.length])
    expect(readdirSync(folder)).toEqual(['report.txt'])
  })
})

test('a difference is shown, with exit code 1: another error, and a request that does not come', async () => {
  const { line, frame } = lines[FAULTS.findIndex(([fault]) => fault.startsWith('a text'))] as (typeof lines)[number]
  const call = JSON.parse(line) as { error: object }
  const requests = [{ method: 'GET', path: '/x', status: 404, after_ms: 0, ms: 0 }]
  const { code, result } = await replayed('changed.txt', [JSON.stringify({ ...call, error: { ...call.error, code: 4002 }, requests })])
  expect([code, result]).toEqual([
    1,
    {
      compared: 1,
      skipped: [],
      differing: [
        {
          frame,
          differences: [
            { path: 'data.code', recorded: 4002, now: 4000 },
            { path: 'HTTP', recorded: 'GET /x → 404' },
          ],
        },
      ],
    },
  ])
})
