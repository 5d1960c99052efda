/** Who receives events of scheduled events, emoji and stickers of a guild. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { guildContentMapper } from '@sallyport/sandbox/gateway/gateway-events/guild-content'
import { SINGLE_SHARD, type Viewer } from '@sallyport/sandbox/gateway/viewer'
import type { StoredGuild } from '@sallyport/sandbox/store/records'
import { expect, it } from 'vitest'

const GUILD = { id: '7', ownerId: '1', members: { '3': '0' }, botPermissions: '0' } as unknown as StoredGuild
const EMOJIS = { guild_id: '7', emojis: [] }
const INTEREST = { guild_id: '7', guild_scheduled_event_id: '9', user_id: '1' }

const viewer = (caller: object, intents = 0): Viewer => ({
  caller: { applicationId: '5', ...caller } as Viewer['caller'],
  intents,
  capabilities: 0,
  shard: SINGLE_SHARD,
})
const member = viewer({ kind: 'user', id: '1' })
const nonMember = viewer({ kind: 'user', id: '2' })
const bot = (intents: number): Viewer => viewer({ kind: 'bot', id: '5' }, intents)
const { GUILD_EXPRESSIONS, GUILD_SCHEDULED_EVENTS } = GATEWAY_INTENTS

it('members receive them, and no other users', () => {
  const event = guildContentMapper(GUILD, 'GUILD_EMOJIS_UPDATE', () => EMOJIS)
  expect(event(member)).toEqual([{ t: 'GUILD_EMOJIS_UPDATE', d: EMOJIS }])
  expect(event(nonMember)).toEqual([])
})

it.each([
  ['GUILD_EMOJIS_UPDATE', guildContentMapper(GUILD, 'GUILD_EMOJIS_UPDATE', () => EMOJIS), GUILD_EXPRESSIONS],
  ['GUILD_STICKERS_UPDATE', guildContentMapper(GUILD, 'GUILD_STICKERS_UPDATE', () => ({ guild_id: '7', stickers: [] })), GUILD_EXPRESSIONS],
  ['GUILD_SCHEDULED_EVENT_USER_ADD', guildContentMapper(GUILD, 'GUILD_SCHEDULED_EVENT_USER_ADD', () => INTEREST), GUILD_SCHEDULED_EVENTS],
  [
    'GUILD_SCHEDULED_EVENT_USER_REMOVE',
    guildContentMapper(GUILD, 'GUILD_SCHEDULED_EVENT_USER_REMOVE', () => INTEREST),
    GUILD_SCHEDULED_EVENTS,
  ],
])('a bot receives %s with its intent only', (name, event, intent) => {
  expect(event(bot(intent)).map(({ t }) => t)).toEqual([name])
  expect(event(bot(~intent))).toEqual([])
})
