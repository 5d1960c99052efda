/** `sallyport doctor`: each check is ok or says what to do, and only leftovers of this user are removed. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  checkDataFolder,
  checkKeychain,
  checkPlatform,
  checkPorts,
  checkSocketFolder,
  checkSockets,
} from '../../../../daemon/src/cli/doctor-checks.ts'
import { KeyStoreUnavailable } from '../../../../daemon/src/auth/vault/key-store.ts'
import { runCli } from '../../../../daemon/src/cli/cli.ts'
import { doctor } from '../../../../daemon/src/cli/doctor.ts'
import { EXIT } from '../../../../daemon/src/cli/exit-codes.ts'
import type { Settings } from '../../../../daemon/src/config/load.ts'
import { NO_PROXIES } from '../../../../daemon/src/config/proxies.ts'
import { loadPlatform } from '../../../../daemon/src/config/platforms.ts'
import { tableOf } from './table-of.ts'
import { fakeIo } from './fake-io.ts'

let folder: string
const open: Server[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sp-doc-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
  rmSync(folder, { recursive: true, force: true })
})

const settings = (more: Partial<Settings> = {}): Settings =>
  ({
    runtimeDir: folder,
    dataDir: join(folder, 'data'),
    vault: 'auto',
    proxies: NO_PROXIES,
    dashboardPort: 0,
    sandboxPort: 0,
    webhookPort: 'off',
    ...more,
  }) as Settings
const listen = (at: string | number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    open.push(server)
    if (typeof at === 'string') server.listen(at, () => resolve(server))
    else server.listen(at, '127.0.0.1', () => resolve(server))
  })
const portOf = (server: Server): number => (server.address() as { port: number }).port
/** A socket file of a process that was killed. */
function leftBehind(path: string): void {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', script])
  expect(existsSync(path)).toBe(true)
}

describe('the sockets', () => {
  it('that a killed bridge left behind are removed; those of a live server stay', async () => {
    const live = join(folder, 'discord-ipc-0')
    const [dead, deader] = [join(folder, 'discord-ipc-1'), join(folder, 'discord-ipc-9')]
    await listen(live)
    leftBehind(dead)
    leftBehind(deader)
    const { finding, survey } = await checkSockets(settings())
    expect(survey).toEqual({ taken: [live], removed: [dead, deader], foreign: [] })
    expect(finding).toEqual({
      check: 'sockets',
      ok: true,
      says: `A server listens at ${live}. Removed what an ended bridge left behind: ${dead}, ${deader}.`,
    })
    expect([live, dead, deader].map((path) => existsSync(path))).toEqual([true, false, false])
  })

  it('are not touched if they are files of another kind', async () => {
    const path = join(folder, 'discord-ipc-0')
    writeFileSync(path, 'mine')
    expect((await checkSockets(settings())).finding).toMatchObject({
      ok: false,
      says: expect.stringContaining(`${path}, which is not a socket`),
    })
    expect(existsSync(path)).toBe(true)
  })

  it('need a running bridge, and the check says how to start one', async () => {
    expect((await checkSockets(settings())).finding).toMatchObject({ ok: true, says: expect.stringContaining('sallyport run') })
  })
})

describe('the folders', () => {
  it('are ok, or the check says what to run', () => {
    expect(checkSocketFolder(settings())).toMatchObject({ ok: true })
    expect(checkDataFolder(settings())).toMatchObject({ ok: true, says: expect.stringContaining('does not exist yet') })
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    expect(checkDataFolder(settings())).toMatchObject({ ok: true, says: expect.stringContaining('Only you') })
    chmodSync(join(folder, 'data'), 0o755)
    expect(checkDataFolder(settings())).toMatchObject({ ok: false, says: expect.stringContaining('chmod 700') })
    chmodSync(folder, 0o777)
    expect(checkSocketFolder(settings())).toMatchObject({ ok: false, says: expect.stringContaining('chmod go-w') })
  })
})

describe('the keychain', () => {
  const locked = { read: () => Promise.reject(new KeyStoreUnavailable('locked')) }
  it.each([
    ['auto', true, 'kept in a file'],
    ['keychain', false, '--vault file'],
  ] as const)('that is locked, with --vault %s', async (vault, ok, says) => {
    const finding = await checkKeychain(settings({ vault }), locked)
    expect(finding).toMatchObject({ ok, says: expect.stringContaining(says) })
    expect(finding.says).toContain('is locked')
    expect(finding.says).toContain('Unlock it')
  })
  it('is not opened where the settings use a file, and is ok if it answers', async () => {
    expect(await checkKeychain(settings({ vault: 'file' }), locked)).toMatchObject({ ok: true })
    expect(await checkKeychain(settings(), { read: async () => undefined })).toMatchObject({
      ok: true,
      says: "The system's keychain can be used.",
    })
  })
})

describe('the platform', () => {
  it('is the sandbox, or answers, or the check names the remedies', async () => {
    expect(await checkPlatform(settings())).toMatchObject({ ok: true, says: expect.stringContaining('sandbox') })
    const server = createHttpServer((_, reply) => void reply.writeHead(404).end())
    open.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { profile: known } = loadPlatform('discord')
    if (known === undefined) throw new Error('no profile')
    const profile = { ...known, baseUrl: `http://127.0.0.1:${portOf(server)}/api/v10` }
    expect(await checkPlatform(settings({ profile }))).toMatchObject({ ok: true, says: expect.stringContaining('HTTP status 404') })
    const gone = { ...profile, baseUrl: 'http://127.0.0.1:1/api/v10' }
    expect(await checkPlatform(settings({ profile: gone }))).toMatchObject({
      ok: false,
      says: expect.stringMatching(/unreachable\)\. Check the network, --proxy and --ca-file/),
    })
  })
})

describe('the ports', () => {
  it('are free, or in use by the running bridge, or by another program', async () => {
    expect(await checkPorts(settings(), { taken: [] })).toMatchObject({ ok: true })
    const dashboardPort = portOf(await listen(0))
    expect(await checkPorts(settings({ dashboardPort }), { taken: ['/run/x/discord-ipc-0'] })).toMatchObject({ ok: true })
    expect(await checkPorts(settings({ dashboardPort }), { taken: [] })).toMatchObject({
      ok: false,
      says: `Another program uses ${dashboardPort} (--dashboard-port). Stop it, or choose another port.`,
    })
  })
})

it('exits with 1 if a check fails, and prints a line, or an object with --json, for each', async () => {
  const words = ['doctor', '--runtime-dir', folder, '--data-dir', join(folder, 'data'), '--vault', 'file', '--dashboard-port', 'off']
  const run = async (...more: string[]) => {
    const io = fakeIo()
    return { code: await runCli([...words, ...more], io, tableOf(doctor)), printed: io.printed }
  }
  const fine = await run()
  expect(fine.code, fine.printed.join('\n')).toBe(EXIT.ok)
  expect(fine.printed.map((line) => line.split(':')[0])).toEqual(
    ['socket folder', 'sockets', 'data folder', 'keychain', 'platform', 'ports'].map((name) => `ok    ${name}`),
  )
  chmodSync(folder, 0o777)
  const bad = await run('--json')
  expect(bad.code).toBe(EXIT.failed)
  expect(JSON.parse(bad.printed.join('')).slice(0, 2)).toMatchObject([
    { check: 'socket folder', ok: false },
    { check: 'sockets', ok: false },
  ])
})
