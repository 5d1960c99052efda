/** Pages of web clients against the real daemon: the websocket transport of the local protocol, and the presence websocket. */
import type { BridgeState } from '@sallyport/protocol'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Client as DiscordRpc } from 'discord-rpc'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { stateOf } from './support/bridge-state.ts'
import {
  type Daemon,
  type Folders,
  folders,
  sallyport,
  startDaemon,
  startDaemonForPages,
  SMOKE_TARGETS,
  websocketOf,
} from './support/daemon.ts'
import { Page } from './support/page.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '223344556677889900'
const PAGE = { origin: 'http://localhost:3000' }
const FOREIGN = { origin: 'https://evil.example' }
const ALLOWED_GROWTH_KB = 64 * 1024

const rssKb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
const rpcAddress = (daemon: Daemon, query = `v=1&client_id=${APPLICATION}&encoding=json`): string => `${websocketOf(daemon)}/?${query}`

/** Takes a port that was free a moment ago. */
async function takenPort(): Promise<{ port: number; owner: Server }> {
  const owner = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(owner, 'listening')
  return { port: (owner.address() as AddressInfo).port, owner }
}

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let bridge: string

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemonForPages(target, at, ['--bridge-port', '0'])
    bridge = daemon.ready.bridge ?? 'nowhere'
    await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
  })
  afterAll(async () => {
    expect(await daemon.stop()).toBe(0)
    await at.remove()
  })
  afterEach(async () => {
    expect(daemon.hasExited).toBe(false)
    const game = await RawClient.ready(daemon.socket)
    expect(await game.call('GET_BRIDGE_STATUS')).toMatchObject({ evt: null })
    game.hangUp()
  })

  const ofBridge = (headers: Record<string, string> = PAGE): Page => new Page(bridge, headers)
  const ofRpc = async (headers: Record<string, string> = PAGE): Promise<Page> => {
    const page = new Page(rpcAddress(daemon), headers)
    expect(await page.next()).toMatchObject({ evt: 'READY' })
    return page
  }

  describe('a page of a foreign origin', () => {
    test.each([
      ['a foreign origin', FOREIGN],
      ['no origin', {}],
      ['the origin of a sandboxed frame', { origin: 'null' }],
      ['a foreign name that leads here', { ...PAGE, host: 'evil.example' }],
    ])('%s: 4001 on both', async (_what, headers) => {
      expect(await ofBridge(headers).closeCode()).toBe(4001)
      expect(await new Page(rpcAddress(daemon), headers).closeCode()).toBe(4001)
    })
  })

  describe('the websocket transport', () => {
    test('discord-rpc connects from its origin, authorizes, authenticates and sets presence', async () => {
      const client = new DiscordRpc({ transport: 'websocket', ...PAGE })
      client.transport.tries = Number(new URL(websocketOf(daemon)).port) - 6463
      Object.assign(client.fetch, { endpoint: `${daemon.origin}/api` })
      await client.login({
        clientId: APPLICATION,
        clientSecret: `sandbox-secret-${APPLICATION}`,
        scopes: ['rpc', 'identify'],
        redirectUri: 'http://localhost',
      })
      expect(client.user.username).toBe('ada')
      expect(client.application.id).toBe(APPLICATION)
      expect(await client.setActivity({ details: 'Mending nets' })).toMatchObject({ details: 'Mending nets' })
      expect(await client.clearActivity()).toBeNull()
      await client.destroy()
    })

    test('plain HTTP is 404 there as before', async () => {
      const { status } = await fetch(websocketOf(daemon).replace('ws:', 'http:'))
      expect(status).toBe(404)
    })

    test('a page is shown with its origin, and is no program', async () => {
      const page = await ofRpc()
      const game = await RawClient.ready(daemon.socket)
      const status = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
      const { games } = JSON.parse(status.out) as BridgeState
      const [shown] = games.filter(({ trust }) => trust === 'origin')
      expect(shown).toMatchObject({ application_id: APPLICATION, program: `a page of ${PAGE.origin}` })
      expect(shown).not.toHaveProperty('user')
      expect(await page.call('SET_ACTIVITY', { activity: { details: 'x y' } })).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
      expect(await page.call('AUTHENTICATE', {})).toMatchObject({ evt: 'ERROR', data: { code: 4009 } })
      game.hangUp()
      await page.hangUp()
    })

    test('text that is not JSON, bytes, and a message that is too long end their connection alone', async () => {
      const bystander = await ofRpc()
      for (const [message, code] of [
        ['{"cmd":', 1003],
        [Buffer.from([1, 2, 3]), 1003],
        ['x'.repeat(70_000), 1009],
      ] as const) {
        const page = await ofRpc()
        page.socket.send(message)
        expect(await page.closeCode()).toBe(code)
      }
      expect(await bystander.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toMatchObject({ evt: null })
      await bystander.hangUp()
    })

    test('a page that pings and calls without end and never reads is slowed down, not stored', async () => {
      const before = rssKb(daemon.ready.pid)
      const page = await ofRpc()
      page.socket.pause()
      const call = JSON.stringify({ cmd: 'NO_SUCH_COMMAND', nonce: 'x'.repeat(1000) })
      for (let n = 0; n < 20_000; n++) {
        page.socket.ping('x'.repeat(125))
        page.socket.send(call)
      }
      const other = await ofRpc()
      for (let n = 0; n < 50; n++) await other.call('NO_SUCH_COMMAND')
      expect(page.socket.bufferedAmount).toBeGreaterThan(0)
      expect(rssKb(daemon.ready.pid) - before).toBeLessThan(ALLOWED_GROWTH_KB)
      await page.hangUp()
      await other.hangUp()
      const game = await RawClient.ready(daemon.socket)
      await expect.poll(async () => (await stateOf(daemon)).games).toMatchObject([{ pid: process.pid }])
      game.hangUp()
    })

    test('no more connections of one origin than there may be, others find room, and room again when they go', async () => {
      const pages = await Promise.all(Array.from({ length: 16 }, () => ofRpc()))
      await expect(ofRpc()).rejects.toThrow()
      pages.push(await ofRpc({ ...PAGE, origin: 'http://localhost:4711' }))
      await Promise.all(pages.map((page) => page.hangUp()))
      await expect
        .poll(() =>
          ofRpc().then(
            (page) => page.hangUp().then(() => true),
            () => false,
          ),
        )
        .toBe(true)
    })
  })

  describe('the presence websocket', () => {
    // Each test has an application of its own, since updates of one are limited.
    let applications = 0
    const player = async () => {
      const id = `99000000000000000${++applications}`
      return { id, game: await RawClient.ready(daemon.socket, { client_id: id }) }
    }
    test('sends current presences, changes and ends, and no secret', async () => {
      const { id, game } = await player()
      const activity = { details: 'Mending nets', party: { id: 'crew', size: [1, 2] }, secrets: { join: 'come-aboard' } }
      await game.call('SET_ACTIVITY', { pid: 4711, activity })
      const page = ofBridge()
      const shown = await page.next()
      expect(shown).toEqual({
        socketId: id,
        pid: 4711,
        activity: {
          application_id: id,
          name: '',
          type: 0,
          details: 'Mending nets',
          party: { id: 'crew', size: [1, 2] },
          metadata: {},
          flags: 0,
        },
      })
      await game.call('SET_ACTIVITY', { pid: 4711, activity: { details: 'At sea' } })
      expect(await page.next()).toMatchObject({ socketId: id, activity: { details: 'At sea' } })
      game.hangUp()
      expect(await page.next()).toEqual({ socketId: id, pid: 4711, activity: null })
      await page.hangUp()
    })

    test('only the new page gets the current presences', async () => {
      const { game } = await player()
      await game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'one' } })
      const first = ofBridge()
      expect(await first.next()).toMatchObject({ activity: { details: 'one' } })
      const second = ofBridge()
      expect(await second.next()).toMatchObject({ activity: { details: 'one' } })
      await game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'two' } })
      expect(await first.next()).toMatchObject({ activity: { details: 'two' } })
      game.hangUp()
      await first.hangUp()
      await second.hangUp()
    })

    test('what pages say is not read: text that is not JSON, bytes, calls, floods of pings', async () => {
      const page = ofBridge()
      await once(page.socket, 'open')
      for (const message of ['{"cmd":', 'null', Buffer.from([0xff]), JSON.stringify({ cmd: 'SET_ACTIVITY', args: {} })])
        page.socket.send(message)
      for (let n = 0; n < 10_000; n++) page.socket.ping()
      const { game } = await player()
      await game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'after that' } })
      expect(await page.next()).toMatchObject({ activity: { details: 'after that' } })
      page.socket.send('x'.repeat(5000))
      expect(await page.closeCode()).toBe(1009)
      game.hangUp()
    })

    test('a page that does not read uses bounded memory, blocks no other page, and gets the newest presence when it reads again', async () => {
      const before = rssKb(daemon.ready.pid)
      const page = ofBridge()
      await once(page.socket, 'open')
      page.socket.pause()
      // The daemon answers each ping; answers that the page does not read fill its queue.
      const pings = Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([0x89, 0xfd, 0, 0, 0, 0, ...Buffer.alloc(125)])))
      const raw = (page.socket as WebSocket & { readonly _socket: NodeJS.WritableStream })._socket
      for (let n = 0; n < 8; n++) raw.write(pings)
      const other = ofBridge()
      await once(other.socket, 'open')
      const { id, game } = await player()
      await game.call('SET_ACTIVITY', { pid: 1, activity: { details: 'after that' } })
      expect(await other.next()).toMatchObject({ socketId: id, activity: { details: 'after that' } })
      page.socket.resume()
      expect(await page.next()).toMatchObject({ socketId: id, activity: { details: 'after that' } })
      expect(rssKb(daemon.ready.pid) - before).toBeLessThan(ALLOWED_GROWTH_KB)
      await page.hangUp()
      await other.hangUp()
      game.hangUp()
    })
  })

  test('a port that is taken at the start: the next free one, a warning, and a daemon that lives', async () => {
    const { port, owner } = await takenPort()
    const own = await folders()
    const second = await startDaemon(target, own, ['--bridge-port', String(port)])
    try {
      const found = Number(new URL(second.ready.bridge ?? 'ws://nowhere:1').port)
      expect(found).toBeGreaterThan(port)
      await expect.poll(() => second.output()).toContain('bridge-port-taken')
      const game = await RawClient.ready(second.socket)
      expect(await stateOf(second)).toMatchObject({
        presence_feed: { address: second.ready.bridge, reason: expect.stringContaining(String(port)) as string },
      })
      const page = new Page(second.ready.bridge ?? '', PAGE)
      await once(page.socket, 'open')
      await page.hangUp()
      game.hangUp()
    } finally {
      expect(await second.stop()).toBe(0)
      await own.remove()
      owner.close()
    }
  })

  test('only the pages that are named may come, when they are', async () => {
    const own = await folders()
    const flags = ['--bridge-port', '0', '--bridge-origins', 'https://client.example,https://other.example:8443']
    const second = await startDaemon(target, own, flags)
    try {
      expect(await new Page(second.ready.bridge ?? '', PAGE).closeCode()).toBe(4001)
      const page = new Page(second.ready.bridge ?? '', { origin: 'https://other.example:8443' })
      await once(page.socket, 'open')
      await page.hangUp()
    } finally {
      await second.stop()
      await own.remove()
    }
  })
})
