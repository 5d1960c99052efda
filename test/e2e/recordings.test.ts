/** `inspect`, `record` and `replay`: the frames of published clients, watched, recorded without secrets, and played again. */
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client as DiscordRpc } from 'discord-rpc'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import {
  cleanEnvironment,
  type Daemon,
  type Folders,
  folders,
  sallyport,
  SMOKE_TARGETS,
  startCommand,
  startDaemon,
} from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const GAME = resolve(import.meta.dirname, '..', '..', 'bindings', 'ts', 'examples', 'dockside.ts')
const APPLICATION = '223344556677889922'
/** The application of the sample game. */
const SAMPLE = '1180000000000000042'
const JOIN_SECRET = 'planted-join-secret-7'
const ACTIVITY = { details: 'Mending nets', state: 'At the pier', joinSecret: JOIN_SECRET, partyId: 'boat-1', partySize: 1, partyMax: 4 }

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let recording: string
  const where = () => ['--data-dir', at.data]
  const RUNNING = ['--against', 'running', '--yes']
  const run = (...words: string[]) => sallyport(target, [...words, ...where()], { HOME: at.data, TMPDIR: at.base })

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
    recording = join(at.base, 'game.jsonl')
    vi.stubEnv('XDG_RUNTIME_DIR', at.runtime)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await daemon.stop()
    await at.remove()
  })

  /** The published client plays: it signs in only with `scopes`. */
  async function play(scopes?: string[]): Promise<void> {
    const client = new DiscordRpc({ transport: 'ipc' })
    Object.assign(client.fetch, { endpoint: `${daemon.origin}/api` })
    await client.login({
      clientId: APPLICATION,
      ...(scopes === undefined ? {} : { clientSecret: `sandbox-secret-${APPLICATION}`, scopes, redirectUri: 'http://localhost' }),
    })
    await client.setActivity({ ...ACTIVITY, startTimestamp: Date.now() })
    const subscription = await client.subscribe('ACTIVITY_JOIN', () => {})
    await subscription.unsubscribe()
    await client.subscribe('NO_SUCH_EVENT', () => {}).catch(() => {})
    await client.clearActivity()
    await client.destroy()
  }

  /** The sample game plays two rounds in a lobby of its own. */
  async function playSample(lobby: string): Promise<void> {
    const words = ['--conditions=sallyport-source', GAME, '--fast', '--rounds', '2', '--runtime-dir', at.runtime]
    const game = spawn(process.execPath, [...words, '--secret', lobby], {
      env: cleanEnvironment(),
      stdio: 'ignore',
    })
    expect(await ended(game)).toBe(0)
  }

  const temporaryFolders = () => readdirSync(at.base).filter((name) => name.startsWith('sallyport-replay-'))

  async function recordWhile(file: string, work: () => Promise<void>, application = APPLICATION): Promise<void> {
    const recorder = await startCommand(target, ['record', file, '--application', application, ...where()], { HOME: at.data })
    await recorder.said('start its game now')
    await work()
    expect(await recorder.interrupt()).toBe(0)
    expect(recorder.out()).toMatch(/^Recorded \d+ frames/)
  }

  test('a recording of a published client replays without a difference, also in a second run of the daemon', async () => {
    await recordWhile(recording, () => play())
    const replayed = await run('replay', recording, '--json', ...RUNNING)
    expect(replayed.code).toBe(0)
    expect(replayed.err).toContain('2 × SET_ACTIVITY')
    expect(JSON.parse(replayed.out)).toEqual({ compared: 6, skipped: [], differing: [] })

    await daemon.stop()
    daemon = await startDaemon(target, at)
    expect(await run('replay', recording, ...RUNNING)).toMatchObject({ code: 0, out: 'Compared 6 responses and events; none differs.\n' })
  })

  test('only the user can read a recording, and it has no secret', () => {
    expect(statSync(recording).mode & 0o777).toBe(0o600)
    const text = readFileSync(recording, 'utf8')
    expect(text).toContain('Mending nets')
    expect(text).not.toContain(JOIN_SECRET)
  })

  test('a changed response is a difference that names the call and the field, with exit code 1', async () => {
    const changed = join(at.base, 'changed.jsonl')
    writeFileSync(changed, readFileSync(recording, 'utf8').replace('"data":{"state":"At the pier"', '"data":{"state":"At the mill"'))
    writeFileSync(changed, readFileSync(changed, 'utf8').replaceAll(/("direction":"out".*?)At the pier/g, '$1At the mill'))
    const { code, out } = await run('replay', changed)
    expect(code).toBe(1)
    expect(out).toMatch(/SET_ACTIVITY of #\d+ differs:\n {2}data\.state: recorded "At the mill", now "At the pier"\n/)
    expect(out).toContain('1 of them differ')
  })

  test('a sign-in is recorded without tokens, and replayed with the grant of this program', async () => {
    const signedIn = join(at.base, 'signed-in.jsonl')
    await recordWhile(signedIn, () => play(['rpc', 'identify']))
    const text = readFileSync(signedIn, 'utf8')
    expect(text).toContain('AUTHENTICATE')
    expect(text).toMatch(/"access_token":"\[redacted\]"/)
    expect(text).not.toContain(`sandbox-secret-${APPLICATION}`)
    expect(await run('login', '--application', APPLICATION, '--scopes', 'rpc identify', '--runtime-dir', at.runtime)).toMatchObject({
      code: 0,
    })
    const replayed = await run('replay', signedIn, '--json', ...RUNNING)
    expect(JSON.parse(replayed.out)).toMatchObject({ skipped: [], differing: [] })
    expect(replayed.code).toBe(0)
  })

  test.each([
    ['the sample game', 'sample'],
    ['the sample game once more, signed in before', 'sample-again'],
  ])('a recording of %s, replayed at once in a sandbox of its own, differs in nothing', async (_, name) => {
    const file = join(at.base, `${name}.jsonl`)
    await recordWhile(file, () => playSample(name), SAMPLE)
    const before = temporaryFolders()
    const replayed = await run('replay', file, '--json', '--sandbox', 'strict')
    const { compared, ...rest } = JSON.parse(replayed.out) as { compared: number }
    expect(rest).toEqual({ skipped: [], differing: [] })
    expect(compared).toBeGreaterThan(10)
    expect([replayed.code, replayed.err]).toEqual([0, ''])
    expect(temporaryFolders()).toEqual(before)
  })

  test("a stranger's recording reads no file, uses no token and registers no program, and reaches no bridge of the user", async () => {
    const file = join(at.base, 'stranger.jsonl')
    const fifo = join(at.base, 'read-me')
    execFileSync('mkfifo', [fifo])
    const calls = [
      { cmd: 'CREATE_MESSAGE', args: { channel_id: '1', files: [{ path: fifo }] } },
      { cmd: 'REGISTER_LAUNCH_COMMAND', args: { command: '/bin/true' } },
      { cmd: 'AUTHENTICATE', args: { access_token: 'planted-token-of-a-stranger' } },
      { cmd: 'SET_ACTIVITY', args: { pid: 1, activity: { state: 'planted-state' } } },
    ]
    const sent = (opcode: string, message: object) => ({ at: 0, connection: 1, direction: 'in', opcode, bytes: 0, message })
    const lines = [
      { recording: 1 },
      sent('HANDSHAKE', { v: 1, client_id: '77' }),
      ...calls.map((call, nonce) => sent('FRAME', { ...call, nonce: `${nonce}` })),
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { err, out, code } = await run('replay', file)
    expect(err).toContain('CREATE_MESSAGE of #1, which names files of yours (to play it: --allow files)')
    expect(err).toContain('REGISTER_LAUNCH_COMMAND of #1')
    expect(err).toContain('AUTHENTICATE of #1')
    expect([code, out]).toEqual([0, 'Compared 0 responses and events; none differs.\n'])
    expect(daemon.output()).not.toContain('"application":"77"')
    const refused = await run('replay', file, '--against', 'running')
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain('1 × CREATE_MESSAGE (names files of yours: not played without --allow files)')
    expect(daemon.output()).not.toContain('"application":"77"')
  })

  test('inspect shows the selected frames as they pass', async () => {
    const words = ['inspect', '--application', '5', '--cmd', 'set_activity', '--direction', 'in', ...where()]
    const [text, json] = await Promise.all([
      startCommand(target, words, { HOME: at.data }),
      startCommand(target, [...words, '--json'], { HOME: at.data }),
    ])
    await Promise.all([text.said('shown from now on'), json.said('shown from now on')])
    const game = await RawClient.ready(daemon.socket, { client_id: '5' })
    await game.call('SET_ACTIVITY', { pid: 1, activity: { state: 'watched', secrets: { join: JOIN_SECRET } } })
    await game.call('GET_BRIDGE_STATUS')
    game.hangUp()
    expect(await Promise.all([text.interrupt(), json.interrupt()])).toEqual([0, 0])
    expect(text.out()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}#\d+ 5 {2}→ FRAME \{"cmd":"SET_ACTIVITY".*"watched".*\}\n$/)
    const [frame, ...more] = json.out().trim().split('\n')
    expect(more).toEqual([])
    expect(JSON.parse(frame ?? '')).toMatchObject({
      application_id: '5',
      direction: 'in',
      pid: process.pid,
      message: { cmd: 'SET_ACTIVITY' },
    })
    expect(text.out() + json.out()).not.toContain(JOIN_SECRET)
  })

  test('wrong files and missing daemons are reported in sentences', async () => {
    const other = join(at.base, 'other.jsonl')
    writeFileSync(other, '{"no":"recording"}\n')
    const results = await Promise.all([
      run('replay', other),
      run('replay', join(at.base, 'none')),
      run('record', recording, '--application', '5'),
      run('record', join(at.base, 'new.jsonl')),
      sallyport(target, ['inspect', '--data-dir', at.base], { HOME: at.data }),
    ])
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 3])
    expect(results.map(({ err }) => err).join('')).toMatch(
      /not a recording of format 1[^]*Cannot read[^]*Cannot create[^]*add --application ID[^]*sallyport run/,
    )
  })
})
