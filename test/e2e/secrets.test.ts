/** Tokens, codes, verifiers and join secrets of a whole match appear in no log line, error, page, trace, archive, recording, report or other file in clear. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Collector, SENT_SOON, startCollector } from '#test/support/collector.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, sallyport, startCommand, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'
import { Leaks, unlessGone } from './support/leaks.ts'
import { RawClient } from './support/raw-client.ts'
import { APPLICATION, besides, BOT_TOKEN, conversation, echoes, joinSecrets, spentCode, tokens } from './support/secret-uses.ts'

/** Sent to the collector as a header. */
const COLLECTOR_KEY = 'planted-key-of-the-collector'
/** Calls of which it gets spans. */
const EXPORTED = ['AUTHENTICATE', 'GET_TOKEN', 'AUTHORIZE', 'SET_ACTIVITY']
/** Keys that rest in a file, which no other place may hold. */
const KEY_FILES = ['vault/tokens.key', 'sandbox.sqlite.key']

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let collector: Collector
  useDaemon(
    target,
    (opened, inFolders) => {
      daemon = opened
      at = inFolders
    },
    async () => {
      collector = await startCollector()
      return ['--metrics', '0', '--otlp', collector.url]
    },
    { OTEL_EXPORTER_OTLP_HEADERS: `authorization=${COLLECTOR_KEY}`, ...SENT_SOON },
  )
  afterAll(() => collector.close())

  /** All that an operator can write to files or print, of what is kept; each is in a folder that is searched. */
  async function operatorFiles(leaks: Leaks): Promise<void> {
    const where = ['--data-dir', at.data]
    const runs = [
      ['trace', '--all', '--json', ...where],
      ['trace', '--all', ...where],
      ['trace', '--all', '--har', join(at.base, 'calls.har'), ...where],
      ['bugreport', join(at.base, 'report.txt'), '--yes', ...where],
    ]
    for (const words of runs) {
      const { code, out, err } = await sallyport(target, words, { HOME: at.data })
      expect([words[0], code, code === 0 ? '' : err]).toEqual([words[0], 0, ''])
      leaks.watch(`what is printed by ${words.slice(0, 3).join(' ')}`, out + err)
    }
    // The platform repeated secrets in refusals, and the report has those.
    expect(readFileSync(join(at.base, 'report.txt'), 'utf8')).toMatch(/"reply":\{[^\n]*\[redacted\]/)
  }

  /** What a person at the terminal does with secrets, rightly and wrongly. */
  async function commandLine(leaks: Leaks, access: string): Promise<void> {
    const operator = ['--runtime-dir', at.runtime, '--data-dir', at.data]
    const bot = { SALLYPORT_BOT_TOKEN: leaks.plant('bot token', BOT_TOKEN) }
    const runs = [
      [0, ['login', '--bot', '--json', ...operator], bot],
      [4, ['login', '--bot', '--application', '5', ...operator], bot],
      [4, ['login', '--bot', '--json', ...operator], { SALLYPORT_BOT_TOKEN: access }],
      [0, ['status', '--json', ...operator.slice(0, 2)], {}],
      [0, ['config', '--json'], bot],
      [0, ['grants', '--json', ...operator.slice(2)], {}],
      [2, ['login', '--bot', BOT_TOKEN], {}],
      [2, ['login', '--bot', `--bot-token=${BOT_TOKEN}`], {}],
      [2, [access], {}],
      [2, [`--${access}`], {}],
      [2, ['status', `--${access}`], {}],
      [2, ['call', access, ...operator.slice(0, 2)], {}],
      [2, ['call', 'GET_GUILD', `{"token": "${access}", broken`], {}],
      [
        4,
        [
          'call',
          'REVOKE_TOKEN',
          JSON.stringify({ token: BOT_TOKEN, [BOT_TOKEN.replaceAll('-', '_')]: access }),
          '--yes',
          ...operator.slice(0, 2),
        ],
        {},
      ],
    ] as const
    for (const [exitCode, words, env] of runs) {
      const { code, out, err } = await sallyport(target, words, { HOME: at.data, ...env })
      const line = words.map((word) => word.replaceAll(access, 'ACCESS').replaceAll(BOT_TOKEN, 'BOT')).join(' ')
      expect([code, line, err]).toEqual([exitCode, line, err])
      leaks.watch(`what is printed by ${line}`, out + err)
    }
  }

  /** Frames that cannot be read, with secrets in them. */
  async function broken(leaks: Leaks, access: string): Promise<void> {
    for (const text of [`{"cmd":"AUTHENTICATE","args":{"access_token":"${access}"`, access, `{"nonce":1,"token":"${access}"}`]) {
      const raw = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
      const head = Buffer.alloc(8)
      head.writeInt32LE(1, 0)
      head.writeInt32LE(Buffer.byteLength(text), 4)
      raw.send(Buffer.concat([head, Buffer.from(text)]))
      const { payload } = await raw.next()
      leaks.watch('the answer to a broken frame', payload.toString())
      raw.hangUp()
    }
  }

  test('nothing leaks', { tags: ['5-12', '9.1-15'] }, async () => {
    const leaks = new Leaks()
    const dashboard = new URL(daemon.ready.dashboard ?? '')
    const dashboardToken = leaks.plant(
      'token of the dashboard',
      dashboard.hash.replace('#token=', ''),
      /^(the ready line|dashboard\.address .*)$/,
    )
    const recorded = join(at.base, 'match.jsonl')
    const recorder = await startCommand(target, ['record', recorded, '--application', APPLICATION, '--data-dir', at.data], {
      HOME: at.data,
    })
    await recorder.said('start its game now')
    const game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
    const scene = { daemon, leaks, game }

    leaks.plant('key for the collector', COLLECTOR_KEY)
    const held = await tokens(scene)
    await commandLine(leaks, held.access)
    expect(await game.call('GET_CURRENT_APPLICATION')).toMatchObject({ id: APPLICATION })
    await broken(leaks, held.access)
    await joinSecrets(scene)
    await conversation(scene)
    await besides(scene)
    for (const cmd of ['SET_BOT_TOKEN', 'FORGET_BOT_TOKEN']) {
      const proof = leaks.plant(`operator's proof of ${cmd}`, Buffer.from(cmd.padEnd(16)).toString('hex'))
      const failure: unknown = await game
        .request(cmd, { token: BOT_TOKEN, application_id: '5', operator_proof: proof })
        .catch((thrown: unknown) => thrown)
      expect(failure).toBeInstanceOf(Error)
      leaks.watch(`the error of ${cmd}`, failure)
    }

    const look = async (name: string, url: URL, token?: string) => {
      const reply = await fetch(url, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } })
      leaks.watch(name, await reply.text())
    }
    const pages = async (moment: string) => {
      await look(`the page of the dashboard ${moment}`, dashboard)
      await look(`the state of the dashboard ${moment}`, new URL('/api/state', dashboard), dashboardToken)
      await look(`the dashboard for strangers ${moment}`, new URL('/api/state', dashboard), held.access)
      for (const path of ['/', '/sandbox/state']) await look(`${path} of the sandbox ${moment}`, new URL(path, daemon.origin))
      leaks.watch(`the status of the bridge ${moment}`, await game.call('GET_BRIDGE_STATUS', {}))
    }
    await pages('before')
    await echoes(scene, held)
    await spentCode(scene, held)
    await pages('after')
    const reading = new AbortController()
    const stream = await fetch(new URL('/api/traces/stream', dashboard), {
      headers: { Authorization: `Bearer ${dashboardToken}` },
      signal: reading.signal,
    })
    let live = ''
    for await (const chunk of stream.body ?? []) {
      live += Buffer.from(chunk).toString()
      if (live.includes('event: traces') && live.endsWith('\n\n')) break
    }
    reading.abort()
    expect(live).toContain('GET_TOKEN')
    leaks.watch('the page of calls', live)
    expect(await recorder.interrupt()).toBe(0)
    expect(readFileSync(recorded, 'utf8')).toMatch(/AUTHENTICATE[^]*SET_ACTIVITY[^]*CREATE_OR_JOIN_LOBBY/)
    await operatorFiles(leaks)
    await look('the metrics', new URL(daemon.ready.metrics ?? ''))

    for (const file of KEY_FILES) {
      const name = file.split('/').at(-1) ?? ''
      leaks.plant(`the key ${name}`, readFileSync(join(at.data, file)), new RegExp(`^${name} `))
    }
    const readyLine = JSON.stringify(daemon.ready)
    leaks.watch('the ready line', readyLine)
    const files = leaks.watchFiles(at.base, 'while it runs')
    for (const file of files) expect((unlessGone(() => statSync(file))?.mode ?? 0) & 0o077, file).toBe(0)
    await game.close()
    await expect.poll(() => collector.spans.map(({ name }) => name)).toEqual(expect.arrayContaining(EXPORTED))
    await expect.poll(() => collector.text).toContain('sallyport.application.calls')
    await daemon.stop()
    leaks.watch('what the collector got', collector.text)
    leaks.watch('the log', daemon.output().replace(readyLine, ''))
    leaks.watchFiles(at.base, 'after the end')

    expect(leaks.found()).toEqual([])
    // It searched where something is.
    expect(collector.problems).toEqual([])
    expect(daemon.output()).toMatch(/session-ready[^]*platform-call-failed[^]*tokens-not-stored/)
    for (const file of [
      'sandbox.sqlite',
      'grants.sqlite',
      'history.sqlite',
      'calls.sqlite',
      'dashboard.address',
      'tokens.sealed',
      'calls.har',
      'match.jsonl',
      'report.txt',
    ])
      expect(leaks.placeNames, file).toContainEqual(expect.stringContaining(file))
  })
})
