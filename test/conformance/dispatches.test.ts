/** Every dispatch that the platform documents becomes an event for games, or is left out with a reason. */
import { LEFT_OUT_DISPATCHES } from '@sallyport/protocol'
import { expect, it } from 'vitest'
import { DISPATCH_MAPPINGS, isKnownDispatch } from '#daemon/src/events/providers/gateway/dispatch-mappings/dispatch-mappings.ts'

/** By topic, as the page of gateway events lists them in July 2026. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  connection: ['READY', 'RESUMED', 'RATE_LIMITED'],
  application: ['APPLICATION_COMMAND_PERMISSIONS_UPDATE', 'INTERACTION_CREATE'],
  'auto moderation': [
    'AUTO_MODERATION_RULE_CREATE',
    'AUTO_MODERATION_RULE_UPDATE',
    'AUTO_MODERATION_RULE_DELETE',
    'AUTO_MODERATION_ACTION_EXECUTION',
  ],
  channels: ['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE', 'CHANNEL_PINS_UPDATE', 'CHANNEL_INFO'],
  threads: ['THREAD_CREATE', 'THREAD_UPDATE', 'THREAD_DELETE', 'THREAD_LIST_SYNC', 'THREAD_MEMBER_UPDATE', 'THREAD_MEMBERS_UPDATE'],
  entitlements: ['ENTITLEMENT_CREATE', 'ENTITLEMENT_UPDATE', 'ENTITLEMENT_DELETE'],
  subscriptions: ['SUBSCRIPTION_CREATE', 'SUBSCRIPTION_UPDATE', 'SUBSCRIPTION_DELETE'],
  guilds: [
    'GUILD_CREATE',
    'GUILD_UPDATE',
    'GUILD_DELETE',
    'GUILD_AUDIT_LOG_ENTRY_CREATE',
    'GUILD_BAN_ADD',
    'GUILD_BAN_REMOVE',
    'GUILD_EMOJIS_UPDATE',
    'GUILD_STICKERS_UPDATE',
    'GUILD_INTEGRATIONS_UPDATE',
    'GUILD_MEMBER_ADD',
    'GUILD_MEMBER_REMOVE',
    'GUILD_MEMBER_UPDATE',
    'GUILD_MEMBERS_CHUNK',
    'GUILD_ROLE_CREATE',
    'GUILD_ROLE_UPDATE',
    'GUILD_ROLE_DELETE',
  ],
  'scheduled events': [
    'GUILD_SCHEDULED_EVENT_CREATE',
    'GUILD_SCHEDULED_EVENT_UPDATE',
    'GUILD_SCHEDULED_EVENT_DELETE',
    'GUILD_SCHEDULED_EVENT_USER_ADD',
    'GUILD_SCHEDULED_EVENT_USER_REMOVE',
  ],
  soundboard: [
    'GUILD_SOUNDBOARD_SOUND_CREATE',
    'GUILD_SOUNDBOARD_SOUND_UPDATE',
    'GUILD_SOUNDBOARD_SOUND_DELETE',
    'GUILD_SOUNDBOARD_SOUNDS_UPDATE',
    'SOUNDBOARD_SOUNDS',
  ],
  integrations: ['INTEGRATION_CREATE', 'INTEGRATION_UPDATE', 'INTEGRATION_DELETE', 'WEBHOOKS_UPDATE'],
  invites: ['INVITE_CREATE', 'INVITE_DELETE'],
  messages: [
    'MESSAGE_CREATE',
    'MESSAGE_UPDATE',
    'MESSAGE_DELETE',
    'MESSAGE_DELETE_BULK',
    'MESSAGE_REACTION_ADD',
    'MESSAGE_REACTION_REMOVE',
    'MESSAGE_REACTION_REMOVE_ALL',
    'MESSAGE_REACTION_REMOVE_EMOJI',
    'MESSAGE_POLL_VOTE_ADD',
    'MESSAGE_POLL_VOTE_REMOVE',
    'TYPING_START',
  ],
  users: ['PRESENCE_UPDATE', 'USER_UPDATE'],
  stages: ['STAGE_INSTANCE_CREATE', 'STAGE_INSTANCE_UPDATE', 'STAGE_INSTANCE_DELETE'],
  voice: [
    'VOICE_CHANNEL_EFFECT_SEND',
    'VOICE_CHANNEL_START_TIME_UPDATE',
    'VOICE_CHANNEL_STATUS_UPDATE',
    'VOICE_SERVER_UPDATE',
    'VOICE_STATE_UPDATE',
  ],
}

const mapped = new Set(DISPATCH_MAPPINGS.flatMap(({ from }) => Object.keys(from)))
const leftOut = LEFT_OUT_DISPATCHES.flatMap(({ dispatches }) => dispatches)

it.each(Object.values(DOCUMENTED).flat())('%s is an event for games, or is left out', (name) => {
  expect([mapped.has(name), leftOut.includes(name)].filter(Boolean)).toHaveLength(1)
  expect(isKnownDispatch(name)).toBe(true)
})

it('each dispatch is left out once, for a reason, and none that is an event', () => {
  expect(new Set(leftOut).size).toBe(leftOut.length)
  expect(leftOut.filter((name) => mapped.has(name))).toEqual([])
  expect(LEFT_OUT_DISPATCHES.filter(({ reason }) => !/^[A-Z].*\.$/.test(reason))).toEqual([])
})
