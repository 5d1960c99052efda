/** Events of roles, bans, invites and reactions: what a change sends, and to whom. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BOT } from '../answers.ts'
import { type Harness, startHarness } from '../harness.ts'
import { channelNamed, guildNamed } from '../uploads.ts'
import { bot } from './client.ts'

const { GUILDS, GUILD_MODERATION, GUILD_INVITES, GUILD_MESSAGE_REACTIONS } = GATEWAY_INTENTS

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const asBot = async (method: string, path: string, json?: unknown) =>
  (await harness.send(method, path, { token: BOT, ...(json === undefined ? {} : { json }) })).json

it('roles that come, change and go', async () => {
  const { client } = await bot(harness, GUILDS)
  const { id: guild_id } = await guildNamed(harness, 'Harbour')
  const role = await asBot('POST', `/guilds/${guild_id}/roles`, { name: 'Pilots' })
  expect(await client.event('GUILD_ROLE_CREATE')).toMatchObject({ guild_id, role: { id: role['id'], name: 'Pilots' } })
  // The others move up.
  expect((await client.heardUntilNow(harness)).map(({ t }) => t)).toEqual(Array.from({ length: 3 }, () => 'GUILD_ROLE_UPDATE'))
  await asBot('PATCH', `/guilds/${guild_id}/roles/${String(role['id'])}`, { name: 'Stokers' })
  expect(await client.event('GUILD_ROLE_UPDATE')).toMatchObject({ guild_id, role: { name: 'Stokers' } })
  await asBot('DELETE', `/guilds/${guild_id}/roles/${String(role['id'])}`)
  expect(await client.event('GUILD_ROLE_DELETE')).toEqual({ guild_id, role_id: role['id'] })
})

it('bans and invites, to bots with their intents and permissions', async () => {
  const { client } = await bot(harness, GUILD_MODERATION | GUILD_INVITES)
  const { client: without } = await bot(harness, GUILDS)
  const { id: guild_id } = await guildNamed(harness, 'Harbour')
  const user_id = await harness.idOf('mary')
  await asBot('PUT', `/guilds/${guild_id}/bans/${user_id}`, {})
  expect(await client.event('GUILD_BAN_ADD')).toMatchObject({ guild_id, user: { id: user_id } })
  await asBot('DELETE', `/guilds/${guild_id}/bans/${user_id}`)
  expect(await client.event('GUILD_BAN_REMOVE')).toMatchObject({ guild_id, user: { id: user_id } })
  const channel_id = await channelNamed(harness, 'Harbour', 'general')
  const { code } = await asBot('POST', `/channels/${channel_id}/invites`, {})
  expect(await client.event('INVITE_CREATE')).toMatchObject({ guild_id, channel_id, code, max_uses: 0 })
  await asBot('DELETE', `/invites/${String(code)}`)
  expect(await client.event('INVITE_DELETE')).toEqual({ guild_id, channel_id, code })
  expect(await without.heardUntilNow(harness)).toEqual([])
})

it('reactions, one by one, of one emoji and all', async () => {
  await harness.send('POST', '~sandbox/roles', {
    json: { guild: 'Harbour', name: 'Bots', permissions: ['MANAGE_MESSAGES'], members: [null] },
  })
  const { client } = await bot(harness, GUILD_MESSAGE_REACTIONS)
  const channel_id = await channelNamed(harness, 'Harbour', 'general')
  const { id: message_id } = await asBot('POST', `/channels/${channel_id}/messages`, { content: 'Ahoy' })
  const path = `/channels/${channel_id}/messages/${String(message_id)}/reactions`
  const react = (emoji: string) => asBot('PUT', `${path}/${encodeURIComponent(emoji)}/@me`)
  await react('⚓')
  expect(await client.event('MESSAGE_REACTION_ADD')).toMatchObject({ channel_id, message_id, emoji: { id: null, name: '⚓' } })
  await asBot('DELETE', `${path}/${encodeURIComponent('⚓')}/@me`)
  expect(await client.event('MESSAGE_REACTION_REMOVE')).toMatchObject({ message_id, emoji: { name: '⚓' } })
  for (const emoji of ['⚓', '🐟']) {
    await react(emoji)
    await client.event('MESSAGE_REACTION_ADD')
  }
  await asBot('DELETE', path)
  expect(await client.event('MESSAGE_REACTION_REMOVE_ALL')).toMatchObject({ channel_id, message_id })
  expect(await client.heardUntilNow(harness)).toEqual([])
})
