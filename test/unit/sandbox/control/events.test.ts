/** Events on demand: each reaches the bot or the user by the gateway, or the webhook of the application; one request undoes them all. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALSO_FROM, ASSIGNED_ROUTES, PREFERENCE } from '#daemon/src/events/routes.ts'
import { EVENTS, GATEWAY_INTENTS, LIMITED_INTENT_FLAGS, WEBHOOK_EVENT_TYPES } from '@sallyport/protocol'
import { CONTROLS } from '@sallyport/sandbox/control/controls'
import { RECIPES } from '@sallyport/sandbox/control/events'
import { Journal } from '@sallyport/sandbox/control/journal'
import { JOURNAL_MAX } from '@sallyport/sandbox/constants'
import { Store } from '@sallyport/sandbox/store/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bot, type GatewayClient, user } from '../gateway/client.ts'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'

const ALL_INTENTS = Object.values(GATEWAY_INTENTS).reduce((sum, bit) => sum | bit, 0)
/** What the platform dispatches for an event of games with another name. */
const DISPATCHED: Readonly<Record<string, readonly string[]>> = {
  ACTIVITY_INVITE: ['MESSAGE_CREATE'],
  ACTIVITY_JOIN: ['MESSAGE_CREATE'],
  ACTIVITY_JOIN_REQUEST: ['MESSAGE_CREATE'],
  CURRENT_GUILD_MEMBER_UPDATE: ['GUILD_MEMBER_UPDATE'],
  CURRENT_USER_UPDATE: ['USER_UPDATE'],
  GAME_DIRECT_MESSAGE_CREATE: ['MESSAGE_CREATE'],
  GAME_DIRECT_MESSAGE_DELETE: ['MESSAGE_DELETE'],
  GAME_DIRECT_MESSAGE_UPDATE: ['MESSAGE_UPDATE'],
  GAME_RELATIONSHIP_UPDATE: ['GAME_RELATIONSHIP_ADD', 'GAME_RELATIONSHIP_UPDATE'],
  GUILD_STATUS: ['GUILD_UPDATE'],
  QUEST_ENROLLMENT_STATUS_UPDATE: ['QUEST_USER_ENROLLMENT'],
  RELATIONSHIP_UPDATE: ['RELATIONSHIP_ADD'],
}

let harness: Harness
afterEach(() => harness.close())
const send = (json: object) => harness.send('POST', '~sandbox/events', { json: { application_id: APPLICATION, ...json } })

interface State {
  readonly users: readonly { readonly username: string; readonly global_name: string }[]
  readonly guilds: readonly { readonly name: string; readonly channels: readonly object[]; readonly member_ids: readonly string[] }[]
  readonly counts: Readonly<Record<string, number>>
}
const state = async () => (await harness.send('GET', '~sandbox/state')).json as unknown as State

describe('POST /sandbox/events', () => {
  it('has every event that reaches games without the desktop client', async () => {
    harness = await startHarness()
    const served = Object.entries(PREFERENCE).flatMap(([event, routes]) => {
      const also: readonly string[] = event in ALSO_FROM ? ALSO_FROM[event as keyof typeof ALSO_FROM] : []
      const isServed = routes.some((route) => route !== 'client') || also.some((route) => route !== 'bridge')
      return isServed ? [event] : []
    })
    expect(Object.keys(ASSIGNED_ROUTES)).toContain('client')
    expect(Object.keys(RECIPES).toSorted()).toEqual(served.toSorted())
    expect(Object.keys(RECIPES).every((event) => Object.hasOwn(EVENTS, event))).toBe(true)
  })

  describe('sends', () => {
    let clients: readonly GatewayClient[]
    let webhook: Receiver
    beforeEach(async () => {
      harness = await startHarness()
      const token = `Bot sandbox-bot-${APPLICATION}`
      webhook = await startReceiver(harness.sandbox.verifyKey(APPLICATION))
      const json = {
        event_webhooks_url: webhook.url,
        event_webhooks_status: 2,
        event_webhooks_types: WEBHOOK_EVENT_TYPES,
        flags: LIMITED_INTENT_FLAGS,
      }
      expect((await harness.send('PATCH', '/applications/@me', { token, json })).status).toBe(200)
      clients = [(await bot(harness, ALL_INTENTS)).client, (await user(harness, 'ada')).client]
    })
    afterEach(() => webhook.close())

    it.each(Object.keys(RECIPES))('%s', async (event) => {
      const { status, json, text } = await send({ event })
      expect({ status, json }, text).toEqual({ status: 200, json: { events: [event] } })
      const heard = (await Promise.all(clients.map((client) => client.heardUntilNow(harness)))).flat().map(({ t }) => t ?? '')
      await expect
        .poll(() => [...heard, ...webhook.types()].some((t) => (DISPATCHED[event] ?? [event]).includes(t)), { message: event })
        .toBe(true)
    })
  })

  it('sends one of each, twice in a row, for any user of the guild; a wrong name is refused with the list', async () => {
    harness = await startHarness()
    for (const json of [{}, {}, { user: 'grace' }]) expect(await send(json)).toMatchObject({ json: { events: Object.keys(RECIPES) } })
    expect((await send({ event: 'SPEAKING_START' })).json).toMatchObject({
      code: 50035,
      message: expect.stringContaining('MESSAGE_CREATE'),
    })
  })
})

describe('POST /sandbox/reset', () => {
  it('undoes data, time, limits and faults of all controls, and leaves what games did', async () => {
    harness = await startHarness()
    const { access_token: token } = await harness.signIn('identify lobbies.write')
    const before = await state()
    const control = async (path: string, json: object) =>
      expect((await harness.send('POST', `~sandbox/${path}`, { json })).status).toBeLessThan(300)
    await send({})
    await control('users', { username: 'hedy', global_name: 'Hedy' })
    await control('members', { guild: 'Harbour', user: 'hedy' })
    await harness.signIn('identify', { user: 'hedy' })
    await harness.form('/sandbox/page/ban', { user: 'grace' })
    await control('time', { advance_ms: 3_600_000 })
    await control('limits', { path: '/users/@me', limit: 0, window_ms: 60_000 })
    await control('faults', { status: 503, times: 9 })
    await control('gateway', { action: 'hello', heartbeat_interval: 100 })
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(503)
    const { json } = await harness.send('POST', '~sandbox/reset', { json: {} })
    expect(json['undone']).toBeGreaterThan(20)
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(200)
    expect((await harness.send('PUT', '/lobbies', { token, json: { secret: 'after' } })).status).toBe(200)
    const after = await state()
    expect(after).toMatchObject({ moved_ms: 0, limits: [], faults: [], gateway: { heartbeat_interval: 41_250 } })
    expect({ users: after.users, guilds: after.guilds }).toEqual({ users: before.users, guilds: before.guilds })
    expect(await harness.send('POST', '~sandbox/reset', { json: {} })).toMatchObject({ json: { undone: 0, left: 0 } })
  })
})

it('the journal of a reset is bounded, and counts what it left', () => {
  const store = new Store(undefined)
  const journal = new Journal(store)
  const secret = (count: number) => store.secrets.put(String(count), { sealed: '' })
  journal.record(() => store.commit(Array.from({ length: JOURNAL_MAX + 3 }, (_, count) => secret(count))))
  journal.record(() => store.commit([secret(1)]))
  expect(journal.undo()).toEqual({ undone: JOURNAL_MAX, left: 3 })
  expect(store.secrets.size).toBe(3)
  store.commit([secret(1)])
  expect(journal.undo()).toEqual({ undone: 0, left: 0 })
})

describe('POST /sandbox/users', () => {
  const change = (json: object) => harness.send('POST', '~sandbox/users', { json })

  it('creates, renames and deletes a user with all that names the user', async () => {
    harness = await startHarness()
    const { counts } = await state()
    expect((await change({ username: 'hedy' })).json).toMatchObject({ username: 'hedy', global_name: 'hedy' })
    await harness.send('POST', '~sandbox/relationships', { json: { user: 'ada', other: 'hedy', type: 'friend' } })
    await harness.send('POST', '~sandbox/members', { json: { guild: 'Harbour', user: 'hedy' } })
    const { access_token: token } = await harness.signIn('identify guilds lobbies.write', { user: 'hedy' })
    await harness.send('PUT', '/lobbies', { token, json: { secret: 'hedy' } })
    await harness.send('POST', '~sandbox/messages', { json: { channel: 'general', user: 'hedy', content: 'Ahoy' } })
    expect((await change({ user: 'hedy', username: 'lamarr', global_name: 'Hedy' })).json).toMatchObject({
      username: 'lamarr',
      global_name: 'Hedy',
    })
    expect((await harness.send('GET', '/users/@me', { token })).json).toMatchObject({ username: 'lamarr' })
    expect((await change({ user: 'lamarr', deleted: true })).json).toBeNull()
    expect((await harness.send('GET', '/users/@me', { token })).status).toBe(401)
    const after = await state()
    expect(after.counts).toMatchObject({ users: counts['users'], grants: counts['grants'], channel_messages: counts['channel_messages'] })
    expect(JSON.stringify(after.guilds)).not.toContain('lamarr')
  })

  it('refuses a taken name, a user who is not there, owners, and the default user', async () => {
    harness = await startHarness()
    for (const json of [{ username: 'ada' }, { user: 'grace', username: 'ada' }, {}, { username: 'UPPER' }])
      expect((await change(json)).json, JSON.stringify(json)).toMatchObject({ code: 50035 })
    expect((await change({ user: 'nemo', global_name: 'Nemo' })).json).toMatchObject({ code: 10013 })
    for (const name of ['ada', 'grace']) expect((await change({ user: name, deleted: true })).status, name).toBe(400)
  })
})

describe('the controls', () => {
  it('are the routes below /sandbox, each in the document', async () => {
    harness = await startHarness()
    const document = readFileSync(join(import.meta.dirname, '../../../../daemon/sandbox/CONTROLS.md'), 'utf8')
    const rows = CONTROLS.map(
      ({ method, path, does, body }) => `| \`${method} ${path}\` | ${does} | ${body === undefined ? '' : `\`${JSON.stringify(body)}\``} |`,
    )
    expect(document.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
    const known = async ({ method, path }: { method: string; path: string }) =>
      (await harness.send(method, `~${path.slice(1)}`, method === 'GET' ? {} : { json: { unknown: true } })).status
    for (const one of CONTROLS) expect(await known(one), `${one.method} ${one.path}`).not.toBe(404)
  })

  it('are forms of one page, which shows the answer', async () => {
    harness = await startHarness()
    const page = await harness.send('GET', '~sandbox/page/controls')
    for (const { method, path } of CONTROLS) expect(page.text).toContain(`value="${method} ${path}"`)
    const press = (control: string, body: string) => harness.form('/sandbox/page/controls', { control, body })
    const done = await press('POST /sandbox/users', '{"username":"hedy"}')
    expect([done.status, done.text.includes('hedy')]).toEqual([200, true])
    expect((await state()).users.map(({ username }) => username)).toContain('hedy')
    expect((await press('POST /sandbox/users', '{"username":"ada"}')).status).toBe(400)
    expect((await press('POST /sandbox/page/ban', '{}')).text).toContain('404')
  })
})
