/** Who is above whom: bots cannot act on owners and on members with a higher role, nor give away what they lack. Both modes. */
import { PERMISSIONS } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'

const BOT = `Bot sandbox-bot-${APPLICATION}`
let harness: Harness
let guild: string
beforeEach(async () => {
  harness = await startHarness()
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: { id: string; name: string }[] }
  guild = `/guilds/${guilds.find(({ name }) => name === 'Harbour')?.id}`
})
afterEach(() => harness.close())

const asBot = (method: string, path: string, json?: unknown) =>
  harness.send(method, path, { token: BOT, ...(json === undefined ? {} : { json }) })
const codeOf = async (method: string, path: string, json?: unknown) => {
  const { status, json: body } = await asBot(method, path, json)
  return status < 300 ? 'ok' : body['code']
}
const soon = () => new Date(harness.clock.now() + 60_000).toISOString()
const roleNamed = async (wanted: string) => {
  const roles = (await asBot('GET', `${guild}/roles`)).json as unknown as { id: string; name: string; position: number }[]
  return roles.find(({ name }) => name === wanted) ?? { id: '', position: 0 }
}
const raise = (user: string) =>
  harness.send('POST', '~sandbox/roles', { json: { guild: 'Harbour', name: 'Admirals', members: [user], permissions: ['ADMINISTRATOR'] } })

it('the owner gets no nick, timeout, kick or ban, and members below do', async () => {
  for (const [user, expected] of [
    ['ada', 50013],
    ['grace', 'ok'],
  ] as const) {
    const member = `${guild}/members/${await harness.idOf(user)}`
    expect(await codeOf('PATCH', member, { nick: 'Captain' }), user).toBe(expected)
    expect(await codeOf('PATCH', member, { communication_disabled_until: soon() }), user).toBe(expected)
    expect(await codeOf('DELETE', member), user).toBe(expected)
    expect(await codeOf('PUT', `${guild}/bans/${await harness.idOf(user)}`, {}), user).toBe(expected)
  }
})

it('members with a higher role are left alone, also by a bulk ban', async () => {
  await raise('linus')
  const linus = await harness.idOf('linus')
  expect(await codeOf('PATCH', `${guild}/members/${linus}`, { nick: 'Sailor' })).toBe(50013)
  expect(await codeOf('DELETE', `${guild}/members/${linus}`)).toBe(50013)
  const grace = await harness.idOf('grace')
  expect((await asBot('POST', `${guild}/bulk-ban`, { user_ids: [linus, grace] })).json).toMatchObject({
    banned_users: [grace],
    failed_users: [linus],
  })
})

it('the bot names itself, and reads its role', async () => {
  expect(await codeOf('PATCH', `${guild}/members/${APPLICATION}`, { nick: 'Helper' })).toBe('ok')
  const { id } = await roleNamed('Bots')
  expect((await asBot('GET', `${guild}/members/${APPLICATION}`)).json['roles']).toEqual([id])
})

it('roles at or above the own one are not given, changed, moved or deleted', async () => {
  const grace = await harness.idOf('grace')
  for (const [name, expected] of [
    ['Captain', 50013],
    ['Bots', 50013],
    ['Crew', 'ok'],
  ] as const) {
    const { id } = await roleNamed(name)
    expect(await codeOf('DELETE', `${guild}/members/${grace}/roles/${id}`), name).toBe(expected)
    expect(await codeOf('PUT', `${guild}/members/${grace}/roles/${id}`), name).toBe(expected)
    expect(await codeOf('PATCH', `${guild}/roles/${id}`, { mentionable: true }), name).toBe(expected)
    expect(await codeOf('PATCH', `${guild}/roles`, [{ id, position: 1 }]), name).toBe(expected)
  }
  const { id } = await roleNamed('Crew')
  expect(await codeOf('PATCH', `${guild}/roles`, [{ id, position: 9 }])).toBe(50013)
  expect(await codeOf('DELETE', `${guild}/roles/${(await roleNamed('Captain')).id}`)).toBe(50013)
})

it('a role gets no permission that the bot lacks', async () => {
  const permissions = PERMISSIONS.ADMINISTRATOR.bit.toString()
  expect(await codeOf('POST', `${guild}/roles`, { name: 'Admirals', permissions })).toBe(50013)
  expect(await codeOf('POST', `${guild}/roles`, { name: 'Guests', permissions: PERMISSIONS.KICK_MEMBERS.bit.toString() })).toBe('ok')
})

it('translations name locales of the platform', async () => {
  const command = (name_localizations: object) => ({ name: 'sail', description: 'Sails', name_localizations })
  const path = `/applications/${APPLICATION}/commands`
  expect(await codeOf('POST', path, command({ de: 'segeln', 'pt-BR': 'navegar' }))).toBe('ok')
  const { json } = await asBot('POST', path, command({ klingon: 'sail' }))
  expect(json).toMatchObject({ code: 50035, errors: { name_localizations: { klingon: { _errors: [{}] } } } })
  const option = { type: 3, name: 'to', description: 'Where', description_localizations: { xx: 'Wo' } }
  const nested = await asBot('POST', path, { ...command({}), options: [option] })
  expect(nested.json).toMatchObject({ code: 50035, errors: { options: { 0: { description_localizations: { xx: {} } } } } })
})
