import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '#daemon/src/config/load.ts'
import { openPorts } from '#daemon/src/start/open-ports.ts'

// Umask calls are for the main thread only; the real bind is tested in ipc/transport/local.test.ts and end to end.
process.umask = (): number => 0o022

let folder: string
let said: string[]
const servers: Server[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ports-'))
  said = []
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  rmSync(folder, { recursive: true })
})

const settingsOf = (flags: object) =>
  loadSettings(
    { runtimeDir: join(folder, 'run'), dataDir: folder, bridgePort: 'off', ...flags },
    { platform: process.platform, env: {}, home: folder },
  ).settings

const open = (flags: object = {}) => openPorts(settingsOf(flags), (text) => said.push(text))

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('the ready line names every port; the addresses for our own clients are in private files until the end', async () => {
  const ports = await open({ webhookPort: '0', bridgePort: '0' })
  const { ready } = ports
  expect(ready).toMatchObject({ event: 'ready', pid: process.pid, platform: 'sandbox', ipc: [join(folder, 'run', 'discord-ipc-0')] })
  expect(ready.apiBase).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v10$/)
  expect(ready.tokenUrl).toBe(`${ready.apiBase}/oauth2/token`)
  expect(ready.webhooks).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks\/$/)
  expect(ready.bridge).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/)
  expect(ready.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/)
  expect(readFileSync(join(folder, 'dashboard.address'), 'utf8')).toBe(ready.dashboard)
  expect(readFileSync(join(folder, 'socket.address'), 'utf8')).toBe(ready.ipc[0])
  await ports.close()
  const left = ['dashboard.address', 'socket.address', 'run/discord-ipc-0'].filter(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  )
  expect(left).toEqual([])
})

test("the dashboard keeps its port over starts; without it, another one is the next start's", async () => {
  const portOf = ({ dashboard }: Awaited<ReturnType<typeof open>>) => dashboard?.held.port
  const first = await open()
  const port = portOf(first)
  await first.close()
  const again = await open()
  expect(portOf(again)).toBe(port)
  await again.close()
  const taking = createServer().listen(port, '127.0.0.1')
  servers.push(taking)
  await once(taking, 'listening')
  const elsewhere = await open()
  const other = portOf(elsewhere)
  expect(other).not.toBe(port)
  expect(readFileSync(join(folder, 'dashboard.port'), 'utf8')).toBe(String(other))
  await elsewhere.close()
})

test('a profile has its own URLs, and no port of the sandbox', async () => {
  const ports = await open({ platform: 'discord', bridgePort: 'off', dashboardPort: 'off' })
  expect(ports.ready).toMatchObject({ platform: 'discord', apiBase: 'https://discord.com/api/v10', dashboard: null })
  expect(ports.platform).toHaveProperty('profile')
  await ports.close()
})

test.each([
  ['webhookPort', '--webhook-port'],
  ['dashboardPort', '--dashboard-port'],
  ['sandboxPort', "The sandbox's port"],
])('a taken %s is refused with advice, and nothing stays open', async (option, advice) => {
  const port = await takenPort()
  await expect(open({ [option]: String(port) })).rejects.toMatchObject({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(advice) as string,
  })
  expect(statSync(join(folder, 'run', 'discord-ipc-0'), { throwIfNoEntry: false })).toBeUndefined()
})

test('a taken presence port moves to the next one, which is announced and noticed', async () => {
  const port = await takenPort()
  const ports = await open({ bridgePort: String(port) })
  expect(ports.ready.bridge).not.toBe(`ws://127.0.0.1:${port}`)
  expect(said).toEqual([expect.stringContaining(`Port ${port} cannot be opened`)])
  expect(ports.notices).toContainEqual({ level: 'warn', event: 'bridge-port-taken', fields: { wanted: port, address: ports.ready.bridge } })
  await ports.close()
})

test('when another server has the first slot, this is announced and noticed', async () => {
  const first = await open()
  const second = await open()
  expect(second.ready.ipc).toEqual([join(folder, 'run', 'discord-ipc-1')])
  expect(said).toEqual([expect.stringContaining('Another server has the first slot')])
  expect(second.notices.map(({ event }) => event)).toContain('first-slot-taken')
  await second.close()
  await first.close()
})
