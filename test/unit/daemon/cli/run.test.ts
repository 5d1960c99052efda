import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '@sallyport/core/secret'
import { afterAll, describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import type { StartBridge } from '#daemon/src/app/running-bridge.ts'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { FROM_CLONE } from '#daemon/src/cli/own-command.ts'
import { runCommand } from '#daemon/src/cli/run.ts'
import { AnotherBridge, type OpenPorts, type OpenPortsFor } from '#daemon/src/start/open-ports.ts'
import type { ReadyLine } from '#daemon/src/start/ready-line.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { tableOf } from './table-of.ts'
import { fakeIo } from './fake-io.ts'

const READY: ReadyLine = {
  event: 'ready',
  pid: 7,
  ipc: ['/run/x/discord-ipc-0'],
  platform: 'sandbox',
  apiBase: 'http://127.0.0.1:1/api/v10',
  tokenUrl: 'http://127.0.0.1:1/api/v10/oauth2/token',
  dashboard: 'http://127.0.0.1:2/#token=t',
}

const folder = mkdtempSync(join(tmpdir(), 'run-'))
afterAll(() => rmSync(folder, { recursive: true }))
const dataDir = join(folder, 'state', 'sallyport')

const NO_SOCKETS: Pick<OpenPorts['local'], 'openForWine' | 'openIn'> = {
  openForWine: async () => undefined,
  openIn: () => Promise.reject(new Error('This test opens no socket.')),
}

/** Ports of a daemon that no connection needs yet. */
function closedPorts(ready: ReadyLine, steps: string[], notices: OpenPorts['notices']) {
  const dashboard = {
    held: { port: 2, serve: () => {}, close: async () => {} },
    token: new Secret('t'),
    code: new Secret('c'),
  }
  const { promise: needed, resolve: need } = Promise.withResolvers<void>()
  const ports: OpenPorts = {
    local: {
      ...NO_SOCKETS,
      sockets: [],
      ownAddress: undefined,
      isActivated: false,
      awaitFirstSlot: undefined,
      names: [],
      preparePeers: () => {},
      close: async () => {},
    },
    openBeside: async () => ({ sockets: [], wine: undefined, notices: [], close: async () => {} }),
    websocket: undefined,
    dashboard: ready.dashboard === null ? undefined : dashboard,
    webhooks: undefined,
    metrics: undefined,
    presence: undefined,
    platform: { sandbox: { port: 1, serve: () => {}, close: async () => {} } },
    ready,
    notices,
    needed,
    firstSlot: Promise.resolve(),
    close: async () => void steps.push('close'),
  }
  return { ports, need }
}

interface Conditions {
  readonly ready?: ReadyLine
  readonly own?: string
  readonly isStdoutTerminal?: boolean
  readonly notices?: OpenPorts['notices']
  readonly bridgeFailure?: Error
  readonly portsFailure?: Error
  readonly env?: NodeJS.ProcessEnv
}

function start(
  words: readonly string[],
  { ready = READY, own = 'sallyport', isStdoutTerminal = true, notices = [], bridgeFailure, portsFailure, env }: Conditions = {},
) {
  const after = (ms: number, action: () => void) => {
    waits.set(ms, action)
    return () => void waits.delete(ms)
  }
  const io = { ...fakeIo(env), isStdoutTerminal, after, ownCommand: () => own }
  const steps: string[] = []
  const listening = Promise.withResolvers<void>()
  const idle = Promise.withResolvers<void>()
  const waits = new Map<number, () => void>()
  const { ports, need } = closedPorts(ready, steps, notices)
  const openPorts: OpenPortsFor = async (_, announce) => {
    announce('A port is taken.')
    if (portsFailure !== undefined) throw portsFailure
    await listening.promise
    return ports
  }
  const startBridge: StartBridge = async (settings) => {
    steps.push(`start ${settings.consent}`)
    if (bridgeFailure !== undefined) throw bridgeFailure
    return { ended: idle.promise.then(() => 'idle' as const), stop: async () => void steps.push('stop') }
  }
  const log = new RecordingLog()
  const table = tableOf(runCommand({ openPorts, loadLogger: async () => () => log, loadBridge: async () => startBridge }))
  return {
    io,
    steps,
    log,
    need,
    waits,
    listen: () => listening.resolve(),
    rest: () => idle.resolve(),
    ended: runCli(['run', '--data-dir', dataDir, ...words], io, table),
  }
}

const ticks = () => new Promise((resolve) => setImmediate(resolve))

describe('run', () => {
  test('--json prints only the ready line to stdout when everything listens', async () => {
    const { io, listen, ended } = start(['--json'])
    await ticks()
    expect(io.printed).toEqual([])
    listen()
    io.stop('SIGTERM')
    expect(await ended).toBe(EXIT.ok)
    expect(io.printed).toHaveLength(1)
    expect(JSON.parse(io.printed[0] ?? '')).toEqual(READY)
    expect(io.printed[0]).not.toContain('\n')
    expect(io.said).toEqual(['A port is taken.'])
  })

  test('ends when no game came in the time of --idle-exit, without loading the bridge', async () => {
    const { steps, waits, listen, ended } = start(['--idle-exit', '3600', '--preload', 'on-demand'])
    listen()
    await ticks()
    waits.get(3_600_000)?.()
    expect(await ended).toBe(EXIT.ok)
    expect(steps).toEqual(['close'])
  })

  test('stops the bridge like at a signal when no game was connected for long enough', async () => {
    const { steps, waits, need, listen, rest, ended } = start(['--idle-exit', '3600', '--preload', 'on-demand'])
    listen()
    need()
    await ticks()
    expect(waits.size).toBe(0)
    rest()
    expect(await ended).toBe(EXIT.ok)
    expect(steps).toEqual(['start prompt', 'stop', 'close'])
  })

  test('refuses a data folder of a newer version with its own exit code, and leaves it as it is', async () => {
    const format = join(dataDir, 'format')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(format, '99\n', { mode: 0o600 })
    const { io, steps, ended } = start([])
    expect(await ended).toBe(EXIT.newerData)
    expect(steps).toEqual([])
    expect(io.said.join('\n')).toMatch(/The data folder .* cannot be used: its format version is 99, .* Install that version again/)
    expect(readFileSync(format, 'utf8')).toBe('99\n')
    rmSync(format)
  })

  test('without --json prints sockets, platform and next steps', async () => {
    const { io, listen, ended } = start([])
    listen()
    io.stop('SIGINT')
    await ended
    const text = io.printed.join('\n')
    for (const part of [
      '/run/x/discord-ipc-0',
      'sandbox',
      'http://127.0.0.1:2/#code=c (opens once)',
      '  sallyport open                          open the dashboard',
      '  sallyport login                         sign in from the terminal',
      '  sallyport call GET_CURRENT_USER_GUILDS  make one call',
      'Press Ctrl-C',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('npm')
  })

  test('in a clone offers the example, and the words of the clone', async () => {
    const { io, listen, ended } = start([], { own: FROM_CLONE })
    listen()
    io.stop('SIGINT')
    await ended
    const text = io.printed.join('\n')
    expect(text).toMatch(/^ {2}npm run example {2,}play/m)
    expect(text).toMatch(/^ {2}npm run sallyport -- login {2,}sign in/m)
    expect(text).toMatch(/^ {2}npm run sallyport -- open {2,}open the dashboard/m)
  })

  test('a system log gets no next steps', async () => {
    const { io, listen, ended } = start([], { isStdoutTerminal: false, env: { JOURNAL_STREAM: '8:1' } })
    listen()
    io.stop('SIGINT')
    await ended
    expect(io.printed.join('\n')).not.toMatch(/Next|npm|Ctrl-C/)
  })

  describe('the log says why it stops', () => {
    const stopping = (log: RecordingLog) => log.lines.filter(({ event }) => event === 'stopping').map(({ fields }) => fields)

    test('a signal, also before the bridge is loaded', async () => {
      for (const words of [['--preload', 'on-demand'], []]) {
        const { io, log, listen, ended } = start(words)
        listen()
        io.stop('SIGTERM')
        await ended
        expect(stopping(log)).toEqual([{ reason: 'signal', signal: 'SIGTERM' }])
      }
    })
    test('no game, also before the bridge is loaded', async () => {
      const early = start(['--idle-exit', '3600', '--preload', 'on-demand'])
      early.listen()
      await ticks()
      early.waits.get(3_600_000)?.()
      await early.ended
      const late = start([])
      late.listen()
      late.rest()
      await late.ended
      expect([...stopping(early.log), ...stopping(late.log)]).toEqual([{ reason: 'idle' }, { reason: 'idle' }])
    })
    test('an error', async () => {
      const bridgeFailure = new Error('broken')
      const { log, listen, ended } = start([], { bridgeFailure })
      listen()
      await ended
      expect(stopping(log)).toEqual([{ reason: 'error', err: bridgeFailure }])
    })
    test('another bridge with the same data', async () => {
      const { log, ended } = start([], { portsFailure: new AnotherBridge('Another bridge runs.') })
      expect(await ended).toBe(EXIT.ok)
      expect(stopping(log)).toEqual([{ reason: 'another-bridge' }])
    })
  })

  test('omits the code of the dashboard if stdout is not a terminal, and prints the path of the address file', async () => {
    const { io, listen, ended } = start([], { isStdoutTerminal: false })
    listen()
    io.stop('SIGINT')
    await ended
    const text = io.printed.join('\n')
    expect(text).toContain(`http://127.0.0.1:2 (address that opens it: ${join(dataDir, 'dashboard.address')})`)
    expect(text).not.toMatch(/token=|code=/)
  })

  test('on another platform does not offer the example, which needs the sandbox', async () => {
    const { io, listen, ended } = start([], { ready: { ...READY, platform: 'discord', dashboard: null }, own: FROM_CLONE })
    listen()
    io.stop('SIGINT')
    await ended
    expect(io.printed.join('\n')).not.toContain('npm run example')
    expect(io.printed.join('\n')).toMatch(/Dashboard +off/)
  })

  test('with the sandbox, starts the bridge at once, and stops it before the ports', async () => {
    const { io, steps, listen, ended } = start(['--consent', 'allow'])
    listen()
    await ticks()
    expect(steps).toEqual(['start allow'])
    io.stop('SIGTERM')
    await ended
    expect(steps).toEqual(['start allow', 'stop', 'close'])
  })

  test('on another platform, starts the bridge when a connection needs it', async () => {
    const { io, steps, need, listen, ended } = start(['--platform', 'discord'])
    listen()
    await ticks()
    expect(steps).toEqual([])
    need()
    await ticks()
    expect(steps).toEqual(['start prompt'])
    io.stop('SIGTERM')
    expect(await ended).toBe(EXIT.ok)
    expect(steps).toEqual(['start prompt', 'stop', 'close'])
  })

  test('a stop signal before any connection loads nothing', async () => {
    const { io, steps, listen, ended } = start(['--preload', 'on-demand'])
    listen()
    io.stop('SIGTERM')
    expect(await ended).toBe(EXIT.ok)
    expect(steps).toEqual(['close'])
  })

  test.each([
    ['warn', 'warn', true],
    ['warn', 'info', false],
    ['info', 'info', true],
    ['error', 'warn', false],
  ] as const)(
    'with log level %s, a notice of level %s is logged, though the bridge is not needed: %s',
    async (logLevel, level, isShown) => {
      const notices = [{ level, event: 'web-ports-taken' as const, fields: {} }]
      const { io, steps, log, listen, ended } = start(['--preload', 'on-demand', '--log-level', logLevel], { notices })
      listen()
      await ticks()
      expect(log.lines.map(({ event }) => event)).toEqual(isShown ? ['web-ports-taken'] : [])
      io.stop('SIGTERM')
      await ended
      expect(steps).toEqual(['close'])
    },
  )

  test('when the bridge cannot start, reports it, closes the ports and fails', async () => {
    const bridgeFailure = new BridgeError('SERVICE_UNAVAILABLE', 'The data is of a newer version.')
    const { io, steps, listen, ended } = start([], { bridgeFailure })
    listen()
    expect(await ended).toBe(EXIT.failed)
    expect(io.said.join('\n')).toContain('sallyport run: The data is of a newer version.')
    expect(steps).toEqual(['start prompt', 'close'])
  })

  test('rejects a runtime folder with a too long path before it starts the bridge', async () => {
    const { io, steps, ended } = start(['--runtime-dir', `/${'d'.repeat(120)}`])
    expect(await ended).toBe(EXIT.usage)
    expect(io.said.join('\n')).toMatch(/Choose a shorter --runtime-dir/)
    expect(steps).toEqual([])
  })

  test('creates a private data folder', async () => {
    const { io, listen, ended } = start([])
    listen()
    io.stop('SIGINT')
    await ended
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test('rejects a data folder that others can access before it starts the bridge', async () => {
    const open = join(folder, 'open')
    mkdirSync(open)
    chmodSync(open, 0o755)
    const { io, steps, ended } = start(['--data-dir', open])
    expect(await ended).toBe(EXIT.usage)
    expect(io.said.join('\n')).toContain(`chmod 700 '${open}' (Or choose another --data-dir.)`)
    expect(steps).toEqual([])
  })

  test('prints the flag to set if the data folder cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '')
    const { io, steps, ended } = start(['--data-dir', join(folder, 'file', 'sub')])
    expect(await ended).toBe(EXIT.usage)
    expect(io.said.join('\n')).toMatch(/Choose another --data-dir/)
    expect(steps).toEqual([])
  })
})
