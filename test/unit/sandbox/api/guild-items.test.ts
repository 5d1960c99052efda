/** Rules of the sandbox for what bots create in a guild: places and states of events, limits, audit log, bans, roles. */
import { LIMITS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, startHarness } from '../harness.ts'

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const EVENT = {
  name: 'Regatta',
  entity_type: 3,
  entity_metadata: { location: 'Outer reef' },
  privacy_level: 2,
  scheduled_start_time: '2099-06-01T12:00:00.000000+00:00',
  scheduled_end_time: '2099-06-01T14:00:00.000000+00:00',
}

let harness: Harness
let guild: string
beforeEach(async () => {
  harness = await startHarness()
  const { json } = await send('GET', '/users/@me/guilds')
  const [first] = (json as unknown as readonly { readonly id: string; readonly name: string }[]).filter(({ name }) => name === 'Harbour')
  guild = `/guilds/${first?.id}`
})
afterEach(() => harness.close())

const send = (method: string, path: string, json?: unknown): Promise<Answer> =>
  harness.send(method, path, { token: BOT, ...(json === undefined ? {} : { json }) })
const codeOf = ({ json }: Answer) => json['code']

describe('a scheduled event', () => {
  const events = () => `${guild}/scheduled-events`
  it('starts, ends, and does not change after its end', async () => {
    const { json } = await send('POST', events(), EVENT)
    expect(json).toMatchObject({ status: 1, channel_id: null, entity_metadata: { location: 'Outer reef' }, creator_id: APPLICATION })
    const path = `${events()}/${String(json['id'])}`
    expect(codeOf(await send('PATCH', path, { status: 3 }))).toBe(50_035)
    expect((await send('PATCH', path, { status: 2 })).json).toMatchObject({ status: 2 })
    expect((await send('PATCH', path, { status: 3 })).json).toMatchObject({ status: 3 })
    expect(codeOf(await send('PATCH', path, { name: 'Late' }))).toBe(180_000)
  })
  it('needs a future start, an end after it, and a place of its type', async () => {
    expect(codeOf(await send('POST', events(), { ...EVENT, scheduled_start_time: '2001-01-01T00:00:00Z' }))).toBe(50_035)
    expect(codeOf(await send('POST', events(), { ...EVENT, scheduled_end_time: '2099-05-01T00:00:00Z' }))).toBe(50_035)
    expect(codeOf(await send('POST', events(), { ...EVENT, entity_type: 2, entity_metadata: undefined }))).toBe(50_035)
    expect(codeOf(await send('POST', events(), { ...EVENT, entity_type: 2, channel_id: '1' }))).toBe(10_003)
  })
  it('has exceptions only if it recurs', async () => {
    const exception = { original_scheduled_start_time: EVENT.scheduled_start_time, is_canceled: true }
    const once = String((await send('POST', events(), EVENT)).json['id'])
    expect(codeOf(await send('POST', `${events()}/${once}/exceptions`, exception))).toBe(50_035)
    const weekly = { ...EVENT, recurrence_rule: { start: EVENT.scheduled_start_time, frequency: 2, interval: 1 } }
    const path = `${events()}/${String((await send('POST', events(), weekly)).json['id'])}`
    expect((await send('POST', `${path}/exceptions`, exception)).json).toMatchObject({ is_canceled: true })
    expect((await send('GET', path)).json).toMatchObject({ guild_scheduled_event_exceptions: [{ is_canceled: true }] })
  })
})

it('static and animated emoji of a guild have a limit each', async () => {
  const add = (image: string) => send('POST', `${guild}/emojis`, { name: 'anchor', image })
  for (let count = 0; count < LIMITS.guildEmoji.value; count++) expect((await add(PNG)).status).toBe(201)
  expect(codeOf(await add(PNG))).toBe(30_008)
  expect((await add('data:image/gif;base64,R0lGODlh')).json).toMatchObject({ animated: true })
})

it('a ban removes the member, and the audit log names it with the reason', async () => {
  const members = (await send('GET', `${guild}/members?limit=1000`)).json as unknown as readonly {
    user: { id: string; username: string }
  }[]
  const linus = members.find(({ user }) => user.username === 'linus')?.user.id ?? ''
  expect((await send('PUT', `${guild}/bans/${linus}`, {})).status).toBe(204)
  expect(codeOf(await send('GET', `${guild}/members/${linus}`))).toBe(10_007)
  expect((await send('GET', `${guild}/bans/${linus}`)).json).toMatchObject({ user: { username: 'linus' } })
  expect((await send('GET', `${guild}/audit-logs?action_type=22`)).json).toMatchObject({ audit_log_entries: [{ target_id: linus }] })
  expect((await send('DELETE', `${guild}/bans/${linus}`)).status).toBe(204)
  expect(codeOf(await send('GET', `${guild}/bans/${linus}`))).toBe(10_026)
})

it('a new role is the lowest, and is given to members and taken from them', async () => {
  const role = String((await send('POST', `${guild}/roles`, { name: 'Pilot' })).json['id'])
  const [grace] = (await send('GET', `${guild}/members/search?query=grace`)).json as unknown as readonly { user: { id: string } }[]
  const path = `${guild}/members/${grace?.user.id}`
  expect((await send('PUT', `${path}/roles/${role}`)).status).toBe(204)
  expect((await send('GET', path)).json).toMatchObject({ roles: expect.arrayContaining([role]) as string[] })
  expect((await send('PATCH', path, { roles: [], nick: 'Pilot' })).json).toMatchObject({ roles: [], nick: 'Pilot' })
  expect((await send('GET', `${guild}/roles/${role}`)).json).toMatchObject({ position: 1, hoist: false })
})
