/** Roles, memberships, pruning and voice states of the sandbox's guilds, as a bot sees them. */
import { PERMISSIONS } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BOT, expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

const PNG = 'data:image/png;base64,iVBORw0KGgo='

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

interface StateGuild {
  readonly id: string
  readonly name: string
  readonly member_ids: readonly string[]
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}
const guildNamed = async (name: string): Promise<StateGuild> => {
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: StateGuild[] }
  const found = guilds.find((guild) => guild.name === name)
  if (found === undefined) throw new Error(`no guild ${name}`)
  return found
}
const asBot = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  harness.send(method, path, { token: BOT, headers, ...(json === undefined ? {} : { json }) })

describe('roles', () => {
  it('are counted without everyone’s, and shown one by one with their gradients', {
    tags: ['2.2-19', '2.2-20', '4.2-5', '4.2-6'],
  }, async () => {
    const { id } = await guildNamed('Harbour')
    const counts = await asBot('GET', `/guilds/${id}/roles/member-counts`)
    expectShape('GET_GUILD_ROLE_MEMBER_COUNTS', counts)
    expect(Object.values(counts.json)).toEqual([1, 1, 1])
    expect(counts.json).not.toHaveProperty(id)
    const roles = await Promise.all(Object.keys(counts.json).map((role) => asBot('GET', `/guilds/${id}/roles/${role}`)))
    for (const role of roles) expectShape('GET_GUILD_ROLE', role)
    const byName = Object.fromEntries(roles.map(({ json }) => [json['name'], json]))
    expect(byName['Captain']).toMatchObject({
      color: 0xd4a017,
      colors: { primary_color: 0xd4a017, secondary_color: 0x8b1a1a, tertiary_color: null },
      position: 3,
    })
    expect(byName['Crew']).toMatchObject({ colors: { secondary_color: null }, permissions: '0', position: 1 })
  })

  it('has everyone’s under the id of the guild', async () => {
    const { id } = await guildNamed('Harbour')
    const { json } = await asBot('GET', `/guilds/${id}/roles/${id}`)
    expect(json).toMatchObject({ id, name: '@everyone', position: 0 })
    expect(BigInt(String(json['permissions'])) & PERMISSIONS.VIEW_CHANNEL.bit).not.toBe(0n)
  })

  it('are refused where unknown, of another guild, or where the bot is not', { tags: ['4.2-6'] }, async () => {
    const [harbour, lighthouse, dock] = await Promise.all(['Harbour', 'Lighthouse', 'Dry Dock'].map(guildNamed))
    const [role] = Object.keys((await asBot('GET', `/guilds/${harbour?.id}/roles/member-counts`)).json)
    expect(refusal(await asBot('GET', `/guilds/${harbour?.id}/roles/1`))).toEqual([404, 10011])
    expect(refusal(await asBot('GET', `/guilds/${lighthouse?.id}/roles/${role}`))).toEqual([404, 10011])
    expect(refusal(await asBot('GET', `/guilds/1/roles/${role}`))).toEqual([404, 10004])
    expect(refusal(await asBot('GET', `/guilds/${dock?.id}/roles/member-counts`))).toEqual([403, 50001])
  })
})

describe('the bot’s own membership', () => {
  it('keeps what a change leaves out, and loses what null takes away', { tags: ['2.2-23', '4.1-rules-9'] }, async () => {
    const { id } = await guildNamed('Lighthouse')
    const first = await asBot('PATCH', `/guilds/${id}/members/@me`, { nick: 'Keeper', banner: PNG, avatar: PNG, bio: 'Lights' })
    expectShape('MODIFY_CURRENT_MEMBER', first)
    expect(first.json).toMatchObject({ nick: 'Keeper', user: { id: APPLICATION, bot: true } })
    expect(first.json['banner']).toMatch(/^[0-9a-f]{32}$/)
    const second = await asBot('PATCH', `/guilds/${id}/members/@me`, { nick: null, avatar: null })
    expect(second.json).toMatchObject({ nick: null, avatar: null, banner: first.json['banner'] })
    const other = await harness.send('PATCH', `/guilds/${id}/members/@me`, { token: `Bot sandbox-bot-${OTHER_APPLICATION}`, json: {} })
    expect(other.json).toMatchObject({ nick: null, banner: null })
    expect((await asBot('PATCH', `/guilds/${id}/members/@me`, { banner: null })).json).toMatchObject({ banner: null })
  })

  it('refuses what is too long, no image, or given with a reason that is too long', async () => {
    const { id } = await guildNamed('Lighthouse')
    const patch = (json: unknown, headers = {}) => asBot('PATCH', `/guilds/${id}/members/@me`, json, headers)
    for (const body of [{ nick: 'x'.repeat(33) }, { bio: 'x'.repeat(191) }, { banner: 'https://example.test/a.png' }])
      expect(refusal(await patch(body))).toEqual([400, 50035])
    expect((await patch({}, { 'x-audit-log-reason': encodeURIComponent('ü'.repeat(512)) })).status).toBe(200)
    const refused = await patch({}, { 'x-audit-log-reason': 'x'.repeat(513) })
    expect(refused.json).toMatchObject({ code: 50035, errors: { audit_log_reason: {} } })
    // In the body it is ignored.
    expect((await patch({ audit_log_reason: 'x'.repeat(513) })).status).toBe(200)
  })
})

describe('a prune', () => {
  it('needs both permissions', { tags: ['4.1-rules-10'] }, async () => {
    const { id } = await guildNamed('Lighthouse')
    expect(refusal(await asBot('GET', `/guilds/${id}/prune`))).toEqual([403, 50013])
    expect(refusal(await asBot('POST', `/guilds/${id}/prune`, {}))).toEqual([403, 50013])
    const give = (permission: string) =>
      harness.send('POST', '~sandbox/roles', {
        json: { guild: 'Lighthouse', name: permission, permissions: [permission], members: [null] },
      })
    await give('KICK_MEMBERS')
    expect(refusal(await asBot('GET', `/guilds/${id}/prune`))).toEqual([403, 50013])
    expect(refusal(await asBot('POST', `/guilds/${id}/prune`, {}))).toEqual([403, 50013])
    await give('MANAGE_GUILD')
    expect((await asBot('GET', `/guilds/${id}/prune`)).status).toBe(200)
  })

  it('counts members without roles, or only with those included, and never the owner', async () => {
    const { id } = await guildNamed('Harbour')
    const counts = await asBot('GET', `/guilds/${id}/roles/member-counts`)
    const all = Object.keys(counts.json).join(',')
    const plain = await asBot('GET', `/guilds/${id}/prune`)
    expectShape('GET_GUILD_PRUNE_COUNT', plain)
    expect(plain.json).toEqual({ pruned: 1 })
    expect((await asBot('GET', `/guilds/${id}/prune?include_roles=${all}`)).json).toEqual({ pruned: 2 })
    for (const days of [0, 31]) expect(refusal(await asBot('GET', `/guilds/${id}/prune?days=${days}`))).toEqual([400, 50035])
  })

  it('spares who signed in within the days', async () => {
    const { id } = await guildNamed('Harbour')
    await harness.signIn('identify', { user: 'linus' })
    expect((await asBot('GET', `/guilds/${id}/prune?days=1`)).json).toEqual({ pruned: 0 })
    harness.clock.advance(2 * 86_400_000)
    expect((await asBot('GET', `/guilds/${id}/prune?days=1`)).json).toEqual({ pruned: 1 })
    expect((await asBot('GET', `/guilds/${id}/prune?days=3`)).json).toEqual({ pruned: 0 })
  })

  it('removes them, and returns their number by default', { tags: ['4.2-5'] }, async () => {
    const { id, member_ids } = await guildNamed('Harbour')
    const begun = await asBot('POST', `/guilds/${id}/prune`, { days: 7 })
    expectShape('BEGIN_GUILD_PRUNE', begun)
    expect(begun.json).toEqual({ pruned: 1 })
    expect((await guildNamed('Harbour')).member_ids).toEqual(member_ids.filter((_, index) => index !== 2))
    expect((await asBot('POST', `/guilds/${id}/prune`, { compute_prune_count: false })).json).toEqual({ pruned: null })
    // A member who has gone does not count in a role.
    const counts = async () => (await asBot('GET', `/guilds/${id}/roles/member-counts`)).json
    const roles = Object.keys(await counts())
    expect((await asBot('POST', `/guilds/${id}/prune`, { include_roles: roles })).json).toEqual({ pruned: 1 })
    // That of the bots too.
    expect(Object.values(await counts()).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1, 1])
  })
})

describe('voice states', () => {
  it("show the bot's channel", { tags: ['4.2-7'] }, async () => {
    const lighthouse = await guildNamed('Lighthouse')
    const state = await asBot('GET', `/guilds/${lighthouse.id}/voice-states/@me`)
    expectShape('GET_CURRENT_USER_VOICE_STATE', state)
    expect(state.json).toMatchObject({ channel_id: lighthouse.channels.find(({ name }) => name === 'Lamp Room')?.id, user_id: APPLICATION })
    expect(refusal(await asBot('GET', `/guilds/${(await guildNamed('Harbour')).id}/voice-states/@me`))).toEqual([404, 10065])
  })

  it("show a user's channel", { tags: ['4.2-8'] }, async () => {
    const harbour = await guildNamed('Harbour')
    const grace = await harness.idOf('grace')
    const state = await asBot('GET', `/guilds/${harbour.id}/voice-states/${grace}`)
    expectShape('GET_USER_VOICE_STATE', state)
    expect(state.json).toMatchObject({
      guild_id: harbour.id,
      channel_id: harbour.channels.find(({ name }) => name === 'Bridge')?.id,
      member: { user: { username: 'grace' }, roles: [expect.any(String)] },
    })
    for (const user of [await harness.idOf('ada'), '1'])
      expect(refusal(await asBot('GET', `/guilds/${harbour.id}/voice-states/${user}`))).toEqual([404, 10065])
  })
})
