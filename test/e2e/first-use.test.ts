/** What a daemon for players reads and starts at its first uses: each file of the program costs every player time and memory, and so does a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { SallyportClient } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { cleanEnvironment, type Folders, folders } from './support/daemon.ts'
import { PROGRAM, programMade } from './support/program.ts'

const APPLICATION = '1180000000000000042'
const HOOK = join(import.meta.dirname, 'support/use-until-stop.cjs')
const REPORT = 3
const [START, LOG, SHARED, BRIDGE] = ['sallyport.cjs', 'sallyport-log.cjs', 'sallyport-shared.cjs', 'sallyport-bridge.cjs']
const [ONLINE, REST] = ['sallyport-online.cjs', 'sallyport-rest.cjs']

/** Of Node, which a first sign-in needs over HTTP; the daemon loads them soon after READY. */
const SIGN_IN_MODULES = ['crypto', 'http']

interface Use {
  readonly files: readonly string[]
  /** Modules of Node that take long to load. */
  readonly modules: readonly string[]
  readonly processes: number
}

let at: Folders
let platform: HttpServer
/** The requests that the platform got. */
const requests: string[] = []
beforeAll(async () => {
  await programMade()
  platform = createHttpServer((request, response) => {
    requests.push(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    if (request.url?.startsWith('/api/v10/users/@me/guilds') === true) return void response.end('[]')
    response.end(
      JSON.stringify({
        application: { id: APPLICATION, name: 'Game', icon: null, description: '', hook: true, bot_public: false, verify_key: '' },
        scopes: ['identify', 'guilds'],
        expires: '2099-01-01T00:00:00+00:00',
        user: { id: '80351110224678912', username: 'ada', discriminator: '0', avatar: null, global_name: null, public_flags: 0 },
      }),
    )
  })
  platform.listen(0, '127.0.0.1')
  await once(platform, 'listening')
})
afterAll(() => platform.close())
beforeEach(async () => {
  at = await folders()
  mkdirSync(at.runtime, { mode: 0o700 })
})
afterEach(() => at.remove())

function profile(): string {
  const origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  const file = join(at.base, 'platform.json')
  const hosts = { cdnHost: 'cdn.invalid', activityProxyHost: 'activities.invalid' }
  const urls = {
    baseUrl: `${origin}/api/v10`,
    authorizeUrl: `${origin}/oauth2/authorize`,
    tokenUrl: `${origin}/api/v10/oauth2/token`,
    revokeUrl: `${origin}/api/v10/oauth2/token/revoke`,
  }
  writeFileSync(
    file,
    JSON.stringify({ name: 'played', ipcPrefix: 'discord-ipc', ...urls, ...hosts, userAgent: 'test', customSchemePrefix: 'test' }),
  )
  return file
}

/** Runs a daemon, with the store of keys that it has by default, until `work` is done; `printed` waits for a line of its log. */
async function useOf(work: (printed: (part: string) => Promise<void>) => Promise<void>, logLevel = 'warn'): Promise<Use> {
  const words = ['run', '--json', '--platform', profile(), '--runtime-dir', at.runtime, '--data-dir', at.data, '--log-level', logLevel]
  const flags = ['--disable-warning=ExperimentalWarning', '--require', HOOK]
  const child = spawn(process.execPath, [...flags, PROGRAM, ...words, '--bridge-port', 'off', '--container-folders', 'off'], {
    env: { ...cleanEnvironment(), HOME: at.base },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const report = text(child.stdio[REPORT] as Readable)
  const lines = createInterface({ input: child.stderr as Readable })
  const seen: string[] = []
  lines.on('line', (line) => seen.push(line))
  await once(createInterface({ input: child.stdout as Readable }), 'line')
  await work(async (part) => {
    while (!seen.some((line) => line.includes(part))) await once(lines, 'line')
  })
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  return JSON.parse(await report) as Use
}

const game = () => connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })

test('a start reads its own file', async () => {
  // Other daemons of the machine may have all ports for pages, which is a warning.
  expect(await useOf(async () => {}, 'error')).toEqual({ files: [START], modules: [], processes: 0 })
})

test('a warning at the start reads the log too, and not the bridge', async () => {
  const other = createServer().listen(join(at.runtime, 'discord-ipc-0'))
  await once(other, 'listening')
  const use = await useOf((printed) => printed('"event":"first-slot-taken"'))
  expect(use).toEqual({ files: [LOG, START].toSorted(), modules: [], processes: 0 })
  other.close()
})

/** What a bridge reads at once, and what a sign-in reads besides. */
const PLAYED = [BRIDGE, LOG, SHARED, START].toSorted()
const SIGNED_IN = [BRIDGE, LOG, ONLINE, SHARED, START].toSorted()

test('a game that sets its presence reads the bridge, and loads nothing for a sign-in besides two modules', async () => {
  const use = await useOf(async () => {
    const one = await game()
    await one.call('SET_ACTIVITY', { pid: process.pid, activity: { state: 'Packing' } })
    await one.close()
  })
  expect(use).toMatchObject({ files: PLAYED, processes: 0 })
  // How many of them depends on how long the game played.
  expect(SIGN_IN_MODULES).toEqual(expect.arrayContaining([...use.modules]))
})

/** Signs a game in, with a store of keys and tokens that is empty, and lets it make a call. */
const useOfSignIn = (call: (one: SallyportClient) => Promise<unknown> = async () => {}): Promise<Use> =>
  useOf(async () => {
    const one = await game()
    expect(await one.call('AUTHENTICATE', { access_token: 'from-the-game' })).toMatchObject({ user: { username: 'ada' } })
    await call(one)
    await one.close()
  })

test('the first AUTHENTICATE of a player who stored nothing reads one file more, and starts no process, so no keychain is asked', async () => {
  expect(await useOfSignIn()).toEqual({ files: SIGNED_IN, modules: SIGN_IN_MODULES, processes: 0 })
  expect(requests).toContain('/api/v10/oauth2/@me')
})

test('the first call that goes to the platform reads no further file', async () => {
  const use = await useOfSignIn(async (one) => expect(await one.call('GET_CURRENT_USER_GUILDS', {})).toEqual([]))
  expect(use).toEqual({ files: SIGNED_IN, modules: SIGN_IN_MODULES, processes: 0 })
})

test('nor does the first call with a large schema', async () => {
  const use = await useOfSignIn(async (one) => {
    await expect(one.call('EDIT_MESSAGE', { channel_id: '1', message_id: '2', content: 'first' })).rejects.toMatchObject({ code: 4006 })
  })
  expect(use).toEqual({ files: SIGNED_IN, modules: SIGN_IN_MODULES, processes: 0 })
})

test('the first call with a key reads no further file either, and asks for the key of the vault, which seals its result', async () => {
  const use = await useOfSignIn(async (one) => {
    await expect(one.call('CREATE_MESSAGE', { channel_id: '1', content: 'first' })).rejects.toMatchObject({ code: 4006 })
  })
  expect(use).toEqual({ files: SIGNED_IN, modules: SIGN_IN_MODULES, processes: 1 })
})

test('what a player uses is in the files before the last, besides a proxy, webhooks, metrics, and traces for who watches', () => {
  const used = [LOG, SHARED, BRIDGE, ONLINE].flatMap((file) => {
    const part = readFileSync(join(dirname(PROGRAM), file), 'latin1')
    return [...part.matchAll(/require\("\.\/([^"]+)"\)\["(\w+)-\w+\.js"\]/g)]
      .filter(([, other]) => other === REST)
      .map(([, , chunk]) => chunk)
  })
  // The last is the sandbox, which no player runs.
  expect(new Set(used)).toEqual(new Set(['undici', 'provider', 'read', 'server', 'traces', 'sandbox']))
})
