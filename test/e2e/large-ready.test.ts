/** A user with very many relationships: the real daemon takes its READY from a gateway in parts, and answers another game meanwhile. */
import { BUDGETS } from '@sallyport/core/budgets'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { frame, OP } from '#test/support/frames.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '123456789012345678'
const COUNT = 60_000
const FRIENDS = 1000
/** Far less than the turns that COUNT relationships take; a daemon that takes them in one answers three at most. */
const LEAST_PONGS = 5

const USER = { id: '200000000000000001', username: 'player', discriminator: '0', global_name: null, avatar: null, public_flags: 0 }
const AUTHORIZATION = {
  application: {
    id: APPLICATION,
    name: 'game',
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '00',
  },
  scopes: ['identify', 'relationships.read', 'gateway.connect'],
  expires: '2099-01-01T00:00:00.000000+00:00',
  user: USER,
}
const relationships = Array.from({ length: COUNT }, (_, index) => {
  const id = String(300_000_000_000_000_000n + BigInt(index))
  return { id, type: index >= COUNT - FRIENDS ? 1 : 5, user: { ...USER, id, username: `user${index}` } }
})
const READY = JSON.stringify({ t: 'READY', s: 1, op: 0, d: { v: 10, session_id: 'abc', user: USER, relationships, guilds: [] } })

let at: Folders
let daemon: Daemon | undefined
let platform: Server | undefined

afterEach(async () => {
  await daemon?.stop()
  platform?.closeAllConnections()
  platform?.close()
  await at.remove()
})

/** An HTTP API, and a gateway that sends READY after Identify. Returns its origin and when READY was given to the system. */
async function startPlatform() {
  const sent = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const bodies: Readonly<Record<string, object>> = { '/api/oauth2/@me': AUTHORIZATION, '/api/gateway': { url: `ws://${host}` } }
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { code: 0, message: '404: Not Found' }))
  })
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }))
    socket.on('message', (data: Buffer) => {
      const { op } = JSON.parse(data.toString('utf8')) as { op: number }
      if (op === 2) socket.send(READY, () => sent.resolve())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  platform = server
  return { host, sent: sent.promise }
}

test('another game gets its PONGs between the parts, and friends are kept', async () => {
  at = await folders()
  const { host, sent } = await startPlatform()
  const profile = join(at.base, 'platform.json')
  const base = `http://${host}`
  await writeFile(
    profile,
    JSON.stringify({
      name: 'large',
      ipcPrefix: 'discord-ipc',
      baseUrl: `${base}/api`,
      authorizeUrl: `${base}/authorize`,
      tokenUrl: `${base}/api/token`,
      revokeUrl: `${base}/api/revoke`,
      gatewayUrl: `ws://${host}`,
      cdnHost: 'cdn.example',
      activityProxyHost: 'activities.example',
      presenceOrigins: [],
      rpcOrigins: [],
      userAgent: 'test',
      customSchemePrefix: 'large',
    }),
  )
  daemon = await startDaemon(SOURCE, at, ['--platform', profile, '--consent', 'deny'])
  const greeting = { client_id: APPLICATION, contract: '1.0', max_frame_bytes: 16_777_216 }
  const game = await RawClient.ready(daemon.socket, greeting)
  const other = await RawClient.ready(daemon.socket)
  expect(await game.call('AUTHENTICATE', { access_token: 'token' })).toMatchObject({ evt: null })

  const asked = { isAnswered: false }
  const answer = game.call('GET_RELATIONSHIPS').finally(() => (asked.isAnswered = true))
  await sent
  let pongs = 0
  while (!asked.isAnswered) {
    other.send(frame(OP.PING, String(pongs)))
    expect((await other.next()).opcode).toBe(OP.PONG)
    pongs++
  }
  const kept = BUDGETS.gatewayCachedUsers.value
  const { data } = (await answer) as { data: { relationships: readonly { type: number }[]; left_out: number } }
  expect(data).toMatchObject({ left_out: COUNT - kept })
  expect(data.relationships).toHaveLength(kept)
  expect(data.relationships.filter(({ type }) => type === 1)).toHaveLength(FRIENDS)
  expect(pongs).toBeGreaterThan(LEAST_PONGS)
  game.socket.destroy()
  other.socket.destroy()
  await daemon.stop()
  expect(daemon.output().split('relationships-left-out')).toHaveLength(2)
})
