/** Gateway events of relationships, presence, entitlements and subscriptions. */
import { GATEWAY_OPCODES as OPS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, ManualClock, startHarness } from '../harness.ts'
import { bot, BOT_TOKEN, GUILDS, open, PRESENCES, user } from './client.ts'

let harness: Harness
const begin = async (now?: number) => {
  harness = await startHarness(now === undefined ? {} : { clock: new ManualClock(now) })
}
beforeEach(() => begin())
afterEach(() => harness.close())

const change = (what: string, json: object) => harness.send('POST', `~sandbox/${what}`, { json })
const byBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: `Bot ${BOT_TOKEN}`, ...(json === undefined ? {} : { json }) })
const named = (received: readonly { readonly t: string | null }[]) => received.map(({ t }) => t)

describe('relationships', () => {
  it('are added, changed and removed on either side', async () => {
    const ada = await user(harness, 'ada')
    const mary = await user(harness, 'mary')
    const [adaId, maryId] = [await harness.idOf('ada'), await harness.idOf('mary')]
    await change('relationships', { user: 'ada', other: 'mary', type: 'asked' })
    expect(await ada.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: maryId, type: 4, user: { username: 'mary' } })
    expect(await mary.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: adaId, type: 3 })
    await change('relationships', { user: 'mary', other: 'ada', type: 'friend' })
    expect(await ada.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: maryId, type: 1 })
    expect(await mary.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: adaId, type: 1 })
    await change('relationships', { user: 'ada', other: 'mary', type: 'blocked' })
    expect(await ada.client.event('RELATIONSHIP_ADD')).toMatchObject({ id: maryId, type: 2 })
    expect(await mary.client.event('RELATIONSHIP_REMOVE')).toMatchObject({ id: adaId })
    const again = await open(harness)
    const { relationships } = await again.identify({ token: `Bearer ${ada.token}` })
    expect(relationships).toContainEqual(expect.objectContaining({ id: maryId, type: 2 }))
    expect((await change('relationships', { user: 'ada', other: 'ada', type: 'friend' })).status).toBe(400)
  })
})

describe('presence', () => {
  const chess = { type: 0, name: 'Chess', details: 'Endgame', secrets: { join: 'the join secret' } }
  const set = (status: string, activities: readonly object[] = []) => ({ since: null, afk: false, status, activities })

  it('of a user is sent to friends and to members of shared guilds, without secrets', async () => {
    await change('relationships', { user: 'linus', other: 'ada', type: 'friend' })
    const early = await user(harness, 'ada')
    const linus = await user(harness, 'linus')
    expect(linus.ready['presences']).toMatchObject([{ user: { id: await harness.idOf('ada') }, status: 'online' }])
    early.client.leave(1000)
    await linus.client.event('PRESENCE_UPDATE')
    const mary = await user(harness, 'mary')
    await byBot('PATCH', '/applications/@me', { flags: (1 << 13) | (1 << 19) })
    const watching = await bot(harness, GUILDS | PRESENCES)
    const blind = await bot(harness, GUILDS)
    const ada = await user(harness, 'ada')
    const { d } = await linus.client.take(({ t, d: data }) => t === 'PRESENCE_UPDATE' && !('guild_id' in data))
    expect(d).toMatchObject({ user: { id: await harness.idOf('ada') }, status: 'online', client_status: { desktop: 'online' } })
    for (const { client } of [linus, watching]) await client.heardUntilNow(harness)
    ada.client.send(OPS.PRESENCE_UPDATE.op, set('dnd', [chess]))
    const event = { user: { id: await harness.idOf('ada') }, status: 'dnd', activities: [{ type: 0, name: 'Chess', details: 'Endgame' }] }
    expect(await watching.client.event('PRESENCE_UPDATE')).toMatchObject({ ...event, guild_id: expect.any(String) })
    const toFriend = [await linus.client.event('PRESENCE_UPDATE'), await linus.client.event('PRESENCE_UPDATE')]
    expect(toFriend).toMatchObject([event, { ...event, guild_id: expect.any(String) }])
    expect(JSON.stringify(toFriend)).not.toContain('the join secret')
    ada.client.leave(1000)
    expect(await linus.client.event('PRESENCE_UPDATE')).toMatchObject({ status: 'offline', activities: [], client_status: {} })
    expect(await mary.client.heardUntilNow(harness, true)).toEqual([])
    expect(await blind.client.heardUntilNow(harness, true)).toEqual([])
  })

  it('of an invisible user is offline, and of a bot has the fields of bots only', async () => {
    const grace = await user(harness, 'grace')
    const { client } = await bot(harness, GUILDS, { presence: set('invisible', [chess]) })
    expect(await grace.client.heardUntilNow(harness, true)).toEqual([])
    client.send(OPS.PRESENCE_UPDATE.op, set('idle', [chess]))
    expect(await grace.client.event('PRESENCE_UPDATE')).toMatchObject({
      user: { id: APPLICATION },
      status: 'idle',
      activities: [{ type: 0, name: 'Chess' }],
    })
    client.send(OPS.PRESENCE_UPDATE.op, set('asleep'))
    expect(await client.closed).toBe(4002)
  })
})

describe('entitlements made for tests', () => {
  it('are sent to the bot and to their user', async () => {
    const { client } = await bot(harness, 0)
    const ada = await user(harness, 'ada')
    const grace = await user(harness, 'grace')
    const skus = JSON.parse((await byBot('GET', `/applications/${APPLICATION}/skus`)).text) as readonly { id: string; type: number }[]
    const sku_id = skus.find(({ type }) => type === 3)?.id
    const below = `/applications/${APPLICATION}/entitlements`
    const { id } = (await byBot('POST', below, { sku_id, owner_id: await harness.idOf('ada'), owner_type: 2 })).json
    await byBot('POST', `${below}/${String(id)}/consume`)
    await byBot('DELETE', `${below}/${String(id)}`)
    for (const one of [client, ada.client]) {
      expect(await one.event('ENTITLEMENT_CREATE')).toMatchObject({ id, sku_id, consumed: false })
      expect(await one.event('ENTITLEMENT_UPDATE')).toMatchObject({ id, consumed: true })
      expect(await one.event('ENTITLEMENT_DELETE')).toMatchObject({ id, deleted: true })
    }
    expect(await grace.client.heardUntilNow(harness)).toEqual([])
  })

  it('are sent to the first shard only', async () => {
    const second = await bot(harness, 0, { shard: [1, 2] })
    await change('subscriptions', { application_id: APPLICATION, user: 'mary', step: 'start' })
    expect(await second.client.heardUntilNow(harness)).toEqual([])
  })
})

describe('subscriptions', () => {
  const step = (name: string, what: string, more: object = {}) =>
    change('subscriptions', { application_id: APPLICATION, user: name, step: what, ...more })

  it('begin, with an entitlement that has no end', async () => {
    const { client } = await bot(harness, 0)
    const { id } = (await step('mary', 'start')).json
    expect(await client.event('SUBSCRIPTION_CREATE')).toMatchObject({ id, status: 0, user_id: await harness.idOf('mary') })
    expect(await client.event('ENTITLEMENT_CREATE')).toMatchObject({ ends_at: null, user_id: await harness.idOf('mary') })
    expect((await step('mary', 'start')).status).toBe(400)
    expect((await step('linus', 'renew')).status).toBe(400)
  })

  it('are renewed without an event of the entitlement', { tags: ['3-5'] }, async () => {
    const { client } = await bot(harness, 0)
    await step('ada', 'renew', { renewal_sku_ids: ['77'] })
    expect(await client.event('SUBSCRIPTION_UPDATE')).toMatchObject({
      status: 0,
      renewal_sku_ids: ['77'],
      current_period_start: '2027-01-01T00:00:00.000000+00:00',
    })
    expect(named(await client.heardUntilNow(harness))).toEqual([])
  })

  it('change what will be renewed, are canceled, and end: the entitlement gets its end then', {
    tags: ['3-5', '6-7', '6-8', '2.2-25', '2.2-26'],
  }, async () => {
    const { client } = await bot(harness, 0)
    const ada = await user(harness, 'ada')
    await step('ada', 'change', { renewal_sku_ids: ['77'] })
    expect(await client.event('SUBSCRIPTION_UPDATE')).toMatchObject({ status: 0, renewal_sku_ids: ['77'] })
    await step('ada', 'cancel')
    const now = '2026-12-01T00:00:00.000000+00:00'
    expect(await client.event('SUBSCRIPTION_UPDATE')).toMatchObject({ status: 2, renewal_sku_ids: [], canceled_at: now })
    expect(named(await client.heardUntilNow(harness))).toEqual([])
    await step('ada', 'renew')
    expect(await client.event('SUBSCRIPTION_UPDATE')).toMatchObject({ status: 0, canceled_at: null })
    await step('ada', 'end')
    expect(await client.event('SUBSCRIPTION_UPDATE')).toMatchObject({ status: 1 })
    expect(await client.event('ENTITLEMENT_UPDATE')).toMatchObject({ ends_at: now, deleted: false })
    expect(named(await ada.client.heardUntilNow(harness))).toEqual([
      'SUBSCRIPTION_UPDATE',
      'SUBSCRIPTION_UPDATE',
      'SUBSCRIPTION_UPDATE',
      'SUBSCRIPTION_UPDATE',
      'ENTITLEMENT_UPDATE',
    ])
    const list = JSON.parse((await byBot('GET', `/applications/${APPLICATION}/entitlements`)).text) as readonly { ends_at: unknown }[]
    expect(list.map(({ ends_at }) => ends_at)).toContain(now)
  })

  it('that are refunded count as never bought', async () => {
    const { client } = await bot(harness, 0)
    await step('grace', 'refund')
    expect(await client.event('ENTITLEMENT_DELETE')).toMatchObject({ user_id: await harness.idOf('grace'), deleted: true })
    await client.event('SUBSCRIPTION_DELETE')
    const entitlements = async (query = '') =>
      JSON.parse((await byBot('GET', `/applications/${APPLICATION}/entitlements${query}`)).text) as object[]
    expect(await entitlements()).toHaveLength(2)
    expect(await entitlements('?exclude_deleted=false')).toHaveLength(3)
  })

  it('renewed during the migration send their entitlement once, as if it were new', { tags: ['3-7'] }, async () => {
    await harness.close()
    await begin(Date.UTC(2024, 9, 10))
    const { client } = await bot(harness, 0)
    await step('ada', 'renew')
    expect(await client.event('ENTITLEMENT_CREATE')).toMatchObject({ type: 1, ends_at: null })
    harness.clock.advance(60_000)
    await step('ada', 'renew')
    expect(named(await client.heardUntilNow(harness))).toEqual(['SUBSCRIPTION_UPDATE', 'SUBSCRIPTION_UPDATE'])
  })
})
