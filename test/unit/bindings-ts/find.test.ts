/** Where the client searches, and which of several servers it selects. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type ConnectionState, ForeignServerError, ServerNotFoundError, SallyportClient, ServerClosedError } from '@sallyport/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketCandidates, socketDirectories, watchedDirectories } from '#bindings/ts/src/discovery.ts'
import { BRIDGE, type FakeOptions, FakeServer, temporaryDirectory } from './fake-server.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

let dir = ''
let cleanup: (() => unknown)[] = []

beforeEach(async () => {
  const temporary = await temporaryDirectory()
  dir = temporary.dir
  cleanup = [temporary.remove]
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

async function serve(options: Partial<FakeOptions>): Promise<FakeServer> {
  await mkdir(options.dir ?? dir, { recursive: true, mode: 0o700 })
  const server = await new FakeServer({ dir, ...options }).start()
  cleanup.push(() => server.kill().catch(() => {}))
  return server
}

async function connect(options: Partial<ConstructorParameters<typeof SallyportClient>[0]> = {}): Promise<SallyportClient> {
  const client = await SallyportClient.connect({ applicationId: '123', runtimeDir: dir, ...options })
  cleanup.push(() => client.close())
  return client
}

type Waiting = Extract<ConnectionState, { readonly name: 'waiting' }>

const nextWait = (client: SallyportClient): Promise<Waiting> =>
  new Promise((resolve) => {
    const stop = client.onState((state) => {
      if (state.name !== 'waiting') return
      stop()
      resolve(state)
    })
  })

const linux = { platform: 'linux', ipcPrefix: 'discord-ipc', ownFolder: (directory: string) => directory } as const

test('the first variable that is set names the directory, and slashes are not doubled', () => {
  const first = (env: Record<string, string>) => socketCandidates({ ...linux, env })[0]?.path
  expect(first({ XDG_RUNTIME_DIR: '/run/user/1', TMPDIR: '/t' })).toBe('/run/user/1/discord-ipc-0')
  expect(first({ TMPDIR: '/t/', TMP: '/u' })).toBe('/t/discord-ipc-0')
  expect(first({ TMP: '/u', TEMP: '/v' })).toBe('/u/discord-ipc-0')
  expect(first({ TEMP: '/v' })).toBe('/v/discord-ipc-0')
  expect(first({})).toBe('/tmp/discord-ipc-0')
})

test('ten slots ascending, then the folders of packaged clients; a given directory or slot is the only one', () => {
  const places = socketCandidates({ ...linux, env: { TMP: '/t' } })
  expect(places.slice(0, 10).map(({ path, slot }) => [path, slot])).toEqual(
    Array.from({ length: 10 }, (_, slot) => [`/t/discord-ipc-${slot}`, slot]),
  )
  expect(places[10]?.path).toBe('/t/app/com.discordapp.Discord/discord-ipc-0')
  expect(places.at(-1)?.path).toBe('/t/snap.discord/discord-ipc-9')
  expect(socketCandidates({ ...linux, env: { TMP: '/t' }, runtimeDir: '/r', slot: 3 })).toEqual([{ path: '/r/discord-ipc-3', slot: 3 }])
  expect(socketDirectories({ ...linux, platform: 'darwin', env: { TMPDIR: '/t/' } })).toEqual(['/t/'])
})

test('contained programs can listen in the folders of packaged clients and of applications, but not where a container has no other folder', () => {
  const packaged = (runtimeDir: string, more = {}) =>
    socketCandidates({ ...linux, env: {}, runtimeDir, slot: 0, ...more })[0]?.isPackaged === true
  const folders = ['app/com.discordapp.Discord', 'app/com.discordapp.DiscordCanary', 'snap.discord', '.flatpak/org.example.Game/xdg-run']
  for (const folder of folders) {
    expect(packaged(`/run/user/7/${folder}`), folder).toBe(true)
    expect(packaged(`/run/user/7//./${folder}//`), folder).toBe(true)
    expect(packaged(`/run/user/7/${folder}`, { isContained: true })).toBe(false)
    expect(packaged(`/run/user/7/${folder}`, { platform: 'darwin' })).toBe(false)
  }
  for (const folder of ['/run/user/7', '/home/ada/app/run', '/run/user/7/app', '/run/user/7/snap.discord/below', '/run/user/7/xdg-run'])
    expect(packaged(folder), folder).toBe(false)
  const places = socketCandidates({ ...linux, env: { TMP: '/t' } })
  expect(places.map(({ isPackaged }) => isPackaged === true)).toEqual(places.map((_, index) => index >= 10))
})

test('the client watches no folder where a contained program could make it search without end', () => {
  const input = { ...linux, env: { TMP: '/t' } }
  expect(watchedDirectories(input)).toEqual(['/t'])
  expect(watchedDirectories({ ...input, allowPackagedClient: true })).toEqual(socketDirectories(input))
  expect(watchedDirectories({ ...input, isContained: true })).toEqual(socketDirectories(input))
})

test.each([[{}], [{ requireBridge: true }], [{ requireBridge: true, allowPackagedClient: true }]])(
  'of a server in the folder of a packaged client it only says that it is there: %j',
  async (options) => {
    const impostor = await serve({ dir: join(dir, 'snap.discord'), bridge: BRIDGE })
    const error = await connect({ runtimeDir: join(dir, 'snap.discord'), ...options }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ServerNotFoundError)
    expect(error).toMatchObject({
      message: expect.stringContaining(`no trusted server was found: contained programs can listen at ${dir}`),
    })
    expect((error as Error).message).toContain('start one with: sallyport run')
    expect((error as Error).cause).toBeInstanceOf(ForeignServerError)
    expect(impostor.peers).toHaveLength(0)
  },
)

test("the platform's own client is used there if the game asks for it, and no server that says it is a bridge", async () => {
  const runtimeDir = join(dir, 'snap.discord')
  const client = await serve({ dir: runtimeDir, slot: 1 })
  const impostor = await serve({ dir: runtimeDir, slot: 0, bridge: BRIDGE })
  expect((await connect({ runtimeDir, allowPackagedClient: true })).server?.path).toBe(client.path)
  expect(impostor.last.received).toEqual([])
  await client.kill()
  await expect(connect({ runtimeDir, allowPackagedClient: true })).rejects.toThrow('says that it is a bridge, where contained programs can')
})

test('in a directory that others can write, only the private folder is searched; the directory is still watched', () => {
  const shared = { ...linux, env: { TMP: '/t' }, ownFolder: (directory: string) => `${directory}/sallyport-7` }
  expect(socketDirectories(shared)).toEqual(['/t/sallyport-7'])
  expect(socketCandidates(shared)).toHaveLength(10)
  expect(watchedDirectories(shared)).toEqual(['/t', '/t/sallyport-7'])
  expect(socketDirectories({ ...shared, runtimeDir: '/t' })).toEqual(['/t'])
  expect(watchedDirectories({ ...shared, runtimeDir: '/t' })).toEqual(['/t'])
})

test('on Windows the candidates are pipes', () => {
  const places = socketCandidates({ ...linux, platform: 'win32', env: { TEMP: 'C:\\Temp' } })
  expect(places.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, slot) => `\\\\?\\pipe\\discord-ipc-${slot}`))
})

test('dead sockets, plain files and foreign servers are skipped for a bridge', async () => {
  await writeFile(join(dir, 'discord-ipc-0'), '')
  await mkdir(join(dir, 'discord-ipc-1'))
  const foreign = await serve({ slot: 2 })
  const bridge = await serve({ slot: 4, bridge: BRIDGE })
  const unneeded = await serve({ slot: 5, bridge: BRIDGE })
  const client = await connect()
  expect(client.server).toMatchObject({ path: bridge.path, slot: 4, bridge: BRIDGE })
  await foreign.until(() => foreign.last.socket.destroyed)
  expect(unneeded.peers).toHaveLength(0)
})

test('without a bridge the first other server is used, unless a bridge is required', async () => {
  const first = await serve({ slot: 3 })
  await serve({ slot: 6 })
  expect((await connect()).server?.path).toBe(first.path)
  await expect(connect({ requireBridge: true })).rejects.toThrow('not a Sallyport bridge')
})

test('a server without a handshake does not delay the others, and the search times out', async () => {
  await serve({ slot: 0, greet: 'silence' })
  const bridge = await serve({ slot: 1, bridge: BRIDGE })
  expect((await connect()).server?.path).toBe(bridge.path)
  await bridge.kill()
  const clock = new FakeClock()
  const silent = await serve({ slot: 2, greet: 'silence' })
  const alone = connect({ slot: 2, environment: { clock } }).catch((error: unknown) => error)
  await silent.until(() => silent.peers.length === 1)
  clock.advance(5_000)
  expect(await alone).toBeInstanceOf(ServerNotFoundError)
})

test('a refusal rejects with its code', async () => {
  await serve({ greet: { code: 4000, message: 'Invalid Client ID' } })
  const error = await connect().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ServerClosedError)
  expect(error).toMatchObject({ closeCode: 4000, message: expect.stringContaining('Invalid Client ID') })
})

test.each([
  ['bytes that are no frame', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a frame that is not JSON', Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0x7b, 0x21])],
])('a server that answers with %s is passed over', async (_name, bytes) => {
  const broken = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .write(bytes),
  )
  await new Promise<void>((resolve) => broken.listen(join(dir, 'discord-ipc-0'), resolve))
  cleanup.push(() => new Promise((resolve) => broken.close(resolve)))
  const bridge = await serve({ slot: 1, bridge: BRIDGE })
  expect((await connect()).server?.path).toBe(bridge.path)
})

test('after a bridge is lost, another server is used only if the bridge does not return', async () => {
  const clock = new FakeClock()
  const bridge = await serve({ slot: 0, bridge: BRIDGE })
  const foreign = await serve({ slot: 1 })
  const client = await connect({ environment: { clock, random: () => 0.5, watch: () => () => {} } })
  let wait = nextWait(client)
  await bridge.kill()
  let { delayMs } = await wait
  for (let elapsedMs = 0; elapsedMs < 9_000; elapsedMs += delayMs) {
    wait = nextWait(client)
    clock.advance(delayMs)
    ;({ delayMs } = await wait)
  }
  expect(foreign.peers).toHaveLength(1)
  expect(client.state).toMatchObject({ name: 'waiting', reason: 'no-server' })
  clock.advance(1_000)
  await Promise.race([client.whenReady(), nextWait(client).then((state) => clock.advance(state.delayMs))])
  expect((await client.whenReady()).path).toBe(foreign.path)
})

test('while a bridge is required, another server gets few handshakes, and the error still names it', async () => {
  const clock = new FakeClock()
  const foreign = await serve({ slot: 0 })
  let appear: (name: string) => void = () => {}
  const watch = (_: readonly string[], onEntry: (name: string) => void) => {
    appear = onEntry
    return () => {}
  }
  const client = new SallyportClient({
    applicationId: '123',
    runtimeDir: dir,
    requireBridge: true,
    environment: { clock, random: () => 0.5, watch },
  })
  cleanup.push(() => client.close())
  let wait = nextWait(client)
  const connecting = client.connect({ timeoutMs: 600_000 })
  connecting.catch(() => {})
  let { delayMs, error } = await wait
  for (let elapsedMs = 0; elapsedMs < 55_000; elapsedMs += delayMs) {
    expect(error.message).toContain('a server of the protocol was found, but it is not a Sallyport bridge')
    wait = nextWait(client)
    clock.advance(delayMs)
    ;({ delayMs, error } = await wait)
  }
  expect(foreign.peers).toHaveLength(1)
  await foreign.kill()
  const bridge = await serve({ slot: 0, bridge: BRIDGE })
  appear('discord-ipc-0')
  clock.advance(25)
  expect((await connecting).path).toBe(bridge.path)
})

test('a new socket ends the wait at once', async () => {
  const clock = new FakeClock()
  let appear: (name: string) => void = () => {}
  let watched: readonly string[] = []
  const watch = (directories: readonly string[], onEntry: (name: string) => void) => {
    watched = directories
    appear = onEntry
    return () => {
      appear = () => {}
    }
  }
  const client = new SallyportClient({ applicationId: '123', runtimeDir: dir, environment: { clock, random: () => 0.999, watch } })
  cleanup.push(() => client.close())
  const waiting = new Promise<void>((resolve) => client.onState(({ name }) => name === 'waiting' && resolve()))
  const connecting = client.connect({ timeoutMs: 60_000 })
  await waiting
  expect(watched).toEqual([dir])
  await serve({ bridge: BRIDGE })
  appear('something-else')
  clock.advance(25)
  expect(client.state.name).toBe('waiting')
  appear('discord-ipc-0')
  clock.advance(25)
  expect((await connecting).bridge).toEqual(BRIDGE)
})
