/** Lobbies over HTTP: joining, members, messages, and how they end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, startHarness } from '../harness.ts'

let harness: Harness
let ada: string
let grace: string
beforeEach(async () => {
  harness = await startHarness()
  ada = (await harness.signIn('sdk.social_layer')).access_token
  grace = (await harness.signIn('sdk.social_layer', { user: 'grace' })).access_token
})
afterEach(() => harness.close())

const HOUR = 3_600_000
const join = (token: string, body: object = {}) => harness.send('PUT', '/lobbies', { token, json: { secret: 'open sesame', ...body } })
const lobbyId = async (token = ada) => String((await join(token)).json['id'])
const say = (id: string, content: string, token = ada, more: object = {}) =>
  harness.send('POST', `/lobbies/${id}/messages`, { token, json: { content, ...more } })
const read = (id: string, query = '', token = ada) => harness.send('GET', `/lobbies/${id}/messages${query}`, { token })
const contents = ({ text }: Answer) => (JSON.parse(text) as { content: string }[]).map(({ content }) => content)
const bulk = (id: string, json: unknown) => harness.send('POST', `/lobbies/${id}/members/bulk`, { token: BOT, json })

describe('joining', () => {
  it('the same secret leads to the same lobby, with both as members', { tags: ['1-7', '4.1-8'] }, async () => {
    const created = await join(ada, { lobby_metadata: { map: 'reef' }, member_metadata: { team: 'red' } })
    expectShape('CREATE_OR_JOIN_LOBBY', created)
    const joined = await join(grace)
    expect(joined.json).toMatchObject({ id: created.json['id'], application_id: APPLICATION, metadata: { map: 'reef' } })
    expect(joined.json['members']).toEqual([
      { id: await harness.idOf('ada'), metadata: { team: 'red' }, flags: 0 },
      { id: await harness.idOf('grace'), metadata: null, flags: 0 },
    ])
    expect((await harness.send('PUT', '/lobbies', { token: ada, json: { secret: 'another' } })).json['id']).not.toBe(created.json['id'])
  })

  it('again changes only the given fields', async () => {
    await join(ada, { lobby_metadata: { map: 'reef' }, member_metadata: { team: 'red' } })
    expect((await join(ada)).json).toMatchObject({ metadata: { map: 'reef' }, members: [{ metadata: { team: 'red' } }] })
    expect((await join(ada, { lobby_metadata: { mode: 'race' } })).json).toMatchObject({ metadata: { mode: 'race' } })
    expect((await join(ada, { lobby_metadata: null, member_metadata: null })).json).toMatchObject({
      metadata: null,
      members: [{ metadata: null }],
    })
  })

  it('refuses new members with a secret older than 30 days, but lets members rejoin', { tags: ['1-7', '4.1-8'] }, async () => {
    await join(ada)
    const id = await lobbyId(grace)
    for (let day = 0; day < 30; day++) {
      harness.clock.advance(24 * HOUR - 1)
      ada = (await harness.signIn('sdk.social_layer')).access_token
      expect((await join(ada)).json['id']).toBe(id)
    }
    harness.clock.advance(30)
    const linus = (await harness.signIn('sdk.social_layer', { user: 'linus' })).access_token
    expect((await join(linus)).json['id']).not.toBe(id)
    expect((await join(ada)).json['id']).toBe(id)
  })

  it('stops at two hundred lobbies of a user and application', async () => {
    for (let count = 0; count < 200; count++) await join(ada, { secret: `s${count}` })
    expect((await join(ada, { secret: 'one more' })).status).toBe(400)
    expect((await join(ada, { secret: 's0' })).status).toBe(200)
    expect((await join(grace, { secret: 'one more' })).status).toBe(200)
  })
})

describe('the end of a lobby', () => {
  it('comes when no member is signed in and the timeout is over', async () => {
    const id = await lobbyId()
    harness.clock.advance(2 * HOUR)
    expect((await read(id)).status).toBe(200)
    await harness.send('POST', '~sandbox/revoke', { json: { user_id: await harness.idOf('ada') } })
    harness.clock.advance(299_000)
    expect((await bulk(id, [{ id: APPLICATION }])).status).toBe(200)
    harness.clock.advance(300_000)
    expect(refusal(await bulk(id, [{ id: APPLICATION }]))).toEqual([404, 10031])
    const { counts } = (await harness.send('GET', '~sandbox/state')).json as { counts: { lobbies: number } }
    expect(counts.lobbies).toBe(0)
  })

  it('comes after a day without use, messages and all', async () => {
    const id = await lobbyId()
    await say(id, 'anyone?')
    harness.clock.advance(24 * HOUR)
    expect(refusal(await read(id))).toEqual([404, 10031])
    expect(await lobbyId()).not.toBe(id)
    const { counts } = (await harness.send('GET', '~sandbox/state')).json as { counts: { messages: number } }
    expect(counts.messages).toBe(0)
  })
})

describe('messages', () => {
  it('are answered as stored, and read newest first', { tags: ['1-8', '2.2-54', '4.1-9'] }, async () => {
    const id = await lobbyId()
    const sent = await say(id, 'ahoy', ada, { metadata: { mood: 'fair' } })
    expectShape('SEND_LOBBY_MESSAGE', sent)
    expect(sent.json).toMatchObject({
      content: 'ahoy',
      lobby_id: id,
      channel_id: id,
      application_id: APPLICATION,
      metadata: { mood: 'fair' },
      author: { username: 'ada' },
    })
    await join(grace)
    await say(id, 'aye', grace)
    const history = await read(id)
    expectShape('GET_LOBBY_MESSAGES', history)
    expect(contents(history)).toEqual(['aye', 'ahoy'])
  })

  it('are for members only', { tags: ['4.1-11', '4.3-16'] }, async () => {
    const id = await lobbyId()
    expect(refusal(await say(id, 'hello', grace))).toEqual([403, 50001])
    expect(refusal(await read(id, '', grace))).toEqual([403, 50001])
    expect(refusal(await say('1', 'hello'))).toEqual([404, 10031])
  })

  it('are given fifty at a time unless asked for up to two hundred, which is all that is kept', { tags: ['4.1-10'] }, async () => {
    const id = await lobbyId()
    for (let count = 0; count < 205; count++) await say(id, `m${count}`)
    expect(contents(await read(id))).toHaveLength(50)
    expect(contents(await read(id, '?limit=3'))).toEqual(['m204', 'm203', 'm202'])
    const all = contents(await read(id, '?limit=200'))
    expect([all.length, all.at(-1)]).toEqual([200, 'm5'])
    expect(refusal(await read(id, '?limit=201'))).toEqual([400, 50035])
    const { counts } = (await harness.send('GET', '~sandbox/state')).json as { counts: { messages: number } }
    expect(counts.messages).toBe(200)
  })

  it('are given for 72 hours', { tags: ['4.3-15'] }, async () => {
    const id = await lobbyId()
    await say(id, 'old')
    for (let step = 0; step < 4; step++) {
      harness.clock.advance(18 * HOUR)
      await read(id)
    }
    await say(id, 'new')
    expect(contents(await read(id))).toEqual(['new', 'old'])
    harness.clock.advance(1)
    expect(contents(await read(id))).toEqual(['new'])
  })
})

describe('the bulk change of members', () => {
  it('adds, changes and removes, and answers those added or changed', { tags: ['2.2-55', '4.1-12', '9.1-12'] }, async () => {
    const id = await lobbyId()
    const [adaId, graceId, linusId] = await Promise.all(['ada', 'grace', 'linus'].map((name) => harness.idOf(name)))
    const added = await bulk(id, [
      { id: graceId, metadata: { team: 'blue' }, flags: 1, additional_name: 'Admiral' },
      { id: linusId },
      { id: adaId, remove_member: true },
    ])
    expectShape('BULK_UPDATE_LOBBY_MEMBERS', added)
    expect(JSON.parse(added.text)).toEqual([
      { id: graceId, metadata: { team: 'blue' }, flags: 1, additional_name: 'Admiral' },
      { id: linusId, metadata: null, flags: 0 },
    ])
    expect(refusal(await say(id, 'still here?'))).toEqual([403, 50001])
    expect((await say(id, 'aye', grace)).json['lobby_member']).toEqual({ additional_name: 'Admiral' })
    const linus = (await harness.signIn('sdk.social_layer', { user: 'linus' })).access_token
    expect((await say(id, 'ho', linus)).json).not.toHaveProperty('lobby_member')
    const changed = await bulk(id, [{ id: graceId, additional_name: null }])
    expect(JSON.parse(changed.text)).toEqual([{ id: graceId, metadata: { team: 'blue' }, flags: 1 }])
  })

  it('refuses unknown users, and then changes nothing', { tags: ['4.1-12'] }, async () => {
    const id = await lobbyId()
    const graceId = await harness.idOf('grace')
    expect(refusal(await bulk(id, [{ id: graceId }, { id: '42' }]))).toEqual([404, 10013])
    expect(refusal(await read(id, '', grace))).toEqual([403, 50001])
  })

  it('takes 1 to 25 changes, and names the faulty one by its place', async () => {
    const id = await lobbyId()
    const change = { id: await harness.idOf('grace') }
    expect(
      (
        await bulk(
          id,
          Array.from({ length: 25 }, () => change),
        )
      ).status,
    ).toBe(200)
    expect(
      refusal(
        await bulk(
          id,
          Array.from({ length: 26 }, () => change),
        ),
      ),
    ).toEqual([400, 50035])
    expect(refusal(await bulk(id, []))).toEqual([400, 50035])
    expect(refusal(await bulk(id, { members: [change] }))).toEqual([400, 50035])
    const faulty = await bulk(id, [change, { id: 'x' }])
    expect(faulty.json['errors']).toMatchObject({ '1': { id: { _errors: [{ code: 'STRING_TYPE_REGEX' }] } } })
  })
})
