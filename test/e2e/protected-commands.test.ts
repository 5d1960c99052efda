/** Commands that hold secrets: other programs of the user read nothing of them, and the bridge of that user still knows them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeDashboardAddress, writeSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { PROTECTION } from '#daemon/src/cli/protection.ts'
import { ended } from '#test/support/ended.ts'
import { canBeOther, NO_OTHER_USER, OTHER_UID, spawnAsOther } from '#test/support/other-user.ts'
import { SOON } from '#test/support/soon.ts'
import { cleanEnvironment, type Daemon, startDaemon, type Target } from './support/daemon.ts'
import { copyProgram, programMade } from './support/program.ts'

const AS_USER = ['setpriv', `--reuid=${OTHER_UID}`, `--regid=${OTHER_UID}`, '--clear-groups'] as const

/** A bridge that says READY, then nothing, and a dashboard that says nothing. Both are of the user, so the commands trust them. */
const SILENT_BRIDGE = String.raw`
const { createServer } = require('node:net')
const READY = JSON.stringify({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: {
  v: 1, config: { cdn_host: 'x', api_endpoint: '//x', environment: 'production' },
  user: { id: '5', username: 'ada', discriminator: '0', avatar: null, global_name: null },
  contract: '1.0', bridge: { name: 'sallyport', version: '0' } } })
const head = Buffer.alloc(8)
head.writeUInt32LE(1, 0)
head.writeUInt32LE(Buffer.byteLength(READY), 4)
const bridge = createServer((socket) => {
  socket.on('error', () => {}).once('data', () => socket.write(Buffer.concat([head, Buffer.from(READY)])))
})
const dashboard = createServer((socket) => socket.on('error', () => {}).resume())
bridge.listen(process.argv[1], () => dashboard.listen(0, '127.0.0.1', () => console.log(dashboard.address().port)))
`

const hasCompiler = spawnSync('gcc', ['--version']).status === 0

const RECORDING = [
  { recording: 1, application_id: '5', version: '0', contract: '1.0' },
  { at: 0, connection: 1, direction: 'in', opcode: 'HANDSHAKE', bytes: 0, message: { v: 1, client_id: '5' } },
  { at: 0, connection: 1, direction: 'in', opcode: 'FRAME', bytes: 0, message: { cmd: 'GET_GUILDS', args: {}, nonce: '1' } },
  { at: 0, connection: 1, direction: 'out', opcode: 'FRAME', bytes: 0, message: { cmd: 'GET_GUILDS', evt: null, nonce: '1', data: {} } },
]

const CALL = { id: 'c1-1', kept: 'whole', at: 0, connection: 1, cmd: 'GET_GUILD', result: 'error', request: { cmd: 'GET_GUILD', args: {} } }
const REPORT = `== calls: of a game\n${JSON.stringify({ ...CALL, error: { code: 4000, message: 'No.' } })}\n`

let base: string
let ours: Target
const running: ChildProcess[] = []

beforeAll(async () => {
  if (!canBeOther) return
  await programMade()
  // No other user can read the folder of the tests.
  base = mkdtempSync('/tmp/sp-kept-')
  chownSync(base, OTHER_UID, OTHER_UID)
  ours = { name: 'source', command: [...AS_USER, process.execPath, copyProgram(join(base, 'program'))] }
})
afterAll(() => (canBeOther ? rmSync(base, { recursive: true, maxRetries: 5 }) : undefined))
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL')
    await ended(child)
  }
})

/** A private folder of the user. */
const folder = (name: string): string => {
  const path = join(base, name)
  mkdirSync(path, { mode: 0o700 })
  chownSync(path, OTHER_UID, OTHER_UID)
  return path
}
const toUser = (path: string): void => void execFileSync('chown', ['-R', `${OTHER_UID}:${OTHER_UID}`, path])

/** A pipe that takes no more, so that a command with nothing else to wait for stays. */
function fullPipe(): number {
  const path = join(base, 'full')
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  rmSync(path)
  try {
    for (;;) writeSync(pipe, 'x')
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EAGAIN') throw failure
  }
  return pipe
}

/** Whether programs of the same user can read the memory of a process of that user. */
async function isReadable(child: ChildProcess): Promise<boolean> {
  const look = (): boolean => {
    if (readlinkSync(`/proc/${child.pid}/exe`) !== process.execPath) throw new Error('it has not started')
    return statSync(`/proc/${child.pid}/mem`).uid === OTHER_UID
  }
  // While a program is started, the system shows it as protected for a moment.
  await vi.waitFor(look, SOON)
  await pause(SETTLED_MS)
  return look()
}
const SETTLED_MS = 50

describe.skipIf(!canBeOther)(`a command that holds secrets (${canBeOther ? 'as an ordinary user' : NO_OTHER_USER})`, () => {
  let data: string
  let runtime: string
  let recording: string
  let report: string
  let server: ChildProcess

  beforeAll(async () => {
    ;[data, runtime] = [folder('data'), folder('run')]
    const socket = join(runtime, 'discord-ipc-0')
    server = spawnAsOther(SILENT_BRIDGE, socket)
    const port = await new Promise<string>((resolve) => server.stdout?.setEncoding('utf8').once('data', resolve))
    writeSocketAddress(data, socket)
    writeDashboardAddress(data, `http://127.0.0.1:${port.trim()}/#token=x`)
    recording = join(base, 'game.jsonl')
    writeFileSync(recording, RECORDING.map((line) => `${JSON.stringify(line)}\n`).join(''))
    report = join(base, 'report.txt')
    writeFileSync(report, REPORT)
    for (const path of [data, recording, report]) toUser(path)
  })
  afterAll(async () => {
    server.kill()
    await ended(server)
  })

  /** What else each command needs, to come to where it waits for a response, or for the reader of its output. */
  const WORDS: Readonly<Record<string, () => readonly string[]>> = {
    run: () => ['--runtime-dir', folder('run-of-run'), '--data-dir', folder('data-of-run')],
    sandbox: () => ['--sandbox-port', '0'],
    stop: () => [],
    status: () => [],
    metrics: () => [],
    doctor: () => [],
    inspect: () => [],
    trace: () => [],
    bugreport: () => [join(data, 'report.txt'), '--yes'],
    record: () => [join(data, 'new.jsonl'), '--application', '5'],
    replay: () => [recording, '--against', 'running', '--yes', '--non-interactive'],
    call: () => ['GET_GUILDS', '--non-interactive'],
    login: () => ['--non-interactive'],
    logout: () => [],
    link: () => [],
    grants: () => [],
    prompts: () => [],
    open: () => [],
    games: () => [],
    presence: () => [],
    callback: () => ['http://127.0.0.1/?code=x&state=y'],
    config: () => [],
    completion: () => ['ids', 'grants'],
  }
  const OTHERS: readonly (readonly string[])[] = [
    ['login', '--device', '--non-interactive'],
    ['login', '--bot'],
    ['logout', '--bot', '--application', '5'],
    ['replay', 'RECORDING'],
    ['replay', '--report', 'REPORT'],
  ]

  function start(words: readonly string[]): ChildProcess {
    const [program, ...before] = ours.command
    const pipe = fullPipe()
    const env = {
      ...cleanEnvironment(),
      HOME: data,
      TMPDIR: data,
      XDG_RUNTIME_DIR: runtime,
      SALLYPORT_DATA_DIR: data,
      SALLYPORT_RUNTIME_DIR: runtime,
      SALLYPORT_VAULT: 'file',
    }
    const line = [...before, ...words.map((word) => ({ RECORDING: recording, REPORT: report })[word] ?? word)]
    const child = spawn(program, line, { cwd: '/', env, stdio: ['pipe', pipe, 'pipe'] })
    closeSync(pipe)
    running.push(child)
    return child
  }

  const holding = Object.entries(PROTECTION).filter(([, { from }]) => from !== 'never')
  test('has its words here', () => {
    expect(Object.keys(WORDS)).toEqual(holding.map(([name]) => name))
  })

  test.each([...holding.map(([name]) => [name]), ...OTHERS].map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    const [name = '', ...more] = words
    const child = start([name, ...(more.length > 0 ? more : (WORDS[name]?.() ?? []))])
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await vi.waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${said}`)
      expect(await isReadable(child), said).toBe(false)
    }, SOON)
  })

  test('is seen here: the memory of another one can be read', async () => {
    const child = start(['version'])
    expect(await isReadable(child)).toBe(true)
  })
})

describe.skipIf(!canBeOther || !hasCompiler)(
  `the bridge of the same user (${canBeOther ? 'as an ordinary user, with gcc' : NO_OTHER_USER})`,
  () => {
    let daemon: Daemon

    test('keeps the grant of a command that is protected, for its starter alone', async () => {
      const at = { base, runtime: folder('run-of-grant'), data: folder('data-of-grant'), remove: async () => {} }
      const starters = ['one', 'other'].map((name) => join(base, name)) as [string, string]
      for (const path of starters) {
        execFileSync('gcc', ['-O1', '-o', path, join(import.meta.dirname, 'support', 'starter.c')])
      }
      const [program, ...before] = ours.command
      const asUser = AS_USER.length
      const run = async (starter: string, ...words: readonly string[]) => {
        const line = [...before.slice(0, asUser - 1), starter, ...before.slice(asUser - 1), ...words, '--runtime-dir', at.runtime]
        const child = spawn(program, line, { cwd: '/', env: { ...cleanEnvironment(), HOME: at.data }, stdio: ['ignore', 'pipe', 'pipe'] })
        let out = ''
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            out += text
          })
        return { code: await ended(child), out }
      }
      const call = (starter: string) => run(starter, 'call', 'GET_CURRENT_USER', '--json', '--non-interactive')

      daemon = await startDaemon(ours, at)
      try {
        expect(await run(starters[0], 'login', '--device', '--non-interactive')).toMatchObject({ code: 0 })
        await daemon.stop()
        daemon = await startDaemon(ours, at, ['--consent', 'deny'])
        expect(await call(starters[0])).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })
        const command = JSON.stringify({ command: '/usr/bin/true' })
        const named = await run(starters[0], 'call', 'REGISTER_LAUNCH_COMMAND', command, '--json', '--non-interactive')
        expect(named, 'it may name files of the user').toEqual({ code: 0, out: 'null\n' })
        expect(await call(starters[1])).toMatchObject({ code: 4, out: expect.stringContaining('does not allow') })
      } finally {
        await daemon.stop()
      }
    })
  },
)
