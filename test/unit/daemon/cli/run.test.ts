import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReadyLine, StartBridge } from '../../../../daemon/src/app/running-bridge.ts'
import { runCli } from '../../../../daemon/src/cli/cli.ts'
import { EXIT } from '../../../../daemon/src/cli/exit-codes.ts'
import { runCommand } from '../../../../daemon/src/cli/run.ts'
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

function start(words: readonly string[], ready: ReadyLine = READY, isStdoutTerminal = true) {
  const io = { ...fakeIo(), isStdoutTerminal }
  const steps: string[] = []
  const listening = Promise.withResolvers<void>()
  const idle = Promise.withResolvers<void>()
  const compose: StartBridge = async (settings, { announce }) => {
    steps.push(`compose ${settings.consent}`)
    announce('A game asks to sign in.')
    await listening.promise
    return {
      ready,
      idle: idle.promise,
      stop: async () => {
        steps.push('stop')
      },
    }
  }
  const table = { commands: [runCommand(async () => compose)], later: [] }
  return {
    io,
    steps,
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
    expect(io.said).toEqual(['A game asks to sign in.'])
  })

  test('stops like at a signal when no game was connected for long enough', async () => {
    const { steps, listen, rest, ended } = start([])
    listen()
    rest()
    expect(await ended).toBe(EXIT.ok)
    expect(steps).toEqual(['compose prompt', 'stop'])
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
      'http://127.0.0.1:2/#token=t',
      'npm run example',
      'call GET_CURRENT_USER_GUILDS',
    ])
      expect(text).toContain(part)
  })

  test('omits the token of the dashboard if stdout is not a terminal, and prints the path of the address file', async () => {
    const { io, listen, ended } = start([], READY, false)
    listen()
    io.stop('SIGINT')
    await ended
    const text = io.printed.join('\n')
    expect(text).toContain(`http://127.0.0.1:2 (URL with token: ${join(dataDir, 'dashboard.address')})`)
    expect(text).not.toContain('token=')
  })

  test('on another platform does not offer the example, which needs the sandbox', async () => {
    const { io, listen, ended } = start([], { ...READY, platform: 'discord', dashboard: null })
    listen()
    io.stop('SIGINT')
    await ended
    expect(io.printed.join('\n')).not.toContain('npm run example')
    expect(io.printed.join('\n')).toMatch(/Dashboard +off/)
  })

  test('runs until a stop signal, then stops the bridge before it exits', async () => {
    const { io, steps, listen, ended } = start(['--consent', 'allow'])
    listen()
    await ticks()
    expect(steps).toEqual(['compose allow'])
    io.stop('SIGTERM')
    await ended
    expect(steps).toEqual(['compose allow', 'stop'])
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
