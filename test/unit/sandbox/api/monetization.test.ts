/** SKUs, subscriptions and entitlements of the sandbox. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, ManualClock, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ clock: new ManualClock(Date.UTC(2026, 11, 15)) })
})
afterEach(() => harness.close())

const list = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>[]
const send = (method: string, path: string, json?: unknown, token = BOT): Promise<Answer> =>
  harness.send(method, path, { token, ...(json === undefined ? {} : { json }) })
const below = (path = ''): string => `/applications/${APPLICATION}/entitlements${path}`
const skuOf = async (type: number): Promise<string> =>
  String(list(await send('GET', `/applications/${APPLICATION}/skus`)).find((sku) => sku['type'] === type)?.['id'])
const create = async (type: number, owner: string, owner_type: number): Promise<Answer> =>
  send('POST', below(), { sku_id: await skuOf(type), owner_id: owner, owner_type })

describe('SKUs', () => {
  it('are the same each time, other ones for another application, and only the bot’s own', { tags: ['1-20'] }, async () => {
    const answer = await send('GET', `/applications/${APPLICATION}/skus`)
    expectShape('LIST_SKUS', answer)
    expect(list(answer).map(({ type }) => type)).toEqual([6, 5, 2, 3, 2])
    expect((await send('GET', `/applications/${APPLICATION}/skus`)).text).toBe(answer.text)
    expect(refusal(await send('GET', `/applications/${OTHER_APPLICATION}/skus`))).toEqual([403, 20012])
    const other = await send('GET', `/applications/${OTHER_APPLICATION}/skus`, undefined, `Bot sandbox-bot-${OTHER_APPLICATION}`)
    expect(list(other).map(({ id }) => id)).not.toContain(list(answer)[0]?.['id'])
  })
})

describe('subscriptions', () => {
  const of = async (username: string): Promise<Record<string, unknown> | undefined> => {
    const answer = await send('GET', `/skus/${await skuOf(5)}/subscriptions?user_id=${await harness.idOf(username)}`)
    expectShape('LIST_SKU_SUBSCRIPTIONS', answer)
    expect(list(answer)).toHaveLength(1)
    return list(answer)[0]
  }

  it('go on, will end, or ended', { tags: ['1-22', '2.2-24', '2.2-25', '2.2-26', '4.2-11'] }, async () => {
    const sku = await skuOf(5)
    expect(await of('ada')).toMatchObject({
      status: 0,
      canceled_at: null,
      sku_ids: [sku],
      renewal_sku_ids: [sku],
      current_period_start: '2026-12-01T00:00:00.000000+00:00',
      current_period_end: '2027-01-01T00:00:00.000000+00:00',
    })
    expect(await of('grace')).toMatchObject({ status: 2, renewal_sku_ids: [], canceled_at: expect.any(String) })
    expect(await of('linus')).toMatchObject({ status: 1, current_period_end: '2026-11-01T00:00:00.000000+00:00' })
  })

  it('are asked for one user by a bot; a user sees only their own', { tags: ['4.2-11'] }, async () => {
    const sku = await skuOf(5)
    expect((await send('GET', `/skus/${sku}/subscriptions`)).json).toMatchObject({ code: 50035, errors: { user_id: {} } })
    const { access_token: token } = await harness.signIn('identify')
    const own = await send('GET', `/skus/${sku}/subscriptions?user_id=${await harness.idOf('grace')}`, undefined, token)
    expect(list(own).map(({ user_id }) => user_id)).toEqual([await harness.idOf('ada')])
    const toOther = await send('GET', `/skus/${await skuOf(3)}/subscriptions?user_id=${await harness.idOf('grace')}`)
    expect(list(toOther)).toEqual([])
    const [grace] = [await of('grace')]
    expect(refusal(await send('GET', `/skus/${sku}/subscriptions/${String(grace?.['id'])}`, undefined, token))).toEqual([404, 10027])
    const one = await send('GET', `/skus/${sku}/subscriptions/${String(grace?.['id'])}`)
    expectShape('GET_SKU_SUBSCRIPTION', one)
    expect(one.json).toEqual(grace)
  })

  it('are cut into pages by id, and refused for unknown SKUs', async () => {
    const sku = await skuOf(5)
    const ada = await harness.idOf('ada')
    const id = String((await of('ada'))?.['id'])
    expect(list(await send('GET', `/skus/${sku}/subscriptions?user_id=${ada}&after=${id}`))).toEqual([])
    expect(list(await send('GET', `/skus/${sku}/subscriptions?user_id=${ada}&before=${id}`))).toEqual([])
    expect(refusal(await send('GET', `/skus/${sku}/subscriptions?user_id=${ada}&limit=101`))).toEqual([400, 50035])
    expect(refusal(await send('GET', `/skus/1/subscriptions?user_id=${ada}`))).toEqual([404, 10027])
  })
})

describe('entitlements', () => {
  it('come from subscriptions: open while they go on, with an end when they ended', { tags: ['2.2-27', '3-4'] }, async () => {
    const answer = await send('GET', below())
    expectShape('LIST_ENTITLEMENTS', answer)
    const byUser = new Map(list(answer).map((one) => [one['user_id'], one]))
    expect(byUser.get(await harness.idOf('ada'))).toMatchObject({ type: 1, ends_at: null })
    expect(byUser.get(await harness.idOf('linus'))).toMatchObject({ type: 1, ends_at: '2026-11-01T00:00:00.000000+00:00' })
    expect(list(await send('GET', below('?exclude_ended=true')))).toHaveLength(2)
  })

  it('are made for tests, consumed once they are consumable, and deleted', { tags: ['1-21'] }, async () => {
    const ada = await harness.idOf('ada')
    const made = await create(3, ada, 2)
    expectShape('CREATE_TEST_ENTITLEMENT', made)
    expect(made.json).toMatchObject({ user_id: ada, type: 4, consumed: false, deleted: false, starts_at: null, ends_at: null })
    const path = below(`/${String(made.json['id'])}`)
    expectShape('CONSUME_ENTITLEMENT', await send('POST', `${path}/consume`))
    const consumed = await send('GET', path)
    expectShape('GET_ENTITLEMENT', consumed)
    expect(consumed.json).toMatchObject({ consumed: true })
    expectShape('DELETE_TEST_ENTITLEMENT', await send('DELETE', path))
    expect(refusal(await send('DELETE', path))).toEqual([404, 10029])
    expect(refusal(await send('POST', `${path}/consume`))).toEqual([404, 10029])
    const ids = async (query: string) => list(await send('GET', below(query))).map(({ id }) => id)
    expect(await ids('')).not.toContain(made.json['id'])
    expect(await ids('?exclude_deleted=false')).toContain(made.json['id'])
  })

  it('are chosen by user, guild and SKU', async () => {
    const state = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: { id: string }[] }
    const guild = state.guilds[0]?.id ?? ''
    const made = await create(5, guild, 1)
    expect(made.json).toMatchObject({ guild_id: guild, type: 1 })
    expect(list(await send('GET', below(`?guild_id=${guild}`))).map(({ id }) => id)).toEqual([made.json['id']])
    expect(list(await send('GET', below(`?user_id=${await harness.idOf('grace')}`)))).toHaveLength(1)
    expect(list(await send('GET', below(`?sku_ids=1,${await skuOf(5)}`)))).toHaveLength(4)
    expect(list(await send('GET', below('?sku_ids=1')))).toEqual([])
    expect(list(await send('GET', below('?limit=1')))).toHaveLength(1)
    expect(refusal(await send('GET', below('?sku_ids=a')))).toEqual([400, 50035])
  })

  it('refuse unknown SKUs, owners and applications, and consuming what lasts', async () => {
    const ada = await harness.idOf('ada')
    expect(refusal(await send('POST', below(), { sku_id: '1', owner_id: ada, owner_type: 2 }))).toEqual([404, 10027])
    expect(refusal(await create(2, '1', 2))).toEqual([404, 10013])
    expect(refusal(await create(2, '1', 1))).toEqual([404, 10004])
    expect(refusal(await create(2, ada, 3))).toEqual([400, 50035])
    const durable = (await create(2, ada, 2)).json['id']
    expect(refusal(await send('POST', below(`/${String(durable)}/consume`)))).toEqual([400, 50035])
    expect(refusal(await send('GET', `/applications/${OTHER_APPLICATION}/entitlements`))).toEqual([403, 20012])
  })

  it('show a user only their own', { tags: ['1-21'] }, async () => {
    const { access_token: token } = await harness.signIn('applications.entitlements')
    const foreign = String((await create(3, await harness.idOf('grace'), 2)).json['id'])
    const own = String((await create(3, await harness.idOf('ada'), 2)).json['id'])
    expect(list(await send('GET', below(), undefined, token)).map(({ user_id }) => user_id)).toEqual([
      await harness.idOf('ada'),
      await harness.idOf('ada'),
    ])
    expect(refusal(await send('GET', below(`/${foreign}`), undefined, token))).toEqual([404, 10029])
    expect(refusal(await send('POST', below(`/${foreign}/consume`), undefined, token))).toEqual([404, 10029])
    expect((await send('POST', below(`/${own}/consume`), undefined, token)).status).toBe(204)
  })
})
