/** The sandbox sends webhook events to applications. */
import { LIMITS, WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS, type WebhookEventType, WebhookEnvelope } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT } from '../answers.ts'
import { APPLICATION, type Harness, START, startHarness } from '../harness.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const MINUTE = 60_000

let harness: Harness
let receiver: Receiver
beforeEach(async () => {
  harness = await startHarness()
  const { json } = await harness.send('GET', '/applications/@me', { token: BOT })
  receiver = await startReceiver(String(json['verify_key']))
})
afterEach(async () => {
  await harness.close()
  await receiver.close()
})

const edit = (json: object) => harness.send('PATCH', '/applications/@me', { token: BOT, json })
const enable = async (types: readonly string[] = WEBHOOK_EVENT_TYPES) => {
  const answer = await edit({ event_webhooks_url: receiver.url, event_webhooks_status: 2, event_webhooks_types: types })
  receiver.received.length = 0
  return answer
}
const status = async () => (await harness.send('GET', '/applications/@me', { token: BOT })).json['event_webhooks_status']
const control = (path: string, json: object) => harness.send('POST', `~sandbox/${path}`, { json })
const received = (types: readonly string[]) => expect.poll(() => receiver.types()).toEqual(types)
const dataOf = (type: WebhookEventType) => receiver.received.find(({ message }) => message.event?.type === type)?.message.event?.data

describe('a webhook address', () => {
  it('is verified first: a signed ping, and an unsigned one', { tags: ['1-15'] }, async () => {
    expect(await edit({ event_webhooks_url: receiver.url, event_webhooks_status: 2 })).toMatchObject({ status: 200 })
    const ping = { version: 1, application_id: APPLICATION, type: 0 }
    expect(receiver.received).toEqual([
      { isSigned: true, timestamp: START / 1000, message: ping },
      { isSigned: false, timestamp: START / 1000, message: ping },
    ])
  })
  it.each([
    ['accepts a wrong signature', { good: 204, bad: 204 }],
    ['refuses what is signed', { good: 401, bad: 401 }],
    ['answers with a page', { good: 200, bad: 401 }],
  ])('is refused when it %s, and nothing changes', async (_, answers) => {
    Object.assign(receiver.answers, answers)
    const answer = await edit({ description: 'Ships', event_webhooks_url: receiver.url, event_webhooks_status: 2 })
    expect(answer).toMatchObject({ status: 400, json: { code: 50035, errors: { event_webhooks_url: {} } } })
    const { json } = await harness.send('GET', '/applications/@me', { token: BOT })
    expect(json).toMatchObject({ description: '', event_webhooks_url: null, event_webhooks_status: 1 })
  })
  it('is verified when events are enabled, not before', async () => {
    await edit({ event_webhooks_url: receiver.url })
    expect(receiver.received).toEqual([])
    receiver.answers.bad = 204
    expect((await edit({ event_webhooks_status: 2 })).status).toBe(400)
    expect((await edit({ event_webhooks_url: 'http://127.0.0.1:1/', event_webhooks_status: 2 })).status).toBe(400)
  })
  it('beyond this machine is stored without a request', async () => {
    for (const url of ['https://game.example/events', 'http://127.0.0.1.example/', 'http://10.0.0.1/', 'https://127.0.0.1/'])
      expect((await edit({ event_webhooks_url: url, event_webhooks_status: 2 })).json).toMatchObject({ event_webhooks_url: url })
  })
})

describe('events are signed and have the shape of their type', () => {
  afterEach(() => {
    for (const { isSigned, message } of receiver.received) {
      expect(isSigned).toBe(true)
      expect(WebhookEnvelope().safeParse(message).error).toBeUndefined()
      const { type, data } = message.event ?? { type: '' }
      expect(WEBHOOK_EVENTS[type as WebhookEventType]().safeParse(data).error).toBeUndefined()
    }
  })

  it('the start of a subscription is the only event of it: its renewal and end are sent by the gateway alone', {
    tags: ['6-12'],
  }, async () => {
    await enable()
    for (const step of ['start', 'renew', 'cancel', 'end'])
      await control('subscriptions', { application_id: APPLICATION, user: 'mary', step })
    await control('subscriptions', { application_id: APPLICATION, user: 'linus', step: 'start' })
    await received(['ENTITLEMENT_CREATE', 'ENTITLEMENT_CREATE'])
    const owners = receiver.received.map(({ message }) => (message.event?.data as { readonly user_id: string } | undefined)?.user_id)
    expect(new Set(owners)).toEqual(new Set([await harness.idOf('mary'), await harness.idOf('linus')]))
    expect(dataOf('ENTITLEMENT_CREATE')).toMatchObject({ ends_at: null })
  })

  it('a user enrolls in a quest', { tags: ['6-13'] }, async () => {
    await enable()
    expect(await control('quests', { application_id: APPLICATION, user: 'mary', quest_id: '5' })).toMatchObject({ status: 204 })
    await received(['QUEST_USER_ENROLLMENT'])
    expect(dataOf('QUEST_USER_ENROLLMENT')).toMatchObject({ quest_id: '5', user_id: await harness.idOf('mary') })
    expect((await control('quests', { application_id: APPLICATION, user: 'zed', quest_id: '5' })).status).toBe(404)
  })

  it('a user allows the application, and removes it: the last sign-in ends it, once', { tags: ['3-14', '6-11'] }, async () => {
    await enable()
    await harness.signIn('identify')
    await harness.signIn('identify guilds')
    await received(['APPLICATION_AUTHORIZED', 'APPLICATION_AUTHORIZED'])
    expect(receiver.received.map(({ message }) => message.event?.data['scopes'])).toEqual([['identify'], ['identify', 'guilds']])
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await received(['APPLICATION_AUTHORIZED', 'APPLICATION_AUTHORIZED', 'APPLICATION_DEAUTHORIZED'])
    expect(dataOf('APPLICATION_DEAUTHORIZED')).toMatchObject({ user: { id: await harness.idOf('ada'), username: 'ada' } })
  })
  it.each([
    ['a ban', async () => control('ban', { user: 'ada' })],
    [
      'a revoked token',
      async (token: string) =>
        harness.form('/api/v10/oauth2/token/revoke', { token, client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }),
    ],
  ])('%s is an end too', { tags: ['6-14'] }, async (_, end) => {
    await enable(['APPLICATION_DEAUTHORIZED'])
    const { access_token } = await harness.signIn('identify')
    expect((await end(access_token)).status).toBeLessThan(300)
    await received(['APPLICATION_DEAUTHORIZED'])
  })
  it('an entitlement is made; that it is used up and deleted is sent by the gateway alone', { tags: ['6-12'] }, async () => {
    await enable()
    const { json: skus } = await harness.send('GET', `/applications/${APPLICATION}/skus`, { token: BOT })
    const coil = (skus as unknown as { id: string; type: number }[]).find(({ type }) => type === 3)
    const at = `/applications/${APPLICATION}/entitlements`
    const owner_id = await harness.idOf('ada')
    const { json } = await harness.send('POST', at, { token: BOT, json: { sku_id: coil?.id, owner_id, owner_type: 2 } })
    const id = String(json['id'])
    await received(['ENTITLEMENT_CREATE'])
    await harness.send('POST', `${at}/${id}/consume`, { token: BOT })
    await harness.send('DELETE', `${at}/${id}`, { token: BOT })
    await harness.send('POST', at, { token: BOT, json: { sku_id: coil?.id, owner_id, owner_type: 2 } })
    await received(['ENTITLEMENT_CREATE', 'ENTITLEMENT_CREATE'])
    expect(dataOf('ENTITLEMENT_CREATE')).toMatchObject({ id, user_id: owner_id, deleted: false })
  })
  it('a message is written in a lobby, edited and deleted', { tags: ['6-15'] }, async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    await enable()
    const lobby = (await harness.send('PUT', '/lobbies', { token, json: { secret: 'pier' } })).json
    const at = `/lobbies/${String(lobby['id'])}/messages`
    const { id: message_id } = (await harness.send('POST', at, { token, json: { content: 'Ahoy' } })).json
    await received(['LOBBY_MESSAGE_CREATE'])
    const written = { content: 'Ahoy', lobby_id: lobby['id'], author: { username: 'ada' } }
    expect(dataOf('LOBBY_MESSAGE_CREATE')).toMatchObject(written)
    // Moderation metadata sends no event, and does not apply to a later text.
    await harness.send('PUT', `${at}/${String(message_id)}/moderation-metadata`, { token: BOT, json: { verdict: 'fine' } })
    harness.clock.advance(1_000)
    expect((await control('lobby-messages', { message_id, content: 'Ahoy!' })).status).toBe(204)
    await received(['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE'])
    const edited = dataOf('LOBBY_MESSAGE_UPDATE')
    expect(edited).toMatchObject({ ...written, content: 'Ahoy!', edited_timestamp: expect.any(String) })
    expect(Date.parse(String(edited?.['edited_timestamp']))).toBeGreaterThan(Date.parse(String(edited?.['timestamp'])))
    const [kept] = (await harness.send('GET', at, { token })).json as unknown as object[]
    expect(kept).toMatchObject({ id: message_id, content: 'Ahoy!' })
    expect(kept).not.toHaveProperty('moderation_metadata')
    for (const refused of [{}, { content: '' }, { content: 'sandbox-blocked' }, { content: 'x', deleted: true }])
      expect((await control('lobby-messages', { message_id, ...refused })).status).toBe(400)
    expect((await control('lobby-messages', { message_id, deleted: true })).status).toBe(204)
    await received(['LOBBY_MESSAGE_CREATE', 'LOBBY_MESSAGE_UPDATE', 'LOBBY_MESSAGE_DELETE'])
    expect(dataOf('LOBBY_MESSAGE_DELETE')).toEqual({ id: message_id, lobby_id: lobby['id'] })
    expect((await harness.send('GET', at, { token })).json).toEqual([])
    expect(await control('lobby-messages', { message_id, deleted: true })).toMatchObject({ status: 404, json: { code: 10_008 } })
  })
  it('a deleted lobby or a full history sends no event for each message', async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    const lobby = (await harness.send('PUT', '/lobbies', { token, json: { secret: 'pier' } })).json
    const at = `/lobbies/${String(lobby['id'])}`
    for (let count = 0; count < LIMITS.lobbyMessages.value; count++)
      await harness.send('POST', `${at}/messages`, { token, json: { content: 'Ahoy' } })
    await enable()
    await harness.send('POST', `${at}/messages`, { token, json: { content: 'one more' } })
    await harness.send('DELETE', at, { token: BOT })
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await received(['LOBBY_MESSAGE_CREATE', 'APPLICATION_DEAUTHORIZED'])
  })
  it('a direct message is written, changed and taken back', { tags: ['6-15'] }, async () => {
    const { access_token: token } = await harness.signIn('sdk.social_layer')
    await enable()
    const grace = await harness.idOf('grace')
    const at = `/users/${grace}/messages`
    const { json } = await harness.send('POST', at, { token, json: { content: 'Ahoy' } })
    await received(['GAME_DIRECT_MESSAGE_CREATE'])
    await harness.send('PATCH', `${at}/${String(json['id'])}`, { token, json: { content: 'Land' } })
    await received(['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE'])
    await harness.send('DELETE', `${at}/${String(json['id'])}`, { token })
    await received(['GAME_DIRECT_MESSAGE_CREATE', 'GAME_DIRECT_MESSAGE_UPDATE', 'GAME_DIRECT_MESSAGE_DELETE'])
    expect(dataOf('GAME_DIRECT_MESSAGE_UPDATE')).toMatchObject({
      id: json['id'],
      content: 'Land',
      recipient_id: grace,
      channel: { type: 1 },
    })
  })
  it('only subscribed types, and only while events are enabled', { tags: ['1-15', '6-23'] }, async () => {
    await enable(['APPLICATION_DEAUTHORIZED'])
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await received(['APPLICATION_DEAUTHORIZED'])
    await edit({ event_webhooks_status: 1 })
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await harness.send('GET', '/applications/@me', { token: BOT })
    expect(receiver.types()).toEqual(['APPLICATION_DEAUTHORIZED'])
  })
})

it('many events are sent with limited concurrency, and each arrives', async () => {
  const { access_token: token } = await harness.signIn('sdk.social_layer')
  await enable(['LOBBY_MESSAGE_CREATE'])
  const lobby = (await harness.send('PUT', '/lobbies', { token, json: { secret: 'pier' } })).json
  const at = `/lobbies/${String(lobby['id'])}/messages`
  receiver.hold()
  const contents = Array.from({ length: 100 }, (_, count) => `message ${count}`)
  for (const content of contents) await harness.send('POST', at, { token, json: { content } })
  await expect.poll(() => receiver.received.length).toBe(32)
  receiver.release()
  await expect.poll(() => receiver.received.length).toBe(100)
  expect(receiver.received.map(({ message }) => String(message.event?.data['content'])).toSorted()).toEqual(contents.toSorted())
  expect(receiver.most).toBe(32)
})

describe('an event that is not taken', () => {
  const unlink = async () => {
    await enable(['APPLICATION_DEAUTHORIZED'])
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
  }
  /** It was sent so often, and the next time is in twice as long as the last. */
  const waits = (count: number) =>
    expect
      .poll(() => [receiver.received.length, (harness.clock.nextAt ?? 0) - harness.clock.now()])
      .toEqual([count, 1000 * 2 ** (count - 1)])

  it('comes again after 1, 2, 4 seconds, the same event signed anew, until it is taken', async () => {
    receiver.answers.good = 204
    await enable(['APPLICATION_DEAUTHORIZED'])
    receiver.answers.good = 500
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await waits(1)
    harness.clock.advance(999)
    expect(receiver.received).toHaveLength(1)
    harness.clock.advance(1)
    await waits(2)
    harness.clock.advance(2_000)
    await waits(3)
    receiver.answers.good = 204
    harness.clock.advance(4_000)
    await expect.poll(() => receiver.received.length).toBe(4)
    await expect.poll(() => harness.clock.pending).toBe(0)
    expect(new Set(receiver.received.map(({ message }) => JSON.stringify(message))).size).toBe(1)
    expect(receiver.received.map(({ timestamp }) => timestamp - START / 1000)).toEqual([0, 1, 3, 7])
    expect(await status()).toBe(2)
  })
  it('in three seconds is sent again, despite a later reply', async () => {
    await enable(['APPLICATION_DEAUTHORIZED'])
    receiver.hold()
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    await received(['APPLICATION_DEAUTHORIZED'])
    harness.clock.advance(3_000)
    await waits(1)
    receiver.release()
    harness.clock.advance(1_000)
    await expect.poll(() => [receiver.received.length, harness.clock.pending]).toEqual([2, 0])
  })
  it('for ten minutes makes the platform turn the address off', async () => {
    await unlink()
    await received(['APPLICATION_DEAUTHORIZED'])
    receiver.received.length = 0
    receiver.answers.good = 500
    await harness.signIn('identify')
    await control('deauthorize', { user: 'ada', application_id: APPLICATION })
    for (let count = 1; count < 10; count++) {
      await waits(count)
      harness.clock.advance(1000 * 2 ** (count - 1))
    }
    await expect.poll(status).toBe(3)
    expect(receiver.received).toHaveLength(10)
    expect(receiver.received[9]?.timestamp).toBeLessThanOrEqual((START + 10 * MINUTE) / 1000)
    await expect.poll(() => harness.clock.pending).toBe(0)
  })
})

describe('deliveries on demand', () => {
  const send = async (json: object) => (await control('webhooks', { application_id: APPLICATION, ...json })).json
  it('are signed wrongly, not at all, or long ago, and come more than once', async () => {
    await enable()
    const left = { type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: '42' } } }
    expect(await send({})).toEqual({ statuses: [204] })
    expect(await send({ ...left, signature: 'wrong' })).toEqual({ statuses: [401] })
    expect(await send({ signature: 'missing' })).toEqual({ statuses: [401] })
    expect(await send({ ...left, timestamp_offset_s: -600, times: 2 })).toEqual({ statuses: [204, 204] })
    expect(receiver.received.map(({ isSigned, timestamp }) => [isSigned, timestamp - START / 1000])).toEqual([
      [true, 0],
      [false, 0],
      [false, 0],
      [true, -600],
      [true, -600],
    ])
    expect(receiver.received[3]?.message).toEqual(receiver.received[4]?.message)
  })
  it('disable the address that accepts a wrong signature', async () => {
    await enable()
    receiver.answers.bad = 204
    expect(await send({ signature: 'wrong' })).toEqual({ statuses: [204] })
    const { json } = await harness.send('GET', '/applications/@me', { token: BOT })
    expect(json).toMatchObject({ event_webhooks_url: null, event_webhooks_status: 1 })
  })
  it('need an address on this machine', async () => {
    expect(await send({})).toMatchObject({ code: 50035 })
    await edit({ event_webhooks_url: 'https://game.example/events', event_webhooks_status: 2 })
    expect(await send({})).toMatchObject({ code: 50035 })
  })
  it('return 0 without a receiver', async () => {
    await enable()
    await receiver.close()
    expect(await send({})).toEqual({ statuses: [0] })
  })
})
