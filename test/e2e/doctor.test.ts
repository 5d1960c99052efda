/** Thirty planted faults, two of each kind: what `sallyport doctor` says of each, and its exit code. Prints the table. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MIGRATIONS } from '#daemon/src/auth/grants/store.ts'
import { loadPlatform } from '#daemon/src/config/platforms.ts'
import { frame, OP } from '#test/support/frames.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'
import { type Keyring, startKeyring, whyNoKeyring } from './support/keyring.ts'
import { RawClient } from './support/raw-client.ts'

interface Finding {
  readonly check: string
  readonly state: 'ok' | 'not checked' | 'wrong'
  readonly says: string
}

let at: Folders
let daemons: Daemon[]
let servers: Server[]
let keyrings: { stop(): Promise<void> }[]
beforeEach(async () => {
  at = await folders()
  mkdirSync(at.runtime, { mode: 0o700 })
  mkdirSync(at.data, { mode: 0o700 })
  daemons = []
  servers = []
  keyrings = []
})
afterEach(async () => {
  for (const one of [...daemons, ...keyrings]) await one.stop()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  await at.remove()
})

const slot = (number: number) => join(at.runtime, `discord-ipc-${number}`)
const inData = (name: string) => join(at.data, name)
/** An ordinary run on this folder, so that its files are those that the daemon makes. */
async function used(): Promise<void> {
  const daemon = await startDaemon(SOURCE, at)
  await visit()
  await daemon.stop()
}
async function visit(): Promise<void> {
  const client = await connectedGame({ applicationId: '42', runtimeDir: at.runtime, requireBridge: true })
  await client.askToSignIn({ scopes: ['identify'] })
  await client.close()
}
/** The bridge answers a game, so that it is loaded and answers the command in time. */
async function greet({ socket }: Daemon): Promise<void> {
  const game = await RawClient.ready(socket, { client_id: '42' })
  game.hangUp()
}
async function running(flags: readonly string[] = [], where: Folders = at): Promise<Daemon> {
  const daemon = await startDaemon(SOURCE, where, flags)
  daemons.push(daemon)
  return daemon
}
const listening = (server: Server, where: string | number): Promise<Server> =>
  new Promise((resolve) => {
    servers.push(server)
    if (typeof where === 'string') server.listen(where, () => resolve(server))
    else server.listen(where, '127.0.0.1', () => resolve(server))
  })
const portOf = (server: Server): number => (server.address() as { port: number }).port
function garbled(name: string): void {
  writeFileSync(inData(name), 'no database, but as long as one '.repeat(400), { mode: 0o600 })
}
/** A platform at this address, as a file. */
function platformAt(baseUrl: string): readonly string[] {
  const { profile } = loadPlatform('discord')
  const file = join(at.base, 'platform.json')
  writeFileSync(file, JSON.stringify({ ...profile, name: 'elsewhere', baseUrl }))
  return ['--platform', file]
}
async function platformWithClock(offMs: number): Promise<readonly string[]> {
  const server = createHttpServer((_, reply) => void reply.writeHead(200, { date: new Date(Date.now() + offMs).toUTCString() }).end())
  return platformAt(`http://127.0.0.1:${portOf(await listening(server, 0))}/api/v10`)
}
function unit(text: string, ...path: readonly string[]): void {
  const file = join(at.base, '.config/systemd/user', ...path)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, text)
}
async function keyring(password: string): Promise<Keyring> {
  const started = await startKeyring(join(at.base, 'keyring'), password)
  keyrings.push(started)
  return started
}

/** What a fault gives to the command. */
interface Planted {
  readonly words?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}
interface Fault {
  readonly plant: () => Promise<Planted | void> | Planted | void
  readonly check: string
  readonly says: RegExp
  /** Default: wrong. */
  readonly state?: Finding['state']
  readonly skip?: string | undefined
}

const HOUR_MS = 3_600_000
const noKeyring = whyNoKeyring()
const noBus = noKeyring

const FAULTS: Readonly<Record<string, Fault>> = {
  '1a socket of a killed bridge': {
    plant() {
      const script = `require('node:net').createServer().listen(${JSON.stringify(slot(0))}, () => process.kill(process.pid, 'SIGKILL'))`
      spawnSync(process.execPath, ['-e', script])
      expect(existsSync(slot(0))).toBe(true)
    },
    check: 'sockets',
    says: /Removed what an ended bridge left behind: .*discord-ipc-0/,
    state: 'ok',
  },
  '1b link to nowhere in a later slot': {
    plant: () => symlinkSync(join(at.base, 'nowhere'), slot(3)),
    check: 'sockets',
    says: /Nothing answers at .*discord-ipc-3, which is not a socket of yours; move it away/,
  },
  '2a two bridges': {
    async plant() {
      await greet(await running())
      await greet(await running([], { ...at, data: join(at.base, 'other') }))
    },
    check: 'instances',
    says: /2 bridges are running \(discord-ipc-0, discord-ipc-1\)\. Stop all but one/,
  },
  '2b the bridge of the data folder listens elsewhere': {
    async plant() {
      const runtime = join(at.base, 'elsewhere')
      await greet(await running([], { ...at, runtime }))
    },
    check: 'clients',
    says: /The running bridge listens at .*elsewhere.*do not find it/,
  },
  '3a another client in the first slot': {
    plant: () =>
      listening(
        createServer(
          (socket) => void socket.once('data', () => socket.write(frame(OP.FRAME, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } }))),
        ),
        slot(0),
      ).then(() => {}),
    check: 'first slot',
    says: /listens at .*discord-ipc-0 does not answer as Sallyport/,
  },
  '3b a server in the first slot that says nothing': {
    plant: () =>
      listening(
        createServer((socket) => void socket.on('error', () => {}).resume()),
        slot(0),
      ).then(() => {}),
    check: 'first slot',
    says: /listens at .*discord-ipc-0 does not answer as Sallyport/,
  },
  '4a a file that others can read': {
    plant: async () => (await used(), chmodSync(inData('format'), 0o644)),
    check: 'private files',
    says: /Other users can access .*format; .*chmod 600/,
  },
  '4b a folder above the data that others can change': {
    plant: () => chmodSync(at.base, 0o777),
    check: 'data folder',
    says: /Another user can replace .*data, because they can modify/,
  },
  '5a a platform whose name does not resolve': {
    plant: () => ({ words: platformAt('https://no-such-host.invalid/api/v10') }),
    check: 'platform',
    says: /Its host no-such-host\.invalid has a name that cannot be resolved \(E\w+\)\. Check the network and its DNS/,
  },
  '5b something else than the platform at its address': {
    plant: async () => ({
      words: platformAt(
        `https://127.0.0.1:${portOf(
          await listening(
            createHttpServer((_, reply) => void reply.end()),
            0,
          ),
        )}/api/v10`,
      ),
    }),
    check: 'platform',
    says: /does not speak TLS/,
  },
  '6a keychain demanded, no session bus': {
    plant: () => ({ words: ['--vault', 'keychain'], env: { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: at.runtime } }),
    check: 'keychain',
    says: /keychain cannot be reached: this process has no session bus.*--vault file/,
  },
  '6b keychain demanded, a bus without one': {
    async plant() {
      const bus = spawnSync('sh', ['-c', 'dbus-daemon --session --fork --print-address=1 --print-pid=1'], { encoding: 'utf8' })
      const [address = '', pid = ''] = bus.stdout.split('\n')
      keyrings.push({ stop: async () => void process.kill(Number(pid), 'SIGTERM') })
      return { words: ['--vault', 'keychain'], env: { DBUS_SESSION_BUS_ADDRESS: address, XDG_DATA_DIRS: at.base } }
    },
    check: 'keychain',
    says: /The system's keychain (?:is not running|cannot|is locked|failed|did not).*--vault file/,
    skip: noBus,
  },
  '7a unit of a program that was moved': {
    plant: () => unit('[Service]\nExecStart="/gone/sallyport" "run"\n', 'sallyport.service'),
    check: 'service',
    says: /sallyport\.service starts a program that does not exist/,
  },
  '7b addition to a good unit that names a missing program': {
    plant() {
      unit(`[Service]\nExecStart="${process.execPath}" "run"\n`, 'sallyport.service')
      unit('[Service]\nExecStart=\nExecStart=/opt/old/sallyport run\n', 'sallyport.service.d', 'mine.conf')
    },
    check: 'service',
    says: /starts a program that does not exist/,
  },
  '8a plain file in the first slot': {
    plant: () => writeFileSync(slot(0), 'mine'),
    check: 'sockets',
    says: /Nothing answers at .*discord-ipc-0, which is not a socket of yours/,
  },
  '8b folder in a slot': {
    plant: () => mkdirSync(slot(0)),
    check: 'sockets',
    says: /Nothing answers at .*discord-ipc-0, which is not a socket of yours/,
  },
  '9a port of the dashboard in use': {
    plant: async () => ({ words: ['--dashboard-port', String(portOf(await listening(createServer(), 0)))] }),
    check: 'ports',
    says: /Another program uses \d+ \(--dashboard-port\)/,
  },
  '9b port of the presence feed in use': {
    plant: async () => ({ words: ['--bridge-port', String(portOf(await listening(createServer(), 0)))] }),
    check: 'ports',
    says: /Another program uses \d+ \(--bridge-port\)/,
  },
  '10a proxy whose name does not resolve': {
    plant: () => ({ words: platformAt('https://no-such-host.invalid/api/v10'), env: { HTTPS_PROXY: 'foo' } }),
    check: 'platform',
    says: /The proxy foo:80 has a name that cannot be resolved/,
  },
  '10b proxy that nothing serves': {
    plant: () => ({ words: [...platformAt('https://no-such-host.invalid/api/v10'), '--proxy', 'http://me:secret@127.0.0.1:9'] }),
    check: 'platform',
    says: /The proxy 127\.0\.0\.1:9 refuses connections \(ECONNREFUSED\)/,
  },
  '11a clock an hour ahead': {
    plant: async () => ({ words: await platformWithClock(-HOUR_MS) }),
    check: 'clock',
    says: /60 minutes ahead of the platform's/,
  },
  '11b clock a day behind': {
    plant: async () => ({ words: await platformWithClock(24 * HOUR_MS) }),
    check: 'clock',
    says: /1440 minutes behind the platform's/,
  },
  '12a list of grants that is no database': {
    plant: () => garbled('grants.sqlite'),
    check: 'data files',
    says: /The list of grants is damaged: .*sets it aside/,
  },
  '12b list of grants that ends in the middle': {
    plant: async () => (await used(), truncateSync(inData('grants.sqlite'), 4500)),
    check: 'data files',
    says: /The list of grants is damaged/,
  },
  '13a data of the sandbox that is no database': {
    plant: () => garbled('sandbox.sqlite'),
    check: 'data files',
    says: /The data of the sandbox is damaged/,
  },
  '13b second list of refusals that is cut off, and a bridge that went on': {
    async plant() {
      await used()
      writeFileSync(inData('choices.json'), readFileSync(inData('choices.json'), 'utf8').slice(0, 9), { mode: 0o600 })
      await running()
      await visit()
    },
    check: 'data files',
    says: /second list of blocked programs and hidden games was damaged on \d{4}-\d\d-\d\d\. The bridge moved its file to .*choices\.json\.damaged-/,
  },
  '14a list of grants of a newer version': {
    async plant() {
      await used()
      const database = new DatabaseSync(inData('grants.sqlite'))
      database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
      database.close()
    },
    check: 'data files',
    says: /The list of grants cannot use its data file .*A newer version of Sallyport has used it/,
  },
  '14b vault of a newer version': {
    plant() {
      mkdirSync(inData('vault'), { mode: 0o700 })
      writeFileSync(inData('vault/tokens.sealed'), `SPV9${'x'.repeat(60)}`, { mode: 0o600 })
    },
    check: 'data files',
    says: /tokens\.sealed have a format that this program does not know\. A newer version/,
  },
  '15a locked keyring': {
    async plant() {
      await (await keyring('first')).stop()
      keyrings.pop()
      return { words: ['--vault', 'auto'], env: (await keyring('another')).env }
    },
    check: 'keychain',
    says: /The system's keychain is locked.*Unlock it/,
    skip: noKeyring,
  },
  '15b open keyring without the key of the vault': {
    async plant() {
      mkdirSync(inData('vault'), { mode: 0o700 })
      writeFileSync(inData('vault/tokens.sealed'), `SPV2${'x'.repeat(60)}`, { mode: 0o600 })
      return { words: ['--vault', 'auto'], env: (await keyring('first')).env }
    },
    check: 'keychain',
    says: /keychain has no key for the stored tokens/,
    skip: noKeyring,
  },
}

async function diagnose({ words = [], env = {} }: Planted = {}): Promise<{ code: number | null; findings: readonly Finding[] }> {
  const given = ['doctor', '--json', '--data-dir', at.data, '--dashboard-port', 'off', '--bridge-port', 'off', '--vault', 'file']
  // The last of two equal flags counts for none, so those of the fault replace ours.
  const own = given.filter((word, index) => !words.includes(word) && !(index > 0 && words.includes(given[index - 1] ?? '')))
  const base = { HOME: at.base, XDG_RUNTIME_DIR: at.runtime, DBUS_SESSION_BUS_ADDRESS: '', no_proxy: '', NO_PROXY: '' }
  const { code, out, err } = await sallyport(SOURCE, [...own, ...words], { ...base, ...env })
  return { code, findings: out === '' ? [{ check: 'command', state: 'wrong', says: err }] : (JSON.parse(out) as readonly Finding[]) }
}

const table: string[] = []
afterAll(() => console.log(table.join('\n')))

describe.skipIf(process.platform !== 'linux')('sallyport doctor', () => {
  test('finds nothing wrong where nothing is', async () => {
    await running()
    await visit()
    const { code, findings } = await diagnose()
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(code).toBe(0)
  })

  test('has an exit code of its own if it could not check everything', async () => {
    const { code, findings } = await diagnose({ words: ['--vault', 'auto'] })
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check, state }) => `${check} ${state}`)).toEqual(['keychain not checked'])
    expect(code).toBe(7)
  })

  for (const [name, { plant, check, says, state = 'wrong', skip }] of Object.entries(FAULTS)) {
    test.skipIf(skip !== undefined)(`${name}${skip === undefined ? '' : ` (${skip})`}`, async () => {
      const { code, findings } = await diagnose((await plant()) ?? {})
      const found = findings.find((finding) => finding.check === check)
      const text = (found?.says ?? '').replaceAll(at.base, '…')
      table.push(`| ${name} | ${found?.state} | ${code} | ${text} |`)
      expect(found, JSON.stringify(findings)).toMatchObject({ state, says: expect.stringMatching(says) as string })
      expect(code).toBe(state === 'wrong' ? 1 : 0)
      expect(JSON.stringify(findings)).not.toContain('me:secret')
    })
  }
})
