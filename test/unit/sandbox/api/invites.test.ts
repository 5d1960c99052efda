/** Channel invites over HTTP: created, with target users, listed, and accepted. */
import { ENDPOINTS, type EndpointName } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'
import { channelNamed, guildNamed, sendFiles } from '../uploads.ts'

const OTHER_BOT = `Bot sandbox-bot-${OTHER_APPLICATION}`

let harness: Harness
let invites: string
let grace: string
let mary: string
beforeEach(async () => {
  harness = await startHarness()
  invites = `/channels/${await channelNamed(harness, 'Harbour', 'general')}/invites`
  grace = await harness.idOf('grace')
  mary = await harness.idOf('mary')
})
afterEach(() => harness.close())

const make = (json: object = {}, token = BOT, path = invites) => harness.send('POST', path, { token, json })
const csv = (...lines: readonly string[]) => ({
  part: 'target_users_file',
  name: 'users.csv',
  content: `${lines.join('\n')}\n`,
  type: 'text/csv',
})
const makeFor = (...users: readonly string[]) => sendFiles(harness, 'POST', invites, undefined, [csv('user_id', ...users)])
const codeOf = ({ json }: Answer): string => String(json['code'])
const get = (path: string, token = BOT) => harness.send('GET', path, { token })
const take = (code: string, user: string) => harness.send('POST', '~sandbox/invites', { json: { code, user } })
const expectShape = (name: EndpointName, { text }: Answer) =>
  expect(ENDPOINTS[name].response.safeParse(JSON.parse(text)).error).toBeUndefined()

/** A role of the Harbour, from a member with it. */
async function crewRole(): Promise<string> {
  const guild = await guildNamed(harness, 'Harbour')
  const counts = (await get(`/guilds/${guild.id}/roles/member-counts`)).json
  for (const id of Object.keys(counts)) if ((await get(`/guilds/${guild.id}/roles/${id}`)).json['name'] === 'Crew') return id
  throw new Error('no such role')
}

describe('an invite', () => {
  it('lasts a day for any user by default', async () => {
    const made = await make()
    expect(made.status).toBe(200)
    expectShape('CREATE_CHANNEL_INVITE_BY_BOT', made)
    expect(made.json).toMatchObject({
      max_age: 86_400,
      max_uses: 0,
      uses: 0,
      temporary: false,
      expires_at: '2026-12-02T00:00:00.000000+00:00',
    })
  })

  it('has the requested properties', { tags: ['4.1-rules-6'] }, async () => {
    const role = await crewRole()
    const made = await make({
      max_age: 0,
      max_uses: 5,
      temporary: true,
      role_ids: [role],
      target_type: 2,
      target_application_id: APPLICATION,
    })
    expect(made.json).toMatchObject({
      max_age: 0,
      expires_at: null,
      max_uses: 5,
      temporary: true,
      target_type: 2,
      target_application: { id: APPLICATION },
    })
    expect(Object.keys((made.json['roles'] as readonly object[])[0] ?? {}).toSorted()).toEqual(
      ['color', 'colors', 'icon', 'id', 'name', 'position', 'unicode_emoji'].toSorted(),
    )
    expect((await make({ target_type: 1, target_user_id: grace })).json).toMatchObject({ target_type: 1, target_user: { id: grace } })
  })

  it('is reused for an equivalent request, unless it must be unique', async () => {
    const first = codeOf(await make({ max_age: 60 }))
    expect(codeOf(await make({ max_age: 60 }))).toBe(first)
    expect(codeOf(await make({ max_age: 61 }))).not.toBe(first)
    expect(codeOf(await make({ max_age: 60, unique: true }))).not.toBe(first)
    expect(codeOf(await make({ max_age: 60 }, OTHER_BOT))).not.toBe(first)
  })

  it('needs CREATE_INSTANT_INVITE, and for roles MANAGE_ROLES and roles of its guild', async () => {
    const role = await crewRole()
    const repairs = `/channels/${await channelNamed(harness, 'Dry Dock', 'repairs')}/invites`
    expect(refusal(await make({}, BOT, repairs))).toEqual([403, 50_001])
    const logbook = `/channels/${await channelNamed(harness, 'Lighthouse', 'logbook')}/invites`
    expect((await make({}, BOT, logbook)).status).toBe(200)
    expect(refusal(await make({ role_ids: [role] }, BOT, logbook))).toEqual([403, 50_013])
    expect(refusal(await make({ role_ids: ['1'] }))).toEqual([404, 10_011])
  })

  it('is refused with an incomplete target', async () => {
    expect(refusal(await make({ target_type: 1 }))).toEqual([400, 50_035])
    expect(refusal(await make({ target_user_id: grace }))).toEqual([400, 50_035])
    expect(refusal(await make({ target_type: 1, target_user_id: '1' }))).toEqual([404, 10_013])
  })

  it('is listed until it expires', { tags: ['4.1-rules-6'] }, async () => {
    const code = codeOf(await make({ max_age: 60, role_ids: [await crewRole()] }))
    const listed = await get(invites)
    expectShape('GET_CHANNEL_INVITES', listed)
    expect(JSON.parse(listed.text)).toMatchObject([{ code, roles: [{ name: 'Crew' }] }])
    harness.clock.advance(60_000)
    expect(JSON.parse((await get(invites)).text)).toEqual([])
  })
})

describe('the users of an invite', () => {
  it('are sent as a CSV to the inviter and to members who may manage the guild', { tags: ['4.1-rules-5'] }, async () => {
    const code = codeOf(await makeFor(grace, mary, grace))
    const { status, headers, text } = await get(`/invites/${code}/target-users`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(text).toBe(`user_id\r\n${grace}\r\n${mary}\r\n`)
    expect((await get(`/invites/${code}/target-users`, OTHER_BOT)).text).toBe(text)
  })

  it('are sent to no other caller', async () => {
    const logbook = `/channels/${await channelNamed(harness, 'Lighthouse', 'logbook')}/invites`
    const code = codeOf(await sendFiles(harness, 'POST', logbook, {}, [csv('user_id', grace)]))
    for (const path of ['target-users', 'target-users/job-status']) {
      expect((await get(`/invites/${code}/${path}`)).status).toBe(200)
      expect(refusal(await get(`/invites/${code}/${path}`, OTHER_BOT))).toEqual([403, 50_013])
    }
    expect(refusal(await sendFiles(harness, 'PUT', `/invites/${code}/target-users`, undefined, [csv('user_id', mary)], OTHER_BOT))).toEqual(
      [403, 50_013],
    )
  })

  it('can be changed', async () => {
    const code = codeOf(await makeFor(grace))
    expect((await sendFiles(harness, 'PUT', `/invites/${code}/target-users`, undefined, [csv('user_id', mary)])).status).toBe(204)
    expect((await get(`/invites/${code}/target-users`)).text).toBe(`user_id\r\n${mary}\r\n`)
  })

  it('are refused with the list of unknown ids', async () => {
    const refused = await makeFor(grace, '99', 'ann')
    expect(refusal(refused)).toEqual([400, 50_035])
    expect(refused.json).toMatchObject({ errors: { target_users_file: { _errors: [{ message: 'These user ids are unknown: 99, ann' }] } } })
    const code = codeOf(await makeFor(grace))
    for (const lines of [['id', grace], [grace], ['user_id']])
      expect(refusal(await sendFiles(harness, 'PUT', `/invites/${code}/target-users`, undefined, [csv(...lines)]))).toEqual([400, 50_035])
    expect(refusal(await harness.send('PUT', `/invites/${code}/target-users`, { token: BOT, json: {} }))).toEqual([400, 50_035])
  })

  it('are processed for a while', async () => {
    const code = codeOf(await makeFor(grace, mary))
    const job = async () => (await get(`/invites/${code}/target-users/job-status`)).json
    expect(await job()).toMatchObject({ status: 1, total_users: 2, processed_users: 0, completed_at: null })
    harness.clock.advance(1_000)
    const done = await get(`/invites/${code}/target-users/job-status`)
    expectShape('GET_TARGET_USERS_JOB_STATUS', done)
    expect(done.json).toMatchObject({ status: 2, total_users: 2, processed_users: 2, completed_at: '2026-12-01T00:00:01.000000+00:00' })
  })

  it('do not exist for an open or an unknown invite', async () => {
    const code = codeOf(await make())
    expect(refusal(await get(`/invites/${code}/target-users`))).toEqual([404, 10_129])
    expect(refusal(await get(`/invites/${code}/target-users/job-status`))).toEqual([404, 10_124])
    expect(refusal(await get('/invites/unknown/target-users'))).toEqual([404, 10_006])
  })
})

describe('accepting an invite', () => {
  it('makes a member with the roles of the invite', { tags: ['4.1-rules-4'] }, async () => {
    const role = await crewRole()
    const code = codeOf(await make({ role_ids: [role] }))
    const guild = await guildNamed(harness, 'Harbour')
    expect(guild.member_ids).not.toContain(mary)
    const counts = async () => (await get(`/guilds/${guild.id}/roles/member-counts`)).json[role]
    const before = await counts()
    expect((await take(code, 'mary')).json).toEqual({ guild_id: guild.id, role_ids: [role] })
    expect((await guildNamed(harness, 'Harbour')).member_ids).toContain(mary)
    expect(await counts()).toBe(Number(before) + 1)
    expect(JSON.parse((await get(invites)).text)).toMatchObject([{ code, uses: 1 }])
  })

  it('works for the listed users alone', { tags: ['4.1-rules-3'] }, async () => {
    const code = codeOf(await makeFor(grace))
    expect(refusal(await take(code, 'mary'))).toEqual([403, 50_001])
    expect((await take(code, 'grace')).status).toBe(200)
  })

  it('works as often as the invite says, and as long', { tags: ['8-20'] }, async () => {
    const once = codeOf(await make({ max_uses: 1 }))
    expect((await take(once, 'mary')).status).toBe(200)
    expect(refusal(await take(once, 'mary'))).toEqual([404, 10_006])
    const short = codeOf(await make({ max_age: 5 }))
    harness.clock.advance(5_000)
    expect(refusal(await take(short, 'mary'))).toEqual([404, 10_006])
  })
})
