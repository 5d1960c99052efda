/** Direct messages over HTTP: permitted recipients, history, edits and deletions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { type Answer, type Harness, startHarness } from '../harness.ts'

const SCOPES = 'identify dm_channels.messages.read dm_channels.messages.write'
const HOUR = 3_600_000

let harness: Harness
let ada: string
let grace: string
const ids: Record<string, string> = {}

beforeEach(async () => {
  harness = await startHarness()
  ada = (await harness.signIn(SCOPES)).access_token
  grace = (await harness.signIn(SCOPES, { user: 'grace' })).access_token
  for (const name of ['ada', 'grace', 'mary']) ids[name] = await harness.idOf(name)
})
afterEach(() => harness.close())

const say = (content: string, { to = 'grace', token = ada, ...more }: { to?: string; token?: string; metadata?: object } = {}) =>
  harness.send('POST', `/users/${ids[to]}/messages`, { token, json: { content, ...more } })
const read = (peer = 'grace', token = ada, query = '') => harness.send('GET', `/users/${ids[peer]}/messages${query}`, { token })
const contents = ({ text }: Answer) => (JSON.parse(text) as { content: string }[]).map(({ content }) => content)
const at = (id: unknown, peer = 'grace') => `/users/${ids[peer]}/messages/${String(id)}`

describe('writing', () => {
  it('shows the message to both, the newest first, with what the game attached', { tags: ['9.1-26', '1-9'] }, async () => {
    const sent = await say('Ahoy', { metadata: { berth: '7' } })
    expectShape('SEND_USER_MESSAGE', sent)
    expect(sent.json).toMatchObject({ content: 'Ahoy', author: { id: ids['ada'] }, recipient_id: ids['grace'], metadata: { berth: '7' } })
    await say('Ahoy yourself', { to: 'ada', token: grace })
    const read1 = await read()
    expectShape('GET_USER_MESSAGES', read1)
    expect(contents(read1)).toEqual(['Ahoy yourself', 'Ahoy'])
    expect(contents(await read('ada', grace, '?limit=1'))).toEqual(['Ahoy yourself'])
  })

  it('needs that the two know each other, that the other exists, and that it is another', async () => {
    expect(refusal(await say('Ahoy', { to: 'mary' }))).toEqual([403, 50007])
    for (const id of ['5', ids['ada']])
      expect(refusal(await harness.send('POST', `/users/${id}/messages`, { token: ada, json: { content: 'x' } }))).toEqual([404, 10013])
  })

  it('is open to those who are in one lobby', async () => {
    const mary = (await harness.signIn('sdk.social_layer', { user: 'mary' })).access_token
    const host = (await harness.signIn('sdk.social_layer')).access_token
    for (const token of [mary, host]) await harness.send('PUT', '/lobbies', { token, json: { secret: 'open sesame' } })
    expect((await say('Ahoy', { to: 'mary' })).status).toBe(200)
  })
})

describe('history', () => {
  it('of two who never wrote is no channel', async () => {
    expect(refusal(await read())).toEqual([404, 10003])
  })

  it('holds 72 hours', async () => {
    await say('old')
    harness.clock.advance(71 * HOUR)
    const { access_token } = await harness.signIn(SCOPES)
    await say('new', { token: access_token })
    expect(contents(await read('grace', access_token))).toEqual(['new', 'old'])
    harness.clock.advance(HOUR + 1)
    expect(contents(await read('grace', access_token))).toEqual(['new'])
  })

  it('holds 200 messages and gives no more at once', async () => {
    for (let index = 0; index < 202; index += 1) await say(`message ${index}`)
    const all = contents(await read())
    expect(all).toHaveLength(200)
    expect([all[0], all.at(-1)]).toEqual(['message 201', 'message 2'])
    expect(refusal(await read('grace', ada, '?limit=201'))).toEqual([400, 50035])
  })
})

describe('changing and taking back', () => {
  it('is for the author', async () => {
    const { json } = await say('Ahoy')
    const edited = await harness.send('PATCH', at(json['id']), { token: ada, json: { content: 'Ahoy there' } })
    expectShape('EDIT_USER_MESSAGE', edited)
    expect(edited.json).toMatchObject({ id: json['id'], content: 'Ahoy there', edited_timestamp: expect.stringMatching(/^2026-12-01T/) })
    const asGrace = { token: grace, json: { content: 'mine' } }
    expect(refusal(await harness.send('PATCH', at(json['id'], 'ada'), asGrace))).toEqual([403, 50005])
    expect(refusal(await harness.send('DELETE', at(json['id'], 'ada'), { token: grace }))).toEqual([403, 50013])
    expect((await harness.send('DELETE', at(json['id']), { token: ada })).status).toBe(204)
    expect(refusal(await harness.send('DELETE', at(json['id']), { token: ada }))).toEqual([404, 10008])
    expect(refusal(await harness.send('PATCH', at(json['id']), { token: ada, json: { content: 'x' } }))).toEqual([404, 10008])
  })

  it('reaches only messages between the two', async () => {
    const { json } = await say('Ahoy')
    const linus = await harness.idOf('linus')
    expect(refusal(await harness.send('DELETE', `/users/${linus}/messages/${String(json['id'])}`, { token: ada }))).toEqual([404, 10008])
  })
})
