/**
 * Compares signatures with an independent server-side library, both ways. Its middlewares accept the sandbox's events and refuse wrong ones.
 * The daemon accepts and refuses the same signed requests as the library.
 */
import type { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WEBHOOK_EVENTS } from '@sallyport/protocol'
import { verifyKey, verifyKeyMiddleware, verifyWebhookEventMiddleware, WebhookEventType, WebhookType } from 'discord-interactions'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'

const SENDER = '999000201'
const RECEIVER = '999000202'
const BOT = `Bot sandbox-bot-${SENDER}`

interface Event {
  readonly type: string
  readonly data: Record<string, unknown>
}

/** A developer's server with the library before its handlers, on plain Node. */
async function developersServer(key: () => string) {
  const events: Event[] = []
  const take = (request: object): void => {
    const { body } = request as { readonly body?: { readonly event?: Event } }
    if (body?.event !== undefined) events.push(body.event)
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // What the library uses of Express.
    const withHeader = Object.assign(request, { header: (name: string) => request.headers[name.toLowerCase()] })
    if (request.url === '/events') verifyWebhookEventMiddleware(key())(withHeader, response, () => take(withHeader))
    else verifyKeyMiddleware(key())(withHeader, response, () => response.writeHead(204).end())
  }
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs as a platform would, by Web Crypto, as the library's own examples do. */
async function signer() {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')
  return {
    publicKey: hex(await crypto.subtle.exportKey('raw', pair.publicKey)),
    sign: async (timestamp: string, body: string) =>
      hex(await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(timestamp + body))),
  }
}

interface Letter {
  readonly body: string
  readonly timestamp: string
  readonly signature: string
}

const envelope = (application_id: string, more: object): string => JSON.stringify({ version: 1, application_id, ...more })
const PING = envelope(RECEIVER, { type: WebhookType.PING })
const event = (type: string, data: unknown): string =>
  envelope(RECEIVER, { type: WebhookType.EVENT, event: { type, timestamp: '2026-11-21T12:00:00.123456', data } })

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let server: Awaited<ReturnType<typeof developersServer>>
  let platform: Awaited<ReturnType<typeof signer>>
  let verifyKeyOfApplication = ''

  beforeAll(async () => {
    at = await folders()
    platform = await signer()
    daemon = await startDaemon(target, at, ['--webhook-port', '0', '--webhook-public-keys', `${RECEIVER}=${platform.publicKey}`])
    server = await developersServer(() => verifyKeyOfApplication)
    verifyKeyOfApplication = String((await api('GET', '/applications/@me')).body['verify_key'])
  })
  afterAll(async () => {
    server.close()
    await daemon.stop()
    await at.remove()
  })

  const asked = async (address: string, init: RequestInit) => {
    const answer = await fetch(address, { ...init, headers: { 'Content-Type': 'application/json', Authorization: BOT } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const api = (method: string, path: string, body?: object) =>
    asked(`${daemon.ready.apiBase}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const wanted = (url: string) =>
    api('PATCH', '/applications/@me', {
      event_webhooks_url: url,
      event_webhooks_status: 2,
      event_webhooks_types: Object.keys(WEBHOOK_EVENTS),
    })
  const send = async (how: object) =>
    (
      await asked(`${daemon.origin}/sandbox/webhooks`, {
        method: 'POST',
        body: JSON.stringify({ application_id: SENDER, ...how }),
      })
    ).body

  describe('what the sandbox sends', () => {
    test('has signatures that the library verifies, and wrong ones that it refuses, before the address is taken', {
      tags: ['1-15'],
    }, async () => {
      expect(await wanted(`${server.origin}/events`)).toMatchObject({
        status: 200,
        body: { event_webhooks_url: `${server.origin}/events`, event_webhooks_status: 2 },
      })
    })
    test('is taken by the library and handed on, a sign of life answered by it alone', async () => {
      await wanted(`${server.origin}/events`)
      server.events.length = 0
      expect(await send({})).toEqual({ statuses: [204] })
      const data = { user: { id: '1', username: 'Zoë "\\" \u2028 🎣' } }
      expect(await send({ type: 'APPLICATION_DEAUTHORIZED', data, times: 2 })).toEqual({ statuses: [204, 204] })
      await vi.waitFor(() => expect(server.events).toHaveLength(2), SOON)
      expect(server.events[0]).toMatchObject({ type: 'APPLICATION_DEAUTHORIZED', data })
    })
    test('is refused by the library when it is wrong on purpose', async () => {
      await wanted(`${server.origin}/events`)
      server.events.length = 0
      for (const signature of ['wrong', 'missing']) {
        expect(await send({ signature })).toEqual({ statuses: [401] })
        expect(await send({ signature, type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: '1' } } })).toEqual({ statuses: [401] })
      }
      expect(server.events).toEqual([])
    })
    test('comes by itself when something happens, signed', async () => {
      await wanted(`${server.origin}/events`)
      server.events.length = 0
      const skus = (await api('GET', `/applications/${SENDER}/skus`)).body as unknown as { id: string }[]
      const users = ((await asked(`${daemon.origin}/sandbox/state`, {})).body as { users: { id: string }[] }).users
      const owner = { owner_id: users[0]?.id, owner_type: 2 }
      await api('POST', `/applications/${SENDER}/entitlements`, { sku_id: skus[0]?.id, ...owner })
      await vi.waitFor(() => expect(server.events).toMatchObject([{ type: 'ENTITLEMENT_CREATE', data: { user_id: owner.owner_id } }]), SOON)
    })
    test('is verified by the middleware for interactions too, which answers what it takes for a ping', async () => {
      expect((await wanted(`${server.origin}/interactions`)).status).toBe(200)
      expect(await send({})).toEqual({ statuses: [204] })
      expect(await send({ signature: 'wrong' })).toEqual({ statuses: [401] })
      expect(await send({ type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: '1' } } })).toEqual({ statuses: [200] })
    })
  })

  describe('what is signed as users of the library sign', () => {
    const letter = async (body: string, change: Partial<Letter> = {}): Promise<Letter> => {
      const timestamp = String(Math.floor(Date.now() / 1000))
      return { body, timestamp, signature: await platform.sign(timestamp, body), ...change }
    }
    const deliver = async ({ body, timestamp, signature }: Letter): Promise<number> => {
      const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp, 'Content-Type': 'application/json' }
      return (await fetch(`${daemon.ready.webhooks}${RECEIVER}`, { method: 'POST', headers, body })).status
    }
    const judged = ({ body, timestamp, signature }: Letter) => verifyKey(body, signature, timestamp, platform.publicKey)

    test.each([
      ['a ping', PING],
      ['a ping with spaces and another order', ` {"type" : 0, "application_id":"${RECEIVER}" , "version":1 }\n`],
      ['text beyond ASCII', event('APPLICATION_DEAUTHORIZED', { user: { id: '1', username: 'Zoë 🎣 \u2028' } })],
      ['escapes', event('APPLICATION_DEAUTHORIZED', { user: { id: '2' } }).replace('"2"', '"\\u0032"')],
      ['an event of no known type', event('MOON_LANDING', {})],
    ])('%s is taken', async (_, body) => {
      const signed = await letter(body)
      expect(await judged(signed)).toBe(true)
      expect(await deliver(signed)).toBe(204)
    })

    test('every event that the library knows is taken as an event that we know', async () => {
      const types = Object.values(WebhookEventType)
      const message = { id: '7', lobby_id: '30', content: 'Ahoy', author: { id: '1' } }
      const entitlement = { id: '8', sku_id: '9', application_id: RECEIVER, user_id: '1', type: 8 }
      const dataOf = (type: string): unknown =>
        type.startsWith('ENTITLEMENT') ? entitlement : type.includes('MESSAGE') ? message : { user: { id: '3' }, scopes: [] }
      for (const type of types) expect(await deliver(await letter(event(type, dataOf(type)))), type).toBe(204)
      expect(types.filter((type) => !Object.hasOwn(WEBHOOK_EVENTS, type))).toEqual([])
      await vi.waitFor(() => {
        const logged = daemon.output()
        expect(types.filter((type) => !logged.includes(`"type":"${type}"`))).toEqual([])
      }, SOON)
    })

    test.each<readonly [string, (good: Letter) => Partial<Letter> | Promise<Partial<Letter>>]>([
      ['a body with one character more', ({ body }) => ({ body: `${body} ` })],
      ['a body with one letter changed', ({ body }) => ({ body: body.replace('"1"', '"2"') })],
      ['another time', ({ timestamp }) => ({ timestamp: String(Number(timestamp) + 1) })],
      [
        'a signature with one digit changed',
        ({ signature }) => ({ signature: (signature.startsWith('0') ? '1' : '0') + signature.slice(1) }),
      ],
      ['half a signature', ({ signature }) => ({ signature: signature.slice(0, 64) })],
      ['a signature of nothing but zeros', () => ({ signature: '0'.repeat(128) })],
      ['no signature', () => ({ signature: '' })],
      ['words for a signature', () => ({ signature: 'not hexadecimal' })],
      ["a stranger's signature", async ({ timestamp, body }) => ({ signature: await (await signer()).sign(timestamp, body) })],
      ['a signature of the body alone', async ({ body }) => ({ signature: await platform.sign('', body) })],
    ])('%s is refused, as the library refuses it', async (_, bend) => {
      const good = await letter(event('APPLICATION_DEAUTHORIZED', { user: { id: '1' } }))
      const bent = { ...good, ...(await bend(good)) }
      expect([await judged(good), await judged(bent)]).toEqual([true, false])
      expect(await deliver(bent)).toBe(401)
    })

    test('a signature in capitals is taken, as the library takes it', async () => {
      const { signature, ...rest } = await letter(PING)
      const capitals = { ...rest, signature: signature.toUpperCase() }
      expect(await judged(capitals)).toBe(true)
      expect(await deliver(capitals)).toBe(204)
    })
  })
})
