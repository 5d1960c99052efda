/** The computation of permissions, alone and in the operations that check them. */
import { PERMISSIONS, type PermissionName } from '@sallyport/protocol'
import { channelPermissions, guildPermissions, holds } from '@sallyport/sandbox/api/permissions'
import type { StoredRole } from '@sallyport/sandbox/store/guild-application-records'
import type { StoredGuild, StoredOverwrite } from '@sallyport/sandbox/store/records'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'

const bits = (...names: PermissionName[]): string => names.reduce((sum, name) => sum | PERMISSIONS[name].bit, 0n).toString()
const GUILD: StoredGuild = {
  id: '1',
  name: '',
  ownerId: '9',
  features: [],
  icon: null,
  banner: null,
  members: { '5': {}, '6': {}, '9': {} },
  everyonePermissions: bits('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'),
  botPermissions: '0',
  onlineCount: 0,
}
const role = (id: string, permissions: string, ...memberIds: string[]): StoredRole => ({
  id,
  guildId: '1',
  name: id,
  position: 1,
  permissions,
  colors: [0],
  memberIds,
  hasBots: memberIds.includes('bots'),
})
const NOW = 1_000
const sourceOf = (...roles: StoredRole[]) => ({
  store: { roles: { group: () => roles }, botMembers: new Map() },
  clock: { now: () => NOW },
})
const overwrite = (id: string, allow: string, deny: string): StoredOverwrite => ({ id, type: 0, allow, deny })
const user = (id: string) => ({ kind: 'user', id }) as const
const BOT = { kind: 'bot', id: '77' } as const

describe('in a guild', () => {
  it('are those of @everyone and of all roles of the member', () => {
    const source = sourceOf(role('21', bits('SEND_MESSAGES'), '5'), role('22', bits('SPEAK'), '5'), role('23', bits('CONNECT'), '6'))
    expect(guildPermissions(source, GUILD, user('5'))).toBe(BigInt(bits('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'SEND_MESSAGES', 'SPEAK')))
  })

  it('are all for the owner and for an administrator, in every channel', () => {
    const source = sourceOf(role('21', bits('ADMINISTRATOR'), '5'))
    const channel = { overwrites: [overwrite('1', '0', bits('VIEW_CHANNEL')), overwrite('5', '0', bits('VIEW_CHANNEL'))] }
    for (const id of ['5', '9'])
      for (const name of Object.keys(PERMISSIONS) as PermissionName[])
        expect(holds(channelPermissions(source, GUILD, channel, user(id)), name), name).toBe(true)
    expect(holds(channelPermissions(source, GUILD, channel, user('6')), 'VIEW_CHANNEL')).toBe(false)
  })

  it('are undefined for a user who is no member, and for bots where they are none', () => {
    expect(guildPermissions(sourceOf(), GUILD, user('7'))).toBeUndefined()
    expect(guildPermissions(sourceOf(), { ...GUILD, botPermissions: null }, BOT)).toBeUndefined()
  })

  it('of a bot are its own and those of its roles', () => {
    const source = sourceOf(role('21', bits('PIN_MESSAGES'), 'bots'), role('22', bits('SPEAK'), '5'))
    const guild = { ...GUILD, everyonePermissions: '0', botPermissions: bits('CONNECT') }
    expect(guildPermissions(source, guild, BOT)).toBe(BigInt(bits('CONNECT', 'PIN_MESSAGES')))
  })

  it.each([
    ['in a timeout', { timeoutUntil: NOW + 1 }, false],
    ['after a timeout', { timeoutUntil: NOW }, true],
    ['with a blocked profile', { isBlocked: true }, false],
  ])('of a member %s: sends messages %s', (_, member, expected) => {
    const guild = { ...GUILD, members: { '5': member } }
    const source = sourceOf(role('21', bits('SEND_MESSAGES'), '5'))
    for (const found of [guildPermissions(source, guild, user('5')), channelPermissions(source, guild, { overwrites: [] }, user('5'))]) {
      expect([holds(found, 'SEND_MESSAGES'), holds(found, 'VIEW_CHANNEL')]).toEqual([expected, true])
    }
  })
})

describe('in a channel', () => {
  const view = bits('VIEW_CHANNEL')
  const source = sourceOf(role('21', '0', '5', 'bots'), role('22', '0', '5'))
  const sees = (member: typeof BOT | ReturnType<typeof user>, ...overwrites: StoredOverwrite[]) =>
    holds(channelPermissions(source, GUILD, { overwrites }, member), 'VIEW_CHANNEL')

  it.each([
    ['@everyone is denied', false, [overwrite('1', '0', view)]],
    ['a role is allowed after @everyone is denied', true, [overwrite('21', view, '0'), overwrite('1', '0', view)]],
    ['one role is denied', false, [overwrite('21', '0', view)]],
    ['of two roles one is denied and one allowed', true, [overwrite('21', view, '0'), overwrite('22', '0', view)]],
    ['the member is denied after a role is allowed', false, [overwrite('5', '0', view), overwrite('21', view, '0')]],
    ['the member is allowed after a role is denied', true, [overwrite('5', view, '0'), overwrite('21', '0', view)]],
    ['a role of others is allowed', false, [overwrite('1', '0', view), overwrite('23', view, '0')]],
  ])('%s: visible %s', (_, expected, overwrites) => {
    expect(sees(user('5'), ...overwrites)).toBe(expected)
  })

  it('a bot sees it by a role of the bots, or by its own overwrite', () => {
    const hidden = overwrite('1', '0', view)
    expect([sees(BOT, hidden), sees(BOT, hidden, overwrite('21', view, '0')), sees(BOT, hidden, overwrite('77', view, '0'))]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('nothing is allowed where it is hidden', () => {
    const overwrites = [overwrite('1', bits('SEND_MESSAGES'), view)]
    expect(channelPermissions(source, GUILD, { overwrites }, user('5'))).toBe(0n)
  })
})

describe('a role of the bots', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness()
  })
  afterEach(() => harness.close())
  const token = `Bot sandbox-bot-${APPLICATION}`
  const change = (what: string, json: object) => harness.send('POST', `~sandbox/${what}`, { json })
  const guild = async (named: string) => {
    const { json } = await harness.send('GET', '~sandbox/state')
    const all = json['guilds'] as readonly { id: string; name: string; channels: readonly { id: string; name: string }[] }[]
    return all.find(({ name }) => name === named) ?? { id: '', channels: [] }
  }
  const idOf = (channels: readonly { id: string; name: string }[], named: string) => channels.find(({ name }) => name === named)?.id ?? ''
  const names = async (id: string) =>
    (JSON.parse((await harness.send('GET', `/guilds/${id}/channels`, { token })).text) as readonly { name: string }[]).map(
      ({ name }) => name,
    )

  it('shows a channel, and its end hides it again', { tags: ['3-3'] }, async () => {
    const { id, channels } = await guild('Harbour')
    const hidden = idOf(channels, 'captains-only')
    const keepers = await change('roles', { guild: 'Harbour', name: 'Keepers', members: ['grace', null] })
    expect([keepers.status, keepers.json]).toMatchObject([200, { name: 'Keepers', permissions: '0' }])
    await change('channels', {
      channel: 'captains-only',
      overwrites: [
        { role: '@everyone', deny: ['VIEW_CHANNEL'] },
        { role: 'Keepers', allow: ['VIEW_CHANNEL'] },
      ],
    })
    expect(await names(id)).toContain('captains-only')
    expect((await harness.send('GET', `/channels/${hidden}/messages`, { token })).status).toBe(200)
    await change('roles', { guild: 'Harbour', role: 'Keepers', members: ['grace'] })
    expect(await names(id)).not.toContain('captains-only')
    expect((await harness.send('GET', `/channels/${hidden}/messages`, { token })).json).toMatchObject({ code: 50_001 })
    await change('roles', { guild: 'Harbour', role: 'Keepers', permissions: ['ADMINISTRATOR'], members: [null] })
    expect(await names(id)).toContain('captains-only')
    await change('roles', { guild: 'Harbour', role: 'Keepers', deleted: true })
    expect(await names(id)).not.toContain('captains-only')
  })

  it('allows an operation that the guild does not allow every bot', async () => {
    const { channels } = await guild('Lighthouse')
    const send = () =>
      harness.send('PUT', `/channels/${idOf(channels, 'Stairs')}/voice-status`, { token, json: { status: 'Mind the step' } })
    expect((await send()).json).toMatchObject({ code: 50_013 })
    await change('roles', { guild: 'Lighthouse', name: 'Wardens', permissions: ['MANAGE_CHANNELS'], members: [null] })
    expect((await send()).status).toBe(204)
  })

  it('counts for @everyone too, in permissions of users and in the role', async () => {
    const { id } = await guild('Dry Dock')
    const { access_token } = await harness.signIn('identify guilds', { user: 'mary' })
    const permissions = async () =>
      (
        JSON.parse((await harness.send('GET', '/users/@me/guilds', { token: access_token })).text) as readonly {
          id: string
          permissions: string
        }[]
      )
        .filter((one) => one.id === id)
        .map((one) => one.permissions)
    await change('roles', { guild: 'Dry Dock', role: '@everyone', permissions: ['VIEW_CHANNEL'] })
    expect(await permissions()).toEqual([bits('VIEW_CHANNEL')])
    await change('roles', { guild: 'Dry Dock', name: 'Welders', permissions: ['SPEAK'], members: ['mary'] })
    expect(await permissions()).toEqual([bits('VIEW_CHANNEL', 'SPEAK')])
  })

  it.each([
    [{ guild: 'Nowhere', name: 'Keepers' }, 404, 10_004],
    [{ guild: 'Harbour', role: 'Stokers' }, 404, 10_011],
    [{ guild: 'Harbour', name: 'Keepers', members: ['eve'] }, 404, 10_013],
    [{ guild: 'Harbour' }, 400, 50_035],
    [{ guild: 'Harbour', name: 'Keepers', permissions: ['FLY'] }, 400, 50_035],
  ])('%j is refused with %i, %i', async (input, status, code) => {
    const refused = await change('roles', input)
    expect([refused.status, refused.json['code']]).toEqual([status, code])
  })
})
