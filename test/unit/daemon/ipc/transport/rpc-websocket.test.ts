import { BUDGETS } from '@sallyport/core/budgets'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Closer } from '@sallyport/core/closer'
import { holdPort } from '@sallyport/core/net/held-port'
import { LOOPBACK_ORIGINS } from '@sallyport/core/origins'
import { activityOriginRules, rpcOriginRules } from '#daemon/src/config/web-origins.ts'
import { programOf } from '#daemon/src/identity/program.ts'
import { serveRpcWebSocket } from '#daemon/src/ipc/transport/rpc-websocket.ts'
import type { PeerOwner } from '#daemon/src/loopback/tcp-peer.ts'
import { testBridge, type TestBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { peersOf } from '#test/support/tcp-peers.ts'

const PAGE = 'http://localhost:3000'
const clock = new FakeClock()
const log = new RecordingLog()
const rejectAll = () => {
  throw new Error('no connection is allowed')
}
const closed = async (page: WebSocket): Promise<number> => ((await once(page, 'close')) as [number])[0]

test('a 404 response to plain HTTP identifies the server', async () => {
  const held = await holdPort(0)
  const close = serveRpcWebSocket({
    clock,
    log,
    peers: peersOf('this-user'),
    isAllowed: () => false,
    isActivity: () => false,
    charge: () => undefined,
    onChannel: rejectAll,
    held,
  })
  const reply = await fetch(`http://127.0.0.1:${held.port}/rpc`, { method: 'POST', body: 'anything' })
  expect(reply.status).toBe(404)
  expect(await reply.text()).toBe('')
  await close()
  await expect(fetch(`http://127.0.0.1:${held.port}/`)).rejects.toThrow()
})

describe('a page', () => {
  let bridge: TestBridge
  let web: { readonly port: number; readonly close: Closer }
  let owner: PeerOwner

  beforeEach(async () => {
    owner = 'this-user'
    bridge = testBridge()
    const held = await holdPort(0)
    const close = serveRpcWebSocket({
      clock,
      log,
      peers: { areKnown: true, ownerOf: async () => owner },
      isAllowed: rpcOriginRules(LOOPBACK_ORIGINS, ['42=https://own.example', '42=http://42.localhost:5000']),
      isActivity: activityOriginRules({ activityProxyHost: 'localhost:5000' }).isActivity,
      charge: (origin) => bridge.accounting.charge('webConnections', programOf({ origin })),
      onChannel: (channel) => bridge.bridge.openConnection(channel),
      held,
    })
    web = { port: held.port, close }
  })
  afterEach(() => web.close())

  const visit = (query = 'v=1&client_id=42&encoding=json', headers: Record<string, string> = { origin: PAGE }): WebSocket =>
    new WebSocket(`ws://127.0.0.1:${web.port}/?${query}`, { headers })
  const received = async (page: WebSocket) => JSON.parse(String((await once(page, 'message'))[0])) as Record<string, unknown>
  const ready = async (query?: string): Promise<WebSocket> => {
    const page = visit(query)
    expect(await received(page)).toMatchObject({ cmd: 'DISPATCH', evt: 'READY' })
    return page
  }
  const ask = (page: WebSocket, cmd: string, args?: object, evt?: string) => {
    page.send(JSON.stringify({ cmd, args, evt, nonce: '1' }))
    return received(page)
  }

  test('of one origin leaves capacity for other origins', async () => {
    const pages = await Promise.all(Array.from({ length: BUDGETS.webConnectionsPerOrigin.value }, () => ready()))
    const [code, reason] = (await once(visit(), 'close')) as [number, Buffer]
    expect([code, String(reason)]).toEqual([4002, expect.stringContaining('close some')])
    const other = visit('v=1&client_id=42&encoding=json', { origin: 'https://own.example' })
    expect(await received(other)).toMatchObject({ evt: 'READY' })
    pages[0]?.close()
    await expect
      .poll(async () => Promise.race([received(visit()).then(() => 'served'), once(visit(), 'close').then(() => 'closed')]))
      .toBe('served')
    for (const page of [...pages, other]) page.terminate()
  })

  test('receives READY without a handshake frame and without a user, and gets responses', async () => {
    const page = visit()
    expect(await received(page)).toEqual({
      cmd: 'DISPATCH',
      data: { v: 1, config: { cdn_host: 'cdn.example.test', api_endpoint: '//example.test/api', environment: 'production' } },
      evt: 'READY',
      nonce: null,
    })
    expect(await ask(page, 'SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toEqual({
      cmd: 'SUBSCRIBE',
      data: { evt: 'AUTHORIZE_REQUEST' },
      evt: null,
      nonce: '1',
    })
    page.close()
    await closed(page)
    expect(bridge.registry.all()).toEqual([])
  })

  test.each([
    ['a foreign origin', undefined, { origin: 'https://evil.test' }, 4001],
    ['no origin', undefined, {}, 4001],
    ['the origin of another application', undefined, { origin: 'https://own.example.evil.test' }, 4001],
    ['a foreign name that leads here', undefined, { origin: PAGE, host: 'evil.test' }, 4001],
    ['another version', 'v=2&client_id=42', { origin: PAGE }, 4004],
    ['no version', 'client_id=42', { origin: PAGE }, 4004],
    ['etf', 'v=1&client_id=42&encoding=etf', { origin: PAGE }, 4005],
    ['an encoding of sockets', 'v=1&client_id=42&encoding=msgpack', { origin: PAGE }, 4005],
    ['no application', 'v=1', { origin: PAGE }, 4000],
    ['an application that is a path', 'v=1&client_id=../../etc', { origin: PAGE }, 4000],
    ['a query that is longer than a handshake', `v=1&client_id=${'4'.repeat(5000)}`, { origin: PAGE }, 1003],
  ])('with %s is closed with a code', async (_what, query, headers, code) => {
    expect(await closed(visit(query, headers))).toBe(code)
    expect(bridge.registry.all()).toEqual([])
  })

  test('that is rejected is logged with its origin, host and application only', async () => {
    log.lines.length = 0
    const origin = `https://own.example.${'x'.repeat(500)}`
    expect(await closed(visit('v=1&client_id=42&token=planted', { origin }))).toBe(4001)
    const fields = { origin: origin.slice(0, 128), host: `127.0.0.1:${web.port}`, applicationId: '42', port: web.port, owner: 'this-user' }
    expect(log.lines).toEqual([{ level: 'info', event: 'page-refused', fields }])
  })

  test('of the activity proxy may call what the bridge serves to activities, and the others are refused with a reason', {
    tags: ['1-19', '7-8'],
  }, async () => {
    const activity = visit(undefined, { origin: 'http://42.localhost:5000' })
    expect(await received(activity)).toMatchObject({ evt: 'READY' })
    expect(await ask(activity, 'GET_PLATFORM_BEHAVIORS')).toMatchObject({ evt: null, data: {} })
    expect(await ask(activity, 'SUBSCRIBE', {}, 'ORIENTATION_UPDATE')).toMatchObject({ evt: null })
    expect(await ask(activity, 'OPEN_EXTERNAL_LINK', { url: 'https://example.test' })).toMatchObject({
      evt: 'ERROR',
      data: {
        code: 1001,
        message: 'OPEN_EXTERNAL_LINK is not available here. The activity runs in a browser; open the link with window.open after a click.',
      },
    })
    expect(await ask(activity, 'SHARE_LINK', { message: 'Come aboard', referrer_id: '5' })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000, message: expect.stringContaining('referrer_id') },
    })
    activity.terminate()
    const page = await ready()
    for (const cmd of ['GET_PLATFORM_BEHAVIORS', 'OPEN_INVITE_DIALOG'])
      expect(await ask(page, cmd)).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    page.terminate()
  })

  test('may use only the application that its origin is configured for', async () => {
    const own = visit(undefined, { origin: 'https://own.example' })
    expect(await received(own)).toMatchObject({ evt: 'READY' })
    own.terminate()
    expect(await closed(visit('v=1&client_id=43', { origin: 'https://own.example' }))).toBe(4001)
  })

  test('does not count against local programs', async () => {
    const page = await ready()
    for (const cmd of ['SET_ACTIVITY', 'GET_TOKEN', 'GET_BRIDGE_STATUS', 'SET_BOT_TOKEN', 'DELIVER_AUTHORIZE_CALLBACK', 'MAP_ACTIVITY_URL'])
      expect(await ask(page, cmd, {})).toMatchObject({ cmd, evt: 'ERROR', data: { code: 4006 } })
    page.terminate()
  })

  test('cannot raise its limits with the handshake fields of our bindings', async () => {
    const page = await ready('v=1&client_id=42&contract=1.0&encoding=json')
    page.send('x'.repeat(65_537))
    expect(await closed(page)).toBe(1009)
  })

  test.each([
    ['text that is not JSON', '{"cmd":'],
    ['a message of bytes', Buffer.from('{}')],
  ])('that sends %s loses only its own connection', async (_what, message) => {
    const [page, other] = [await ready(), await ready()]
    page.send(message)
    expect(await closed(page)).toBe(1003)
    expect(await ask(other, 'SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toMatchObject({ evt: null })
    other.terminate()
  })

  test('gets an error for JSON that is not a call, and stays connected', async () => {
    const page = await ready()
    page.send('null')
    expect(await received(page)).toMatchObject({ evt: 'ERROR' })
    expect(await ask(page, 'NO_SUCH_COMMAND')).toMatchObject({ evt: 'ERROR', data: { code: 4002 } })
    page.terminate()
  })

  test('is closed with the same code and reason as a program', async () => {
    const page = await ready()
    bridge.bridge.close('The bridge stops.')
    const [code, reason] = (await once(page, 'close')) as [number, Buffer]
    expect([code, reason.toString()]).toEqual([1000, 'The bridge stops.'])
  })

  describe('in fragments', () => {
    const MAX_PARTS = 1024
    const call = JSON.stringify({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST', nonce: 'in parts' })
    const sendIn = (page: WebSocket, parts: number) => {
      const text = call.padEnd(parts, ' ')
      for (let n = 0; n < parts - 1; n++) page.send(text.charAt(n), { fin: false })
      page.send(text.slice(parts - 1))
    }
    test('is reassembled', async () => {
      const page = await ready()
      sendIn(page, MAX_PARTS)
      expect(await received(page)).toMatchObject({ nonce: 'in parts', evt: null })
      page.terminate()
    })
    test('is closed when there are too many, because each costs many times its payload', async () => {
      const page = await ready()
      sendIn(page, MAX_PARTS + 1)
      expect(await closed(page)).toBe(1008)
    })
  })

  test('can connect among many silent peers, and stays connected when more arrive', async () => {
    const stays = await ready()
    const crowd = Array.from({ length: 70 }, () => connect(web.port, '127.0.0.1').on('error', () => {}))
    await Promise.all(crowd.map((silent) => once(silent, 'connect')))
    const comes = await ready()
    for (const page of [stays, comes]) {
      expect(await ask(page, 'SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toMatchObject({ evt: null })
      page.terminate()
    }
    for (const silent of crowd) silent.destroy()
  })

  test('of a foreign origin occupies no slot, even without a close response', async () => {
    const asks = [
      'GET /?v=1&client_id=42 HTTP/1.1',
      'Host: localhost',
      'Origin: https://evil.test',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    const foreign = Array.from({ length: 70 }, () => connect(web.port, '127.0.0.1').on('error', () => {}))
    for (const silent of foreign) silent.write(`${asks.join('\r\n')}\r\n\r\n`)
    await Promise.all(foreign.map((silent) => once(silent, 'data')))
    ;(await ready()).terminate()
    for (const silent of foreign) silent.destroy()
  })

  test('of another user of the machine is closed regardless of its origin, and occupies no slot', async () => {
    owner = 'another-user'
    const theirs = Array.from({ length: BUDGETS.webConnections.value }, () => visit())
    for (const page of theirs) {
      const [code, reason] = (await once(page, 'close')) as [number, Buffer]
      expect([code, String(reason)]).toEqual([4001, expect.stringContaining('another user') as string])
    }
    expect(bridge.registry.all()).toEqual([])
    owner = 'this-user'
    ;(await ready()).terminate()
  })

  test('is accepted on systems that do not list the owner', async () => {
    owner = 'unknown'
    ;(await ready()).terminate()
  })

  test('gets exactly one pong per ping', async () => {
    const page = await ready()
    page.ping('are you there')
    expect(String((await once(page, 'pong'))[0])).toBe('are you there')
    page.terminate()
  })
})
