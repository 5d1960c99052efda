/** `sallyport doctor`: each check is ok or says what to do, and only leftovers of this user are removed. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { checkDataFolder, checkPorts, checkSocketFolder, checkSockets } from '#daemon/src/cli/doctor-checks.ts'
import { checkKeychain } from '#daemon/src/cli/doctor-keychain.ts'
import { checkClock, checkPlatform } from '#daemon/src/cli/doctor-network.ts'
import { checkWarnings, readState } from '#daemon/src/cli/doctor-bridge.ts'
import { type Finding, WHY } from '#daemon/src/cli/doctor-finding.ts'
import { checkContract, checkFirstSlot, checkInstances, identifyServer } from '#daemon/src/cli/doctor-servers.ts'
import { checkClients, checkPrivateFiles, checkService, checkSocketPath, checkTray, checkWine } from '#daemon/src/cli/doctor-session.ts'
import { winePrefixes } from '#daemon/src/cli/wine-prefix.ts'
import { bridgeOf } from '#daemon/src/install/wine.ts'
import type { Machine } from '#daemon/src/config/paths.ts'
import { autostartEntry, serviceUnit } from '#daemon/src/install/linux-files.ts'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import { markBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { EMPTY_STATE, SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { frame, OP } from '#test/support/frames.ts'
import { KeyStoreUnavailable } from '#daemon/src/auth/vault/key-store.ts'
import { runCli } from '#daemon/src/cli/cli.ts'
import { doctor } from '#daemon/src/cli/doctor.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import type { Settings } from '#daemon/src/config/load.ts'
import { NO_PROXIES } from '#daemon/src/config/proxies.ts'
import { loadPlatform } from '#daemon/src/config/platforms.ts'
import { fakeBridge } from './fake-bridge.ts'
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
    containerFolders: ['snap.a', 'snap.b'],
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
      state: 'ok',
      says: `A server listens at ${live}. Removed what an ended bridge left behind: ${dead}, ${deader}.`,
    })
    expect([live, dead, deader].map((path) => existsSync(path))).toEqual([true, false, false])
  })

  it('are not touched if they are files of another kind', async () => {
    const path = join(folder, 'discord-ipc-0')
    writeFileSync(path, 'mine')
    expect((await checkSockets(settings())).finding).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining(`${path}, which is not a socket`),
    })
    expect(existsSync(path)).toBe(true)
  })

  it('need a running bridge, and the check says how to start one', async () => {
    expect((await checkSockets(settings())).finding).toMatchObject({ state: 'ok', says: expect.stringContaining('sallyport run') })
  })
})

describe('the folders', () => {
  it('are ok, or the check says what to run', () => {
    expect(checkSocketFolder(settings())).toMatchObject({ state: 'ok' })
    expect(checkDataFolder(settings())).toMatchObject({ state: 'ok', says: expect.stringContaining('does not exist yet') })
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    expect(checkDataFolder(settings())).toMatchObject({ state: 'ok', says: expect.stringContaining('Only you') })
    chmodSync(join(folder, 'data'), 0o755)
    expect(checkDataFolder(settings())).toMatchObject({ state: 'wrong', says: expect.stringContaining('chmod 700') })
    chmodSync(folder, 0o777)
    expect(checkSocketFolder(settings())).toMatchObject({ state: 'wrong', says: expect.stringContaining('chmod go-w') })
  })
})

describe('the keychain', () => {
  const locked = { read: () => Promise.reject(new KeyStoreUnavailable('locked')) }
  it.each([
    ['auto', 'wrong', 'kept in a file'],
    ['keychain', 'wrong', '--vault file'],
  ] as const)('that is locked, with --vault %s', async (vault, state, says) => {
    const finding = await checkKeychain(settings({ vault }), locked, NO_BUS)
    expect(finding).toMatchObject({ state, says: expect.stringContaining(says) })
    expect(finding.says).toContain('is locked')
    expect(finding.says).toContain('Unlock it')
  })
  it('is not opened where the settings use a file, and is ok if it answers', async () => {
    expect(await checkKeychain(settings({ vault: 'file' }), locked, NO_BUS)).toMatchObject({ state: 'ok' })
    expect(await checkKeychain(settings(), { read: async () => undefined }, NO_BUS)).toMatchObject({
      state: 'ok',
      says: "The system's keychain can be used.",
    })
  })
})

describe('the platform', () => {
  it('is the sandbox, or answers, or the check names the remedies', async () => {
    expect((await checkPlatform(settings())).finding).toMatchObject({ state: 'ok', says: expect.stringContaining('sandbox') })
    const server = createHttpServer((_, reply) => void reply.writeHead(404).end())
    open.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { profile: known } = loadPlatform('discord')
    if (known === undefined) throw new Error('no profile')
    const profile = { ...known, baseUrl: `http://127.0.0.1:${portOf(server)}/api/v10` }
    expect((await checkPlatform(settings({ profile }))).finding).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('HTTP status 404'),
    })
    const gone = { ...profile, baseUrl: 'http://127.0.0.1:1/api/v10' }
    expect((await checkPlatform(settings({ profile: gone }))).finding).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/127\.0\.0\.1 refuses connections \(ECONNREFUSED\)\. Check the network/),
    })
  })
})

describe('the ports', () => {
  it('are free, or in use by the running bridge, or by another program', async () => {
    expect(await checkPorts(settings(), { taken: [] })).toMatchObject({ state: 'ok' })
    const dashboardPort = portOf(await listen(0))
    expect(await checkPorts(settings({ dashboardPort }), { taken: ['/run/x/discord-ipc-0'] })).toMatchObject({ state: 'ok' })
    expect(await checkPorts(settings({ dashboardPort }), { taken: [] })).toMatchObject({
      state: 'wrong',
      says: `Another program uses ${dashboardPort} (--dashboard-port). Stop it, or choose another port.`,
    })
  })
})

const NO_BUS = async () => undefined
const MACHINE = (): Machine => ({
  platform: 'linux',
  env: { XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: join(folder, 'config') },
  home: folder,
})

/** Answers the handshake as a server of another program or version. */
function serve(path: string, ready: object): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(frame(OP.FRAME, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1, ...ready } })))
    })
    open.push(server)
    server.listen(path, () => resolve(server))
  })
}
const BRIDGE = { contract: CONTRACT_VERSION, bridge: { name: 'sallyport', version: VERSION } }
const serversAt = (...slots: number[]) =>
  Promise.all(slots.map((slot) => identifyServer(join(folder, `discord-ipc-${slot}`), { application: '1' })))

function writeIn(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
}
const unit = () => join(folder, 'config/systemd/user/sallyport.service')
const autostart = () => join(folder, 'config/autostart/sallyport.desktop')

/** Each plants one fault and runs its check. */
const FAULTS: Readonly<Record<string, { readonly plant: () => Finding | Promise<Finding>; readonly says: RegExp }>> = {
  'a path that is too long for a socket': {
    plant: () => checkSocketPath(settings({ runtimeDir: `/${'x'.repeat(120)}` }), MACHINE()),
    says: /has \d+ bytes.*Choose a shorter --runtime-dir/,
  },
  'a socket folder that others can write': {
    plant: () => (chmodSync(folder, 0o777), checkSocketFolder(settings())),
    says: /chmod go-w/,
  },
  'a data folder that others can read': {
    plant: () => (mkdirSync(join(folder, 'data')), chmodSync(join(folder, 'data'), 0o755), checkDataFolder(settings())),
    says: /chmod 700/,
  },
  'a file of the vault that others can read': {
    plant() {
      writeIn(join(folder, 'data/vault/tokens.sealed'), 'x')
      chmodSync(join(folder, 'data/vault/tokens.sealed'), 0o644)
      return checkPrivateFiles(settings())
    },
    says: /chmod 600 '.*tokens\.sealed'/,
  },
  'a foreign file in a slot': {
    plant: async () => (writeFileSync(join(folder, 'discord-ipc-0'), ''), (await checkSockets(settings())).finding),
    says: /not a socket of yours; move it away/,
  },
  'another program in the first slot': {
    plant: async () => (await serve(join(folder, 'discord-ipc-0'), {}), checkFirstSlot(await serversAt(0))),
    says: /does not answer as Sallyport; .*Start the bridge, which then has the next slot/,
  },
  'a bridge in a later slot while the first is free': {
    plant: async () => (await serve(join(folder, 'discord-ipc-3'), BRIDGE), checkFirstSlot(await serversAt(3))),
    says: /the first slot is free\. Restart the bridge/,
  },
  'a second instance': {
    async plant() {
      await serve(join(folder, 'discord-ipc-0'), BRIDGE)
      await serve(join(folder, 'discord-ipc-1'), BRIDGE)
      return checkInstances(await serversAt(0, 1))
    },
    says: /2 bridges are running \(discord-ipc-0, discord-ipc-1\)\. Stop all but one/,
  },
  'a bridge of another contract': {
    async plant() {
      await serve(join(folder, 'discord-ipc-0'), { contract: '0.9', bridge: { name: 'sallyport', version: '0.0.1' } })
      return checkContract(await serversAt(0))
    },
    says: /version 0\.0\.1 with contract 0\.9.*Stop that bridge and start it again/,
  },
  'what the running bridge warns of': {
    async plant() {
      const bridge = await fakeBridge(folder, { OPERATE_BRIDGE: { data: {} }, WATCH_BRIDGE: { data: SAMPLE_STATE } })
      markBridgeLoaded(join(folder, 'data'))
      try {
        return checkWarnings(await readState(settings({ application: '42' })))
      } finally {
        await bridge.close()
      }
    },
    says: /The platform refused the token\. Store a valid bot token with: sallyport login --bot\. Application 42 created/,
  },
  'games that search in another folder': {
    plant: () => checkClients(settings({ runtimeDir: '/elsewhere' }), MACHINE()),
    says: /search at .*discord-ipc-0, but the bridge listens at \/elsewhere.*XDG_RUNTIME_DIR=\/elsewhere/,
  },
  'a locked keychain that the settings require': {
    plant: () => checkKeychain(settings({ vault: 'keychain' }), { read: () => Promise.reject(new KeyStoreUnavailable('locked')) }, NO_BUS),
    says: /locked.*--vault file/,
  },
  'a platform that does not answer': {
    async plant() {
      const { profile } = loadPlatform('discord')
      if (profile === undefined) throw new Error('no profile')
      return (await checkPlatform(settings({ profile: { ...profile, baseUrl: 'http://127.0.0.1:1/api/v10' } }))).finding
    },
    says: /does not answer.*refuses connections.*Check the network/,
  },
  'a clock that is an hour ahead': {
    async plant() {
      const server = createHttpServer(
        (_, reply) => void reply.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
      )
      open.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { profile } = loadPlatform('discord')
      if (profile === undefined) throw new Error('no profile')
      const { time } = await checkPlatform(settings({ profile: { ...profile, baseUrl: `http://127.0.0.1:${portOf(server)}/api/v10` } }))
      return checkClock({ platform: time, isSandbox: false, jump: undefined }, Date.now())
    },
    says: /60 minutes ahead of the platform's\..*timedatectl set-ntp true/,
  },
  'a port of the settings in use': {
    plant: async () => checkPorts(settings({ dashboardPort: portOf(await listen(0)) }), { taken: [] }),
    says: /Another program uses \d+ \(--dashboard-port\)/,
  },
  'a unit of a program that was moved': {
    plant: () => (writeIn(unit(), '[Service]\nExecStart="/gone/sallyport" "run"\n'), checkService(MACHINE())),
    says: /sallyport\.service starts a program that does not exist\. Run sallyport install/,
  },
  'two ways that start the bridge': {
    plant: () => (writeIn(unit(), ''), writeIn(autostart(), ''), checkService(MACHINE())),
    says: /Both .*service and .*desktop start the bridge\. Run: sallyport install/,
  },
}

test.each(Object.entries(FAULTS))('finds and explains %s', async (_, { plant, says }) => {
  const finding = await plant()
  expect(finding).toMatchObject({ state: 'wrong', says: expect.stringMatching(says), why: WHY[finding.check] })
})

describe('what is in order is ok', () => {
  it('of servers and clients', async () => {
    expect(checkFirstSlot([])).toMatchObject({ state: 'ok' })
    await serve(join(folder, 'discord-ipc-0'), BRIDGE)
    const servers = await serversAt(0)
    for (const check of [checkFirstSlot, checkInstances, checkContract]) expect(check(servers)).toMatchObject({ state: 'ok' })
    const beside = [
      { path: join(folder, 'discord-ipc-0'), bridge: undefined },
      { ...servers[0], path: join(folder, 'discord-ipc-1') },
    ]
    expect(checkFirstSlot(beside as typeof servers)).toMatchObject({
      state: 'ok',
      says: expect.stringContaining('takes the first slot when'),
    })
    expect(checkClients(settings(), MACHINE())).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/Flatpak and Snap do, .*: snap\.a, snap\.b\. Windows games in Wine/),
    })
    expect(checkClients({ ...settings(), containerFolders: 'off' }, MACHINE()).says).toContain('--container-folders is off')
    expect(checkSocketPath(settings(), MACHINE())).toMatchObject({ state: 'ok' })
  })
  it('of a bridge that warns of nothing, or that no game has loaded yet', async () => {
    expect(checkWarnings(EMPTY_STATE)).toMatchObject({ state: 'ok' })
    const bridge = await fakeBridge(folder, { WATCH_BRIDGE: { data: SAMPLE_STATE } })
    expect(checkWarnings(await readState(settings({ application: '42' })))).toMatchObject({ state: 'ok' })
    expect(bridge.asked).toEqual([])
    await bridge.close()
  })
  it('of files, clock and service', () => {
    expect(checkPrivateFiles(settings())).toMatchObject({ state: 'ok' })
    writeIn(join(folder, 'data/grants.sqlite'), '')
    expect(checkPrivateFiles(settings())).toMatchObject({ state: 'ok', says: expect.stringContaining('the 1 files') })
    expect(checkClock({ platform: Date.now() - 90_000, isSandbox: false, jump: 0 }, Date.now())).toMatchObject({ state: 'ok' })
    expect(checkClock({ platform: undefined, isSandbox: true, jump: undefined }, Date.now())).toMatchObject({ state: 'ok' })
    expect(checkClock({ platform: undefined, isSandbox: false, jump: undefined }, Date.now())).toMatchObject({ state: 'not checked' })
    for (const [jump, side] of [
      [7_200_000, 'forward'],
      [-7_200_000, 'back'],
    ] as const)
      expect(checkClock({ platform: undefined, isSandbox: true, jump }, Date.now())).toMatchObject({
        state: 'wrong',
        says: expect.stringContaining(`set ${side} by 120 minutes`),
      })
    expect(checkService(MACHINE())).toMatchObject({ state: 'ok', says: expect.stringContaining('sallyport install') })
    writeIn(unit(), serviceUnit([process.execPath, 'a "b"'], []))
    expect(checkService(MACHINE())).toMatchObject({ state: 'ok', says: `${unit()} starts the bridge.` })
    rmSync(unit())
    writeIn(autostart(), autostartEntry([process.execPath], []))
    expect(checkService(MACHINE())).toMatchObject({ state: 'ok', says: `${autostart()} starts the bridge.` })
  })
  it('of the tray, which a machine may lack, and of Wine, whose prefixes are listed', async () => {
    const machine = MACHINE()
    const withBus = { ...machine, env: { ...machine.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' } }
    const says = async (hasName: boolean | undefined) => (await checkTray(withBus, async () => hasName)).says
    expect((await checkTray(machine)).says).toContain('no session bus')
    expect(await says(true)).toContain('shows tray icons')
    expect(await says(false)).toContain('AppIndicator')
    expect(await checkTray(withBus, async () => undefined)).toMatchObject({ state: 'not checked' })
    expect(checkWine(machine).says).toBe('There is no Wine prefix.')
    const steam = join(folder, '.local/share/Steam/steamapps/compatdata/620/pfx')
    for (const prefix of [join(folder, '.wine'), steam]) writeIn(join(prefix, 'system.reg'), '')
    expect(winePrefixes(machine)).toEqual([join(folder, '.wine'), steam])
    expect(checkWine(machine)).toMatchObject({ state: 'ok', says: expect.stringContaining('2 of 2 Wine prefixes have no pipe bridge') })
    expect(checkWine(machine).says).toContain('sallyport wine install PREFIX')
    for (const prefix of winePrefixes(machine)) writeIn(bridgeOf(prefix), '')
    expect(checkWine(machine).says).toBe('All 2 Wine prefixes have the pipe bridge.')
  })
})

it('exits with 1 if a check fails, and prints a line, or an object with --json, for each', async () => {
  const words = ['doctor', '--runtime-dir', folder, '--data-dir', join(folder, 'data'), '--vault', 'file', '--dashboard-port', 'off']
  const run = async (...more: string[]) => {
    const io = fakeIo({ XDG_RUNTIME_DIR: folder })
    return { code: await runCli([...words, ...more], io, tableOf(doctor)), printed: io.printed }
  }
  const fine = await run()
  expect(fine.code, fine.printed.join('\n')).toBe(EXIT.ok)
  expect(fine.printed.map((line) => line.split(':')[0])).toEqual(Object.keys(WHY).map((name) => `ok           ${name}`))
  chmodSync(folder, 0o777)
  const bad = await run('--json')
  expect(bad.code).toBe(EXIT.failed)
  expect(JSON.parse(bad.printed.join('')).slice(1, 3)).toMatchObject([
    { check: 'socket folder', state: 'wrong' },
    { check: 'sockets', state: 'not checked' },
  ])
  expect((await run()).printed.join('\n')).toContain(`\n             Why: ${WHY['socket folder']}`)
})
