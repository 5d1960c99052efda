/** What the process keeps out: debuggers, planted modules and libraries, other programs of the user. And what it keeps from its children: secrets. */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { once } from 'node:events'
import { isBuiltin } from 'node:module'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import {
  cleanEnvironment,
  type Daemon,
  type Folders,
  folders,
  sallyport,
  startDaemon,
  startDaemonForPages,
  type Target,
  SMOKE_TARGETS,
  websocketOf,
} from './support/daemon.ts'
import { elsewhere } from './support/elsewhere.ts'
import { Page } from './support/page.ts'
import { copyProgram, PROGRAM_FILES, programMade } from './support/program.ts'
import { Person } from './support/person.ts'
import { placeVault } from './support/place-vault.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '998877665544332211'
const IS_LINUX = process.platform === 'linux'
const hasCompiler = spawnSync('gcc', ['--version']).status === 0
const isRoot = process.getuid?.() === 0
/** Any ordinary user: nothing of the machine needs to know them. */
const USER = 5
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] as const

let at: Folders
const open: { stop(): Promise<unknown> }[] = []
beforeEach(async () => {
  at = await folders()
})
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.stop()
  await at.remove()
})

const started = async (target: Target, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Daemon> => {
  const daemon = await startDaemon(target, at, flags, env)
  open.push(daemon)
  return daemon
}

/** A copy of the program in a tree of its own, where nothing else is. */
async function programAlone(): Promise<string> {
  await programMade()
  return copyProgram(join(at.base, 'clone', 'daemon', 'dist'))
}

/** As started from a clone: by the launcher. */
async function launcher(): Promise<Target> {
  const bin = join(dirname(await programAlone()), '..', 'bin')
  mkdirSync(bin)
  for (const name of ['sallyport.mjs', 'right-node.mjs', 'node-flags.mjs'])
    copyFileSync(resolve(import.meta.dirname, '../../daemon/bin', name), join(bin, name))
  return { name: 'source', command: [process.execPath, join(bin, 'sallyport.mjs')] }
}

/** All ways to start it; those of a clone are two. */
const WAYS: readonly { readonly name: string; readonly target: () => Promise<Target> }[] = [
  { name: 'launcher', target: launcher },
  ...SMOKE_TARGETS.map((target) => ({ name: target.name, target: async () => target })),
]

/** Ports of the loopback on which a process listens. */
function listensOn(pid: number): readonly number[] {
  const sockets = new Set<string>()
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      sockets.add(readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      // Closed meanwhile.
    }
  }
  const LISTENS = '0A'
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENS && sockets.has(`socket:[${inode}]`))
    .map(([, local = '']) => Number.parseInt(local.slice(local.indexOf(':') + 1), 16))
}

const ROUND_TRIPS = 200

describe.skipIf(!IS_LINUX).each(WAYS)('a signal that starts a debugger: $name', ({ target }) => {
  test('starts none, and the bridge goes on', async () => {
    const daemon = await started(await target())
    const before = listensOn(daemon.ready.pid)
    expect(before.length).toBeGreaterThan(0)
    process.kill(daemon.ready.pid, 'SIGUSR1')
    const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
    for (let asked = 0; asked < ROUND_TRIPS; asked += 1) {
      expect(await game.call('SET_ACTIVITY', { pid: 1, activity: { state: 'still here' } })).toMatchObject({
        data: { state: 'still here' },
      })
    }
    expect(new Set(listensOn(daemon.ready.pid))).toEqual(new Set(before))
    game.hangUp()
    expect(await daemon.stop()).toBe(0)
    expect(daemon.output()).not.toMatch(/debugger/i)
  })
})

describe('modules that were planted', () => {
  const NAMES = ['bufferutil', 'utf-8-validate', 'msgpackr-extract', '@napi-rs/keyring']

  const plant = (modules: string, mark: string) => {
    for (const name of NAMES) {
      mkdirSync(join(modules, name), { recursive: true, mode: 0o700 })
      writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
      writeFileSync(
        join(modules, name, 'index.js'),
        `require('node:fs').appendFileSync(${JSON.stringify(mark)}, __filename + '\\n'); module.exports = {}`,
      )
    }
  }

  test('run neither from a folder above the program, nor from the home, nor from NODE_PATH', async () => {
    const program = await programAlone()
    const mark = join(at.base, 'ran')
    plant(join(at.base, 'node_modules'), mark)
    plant(join(at.data, '.node_modules'), mark)
    plant(join(at.base, 'path'), mark)
    const env = { NODE_PATH: join(at.base, 'path') }
    // What is planted does run where it is asked for: otherwise the test would prove nothing.
    const control = join(dirname(program), 'control.cjs')
    writeFileSync(control, `require('bufferutil')`)
    spawnSync(process.execPath, [control])
    expect(readFileSync(mark, 'utf8')).toContain('bufferutil')
    writeFileSync(mark, '')

    const target: Target = { name: 'source', command: [process.execPath, program] }
    placeVault(at)
    const daemon = await startDaemonForPages(target, at, ['--vault', 'auto'], env)
    open.push(daemon)
    const page = new Page(`${websocketOf(daemon)}/?v=1&client_id=${APPLICATION}&encoding=json`, { origin: 'http://localhost:3000' })
    await once(page.socket, 'open')
    await page.next()
    page.socket.terminate()
    const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
    await game.call('GET_BOT_TOKENS')
    game.hangUp()
    expect(readFileSync(mark, 'utf8')).toBe('')
  })

  test('are asked for by nothing in the program', async () => {
    await programMade()
    const text = PROGRAM_FILES.map((file) => readFileSync(file, 'utf8')).join('')
    const asked = text.matchAll(/\b(?:require|__require\d*|import)\(["']([^"']+)["']\)/g)
    const files = new Set(PROGRAM_FILES.map((file) => `./${basename(file)}`))
    expect([...new Set([...asked].map(([, name = '']) => name))].filter((name) => !isBuiltin(name) && !files.has(name))).toEqual([])
  })
})

describe.skipIf(!IS_LINUX || !hasCompiler)('a library that OPENSSL_CONF names (needs gcc, which makes it)', () => {
  const SOURCE = `#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) { open(getenv("PLANTED_MARK"), O_CREAT | O_WRONLY, 0600); }
static const void *nothing[2] = {0, 0};
int OSSL_provider_init(const void *handle, const void *in, const void **out, void **context) { *out = nothing; return 1; }
`
  const planted = () => {
    const [source, library, config, mark] = ['planted.c', 'planted.so', 'planted.cnf', 'ran'].map((name) => join(at.base, name)) as [
      string,
      string,
      string,
      string,
    ]
    writeFileSync(source, SOURCE)
    expect(spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source]).status).toBe(0)
    const lines = `nodejs_conf = all
openssl_conf = all
[all]
providers = those
[those]
default = usual
planted = planted
[usual]
activate = 1
[planted]
module = ${library}
activate = 1
`
    writeFileSync(config, lines)
    return { mark, library, env: { OPENSSL_CONF: config, OPENSSL_MODULES: at.base, PLANTED_MARK: mark } }
  }

  test('is loaded by plain Node', () => {
    const { mark, env } = planted()
    spawnSync(process.execPath, ['-e', `require('node:crypto').createHash('sha256')`], { env: { ...cleanEnvironment(), ...env } })
    expect(existsSync(mark)).toBe(true)
  })

  test.each(SMOKE_TARGETS.filter(({ name }) => name === 'packaged'))('is not loaded by the packaged file', async (target) => {
    const { mark, env } = planted()
    await started(target, [], env)
    expect(existsSync(mark)).toBe(false)
  })

  // The launcher itself is plain Node, which reads the variable before a line of ours runs; what it becomes does not.
  test.skipIf(!isRoot)('is not in the process that the launcher becomes (needs root, to look into it)', async () => {
    const { library, env } = planted()
    const daemon = await started(await launcher(), [], env)
    expect(readFileSync(`/proc/${daemon.ready.pid}/maps`, 'utf8')).not.toContain(library)
  })
})

describe.skipIf(!IS_LINUX || !isRoot).each(SMOKE_TARGETS)(
  'another program of the same user (needs root, to be two others): $name',
  (target) => {
    const asUser = (...words: string[]) => spawnSync(AS_USER[0], [...AS_USER.slice(1), ...words], { encoding: 'utf8' })

    test('reads nothing of the process, and leaves no core of it', async () => {
      await programMade()
      const program = target.name === 'packaged' ? join(at.base, 'program') : copyProgram(join(at.base, 'clone'))
      if (target.name === 'packaged') copyFileSync(target.command[0], program, constants.COPYFILE_FICLONE)
      // Other users cannot enter the folder of the run.
      chmodSync(dirname(at.base), 0o711)
      for (const folder of [at.base, at.runtime, at.data]) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        chownSync(folder, USER, USER)
      }
      chmodSync(program, 0o755)
      const own = target.name === 'packaged' ? [program] : [process.execPath, program]
      const daemon = await started({ ...target, command: [...AS_USER, ...own] }, [], { SALLYPORT_BOT_TOKEN: 'sandbox-bot-1' })
      const { pid } = daemon.ready
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${USER}\\s`, 'm'))

      const other = spawn(AS_USER[0], [...AS_USER.slice(1), 'sleep', '600'])
      await vi.waitFor(() => expect(asUser('readlink', `/proc/${other.pid}/exe`).stdout).toContain('sleep'), SOON)
      expect(asUser('cat', `/proc/${other.pid}/environ`).status, 'what is closed here is open elsewhere').toBe(0)
      other.kill('SIGKILL')
      await ended(other)

      for (const part of ['environ', 'maps', 'auxv', 'mem'])
        expect(asUser('head', '-c1', `/proc/${pid}/${part}`)).toMatchObject({ stdout: '', status: 1 })
      expect(asUser('readlink', `/proc/${pid}/exe`).stdout).toBe('')
      expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max core file size +0 /m)
    })
  },
)

describe.each(SMOKE_TARGETS)('the environment of a started browser: $name', (target) => {
  test.skipIf(!IS_LINUX)('contains no secret', async () => {
    const [bin, printed] = [join(at.base, 'bin'), join(at.base, 'environment')]
    mkdirSync(bin)
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nenv > ${printed}.part\nmv ${printed}.part ${printed}\n`, { mode: 0o755 })
    const password = 'PROXY-PASSWORD'
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      SALLYPORT_BOT_TOKEN: 'THE-BOT-TOKEN',
      SALLYPORT_PROXY: `http://me:${password}@127.0.0.1:9`,
      HTTPS_PROXY: `http://me:${password}@127.0.0.1:9`,
      SOME_SECRET: 'SOME-SECRET',
      DISPLAY: ':77',
    }
    const daemon = await started(target, ['--consent', 'prompt'], env)
    const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
    void game.call('AUTHORIZE', { client_id: APPLICATION, scopes: ['identify'] }).catch(() => {})
    await new Person(daemon).nextAddress()
    const text = await vi.waitFor(() => readFileSync(printed, 'utf8'), SOON)
    expect(text).toContain('DISPLAY=:77')
    expect(text).not.toMatch(/THE-BOT-TOKEN|PROXY-PASSWORD|SOME-SECRET|SALLYPORT_/)
    game.hangUp()
  })
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasOpenssl).each(SMOKE_TARGETS)('unchecked certificates (needs the program openssl): $name', (target) => {
  test('the bridge does not start on a platform over https, prints the remedy, and sends the server no request', async () => {
    const [key, cert] = [join(at.base, 'key.pem'), join(at.base, 'cert.pem')]
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert]
    expect(spawnSync('openssl', [...words, '-days', '3650', '-subj', '/CN=localhost']).status).toBe(0)
    let connections = 0
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end('{}'))
    server.on('connection', () => (connections += 1))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`
    const profile = join(at.base, 'elsewhere.json')
    writeFileSync(profile, JSON.stringify(elsewhere(origin)))
    const run = ['run', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data, '--vault', 'file']
    const { code, err } = await sallyport(target, run, { NODE_TLS_REJECT_UNAUTHORIZED: '0', SALLYPORT_BOT_TOKEN: 'THE-BOT-TOKEN' })
    expect(code).toBe(2)
    expect(err).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED.*--ca-file/)
    expect(connections).toBe(0)
    server.close()
  })
})

describe.each(SMOKE_TARGETS)('the helper that asks the keychain: $name', (target) => {
  const [program, ...before] = target.command
  const request = { op: 'read', account: '00' }

  test('gives no answer when started by hand, with any stdin', async () => {
    await programMade()
    const { status, stdout, stderr } = spawnSync(program, [...before, 'keychain-answer'], {
      env: cleanEnvironment(),
      input: JSON.stringify(request),
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^sallyport keychain-answer: Only the bridge starts this process/m)
  })

  test.skipIf(!IS_LINUX)('answers no other program that starts it with a channel', async () => {
    await programMade()
    // Of a clone the program is Node, so the other one is a copy of it.
    const other = join(at.base, 'other')
    copyFileSync(process.execPath, other, constants.COPYFILE_FICLONE)
    chmodSync(other, 0o755)
    const ask = `const child = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      child.on('message', (answer) => console.log(JSON.stringify(answer)))
      child.send(${JSON.stringify(request)}, () => {})
      child.on('close', (code) => console.log('code', code))`
    const { stdout, stderr } = spawnSync(other, ['-e', ask, program, ...before, 'keychain-answer'], {
      env: cleanEnvironment(),
      encoding: 'utf8',
    })
    expect(stdout).toBe('code 2\n')
    expect(stderr).toMatch(/this channel comes from another program/)
  })

  test('answers the bridge, from a library that lies nowhere for others to change', async () => {
    placeVault(at)
    const daemon = await started(target, ['--vault', 'keychain'], { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(at.base, 'no-bus')}` })
    const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
    const { data } = (await game.call('GET_BOT_TOKENS')) as unknown as { data: { message: string } }
    // The library itself says that: it was loaded, and asked.
    expect(data.message).toMatch(/no session bus|keychain/)
    expect(data.message).not.toMatch(/this build/)
    expect(readdirSync(join(at.data, 'vault'))).toEqual(['tokens.sealed'])
    game.hangUp()
  })
})
