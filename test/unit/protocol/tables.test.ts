/** All tables are complete, and all schemas can be expressed in JSON Schema. */
import {
  type CommandRow,
  COMMANDS,
  type EndpointRow,
  ENDPOINTS,
  ERRORS,
  type EventRow,
  EVENTS,
  isScopeName,
  LIMITS,
  PERMISSIONS,
  SCOPES,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tableOf } from '../../../protocol/src/table.ts'

const PUBLIC_COMMANDS =
  'AUTHORIZE AUTHENTICATE SUBSCRIBE UNSUBSCRIBE GET_GUILD GET_GUILDS GET_CHANNEL GET_CHANNELS SET_USER_VOICE_SETTINGS SELECT_VOICE_CHANNEL GET_SELECTED_VOICE_CHANNEL SELECT_TEXT_CHANNEL GET_VOICE_SETTINGS SET_VOICE_SETTINGS SET_CERTIFIED_DEVICES SET_ACTIVITY SEND_ACTIVITY_JOIN_INVITE CLOSE_ACTIVITY_REQUEST CLOSE_ACTIVITY_JOIN_REQUEST ACTIVITY_INVITE_USER ACCEPT_ACTIVITY_INVITE GET_RELATIONSHIPS GET_USER GET_CHANNEL_PERMISSIONS CREATE_CHANNEL_INVITE OPEN_MESSAGE DEEP_LINK GET_IMAGE USER_SETTINGS_GET_LOCALE SET_USER_VOICE_SETTINGS_2 SET_VOICE_SETTINGS_2 PUSH_TO_TALK TOGGLE_VIDEO TOGGLE_SCREENSHARE GET_SOUNDBOARD_SOUNDS PLAY_SOUNDBOARD_SOUND GET_QUEST_ENROLLMENT_STATUS QUEST_START_TIMER SET_OVERLAY_LOCKED OPEN_OVERLAY_ACTIVITY_INVITE OPEN_OVERLAY_GUILD_INVITE OPEN_OVERLAY_VOICE_SETTINGS VALIDATE_APPLICATION GET_ENTITLEMENT_TICKET GET_APPLICATION_TICKET START_PURCHASE START_PREMIUM_PURCHASE GET_SKUS GET_ENTITLEMENTS GET_SKUS_EMBEDDED GET_ENTITLEMENTS_EMBEDDED GET_NETWORKING_CONFIG NETWORKING_CREATE_TOKEN NETWORKING_SYSTEM_METRICS NETWORKING_PEER_METRICS CAPTURE_SHORTCUT'
/** Commands of the public protocol that the desktop client or the platform can handle. */
const JOIN_COMMANDS =
  'SEND_ACTIVITY_JOIN_INVITE CLOSE_ACTIVITY_REQUEST CLOSE_ACTIVITY_JOIN_REQUEST ACTIVITY_INVITE_USER ACCEPT_ACTIVITY_INVITE'
const EMBEDDED_COMMANDS =
  'OPEN_INVITE_DIALOG OPEN_SHARE_MOMENT_DIALOG SHARE_INTERACTION SHARE_LINK INITIATE_IMAGE_UPLOAD INVITE_USER_EMBEDDED OPEN_EXTERNAL_LINK SEND_ANALYTICS_EVENT CAPTURE_LOG ENCOURAGE_HW_ACCELERATION SET_ORIENTATION_LOCK_STATE SET_CONFIG GET_QUEST GET_PLATFORM_BEHAVIORS GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS REQUEST_PROXY_TICKET_REFRESH GET_PROVIDER_ACCESS_TOKEN MAYBE_GET_PROVIDER_ACCESS_TOKEN NAVIGATE_TO_CONNECTIONS'
const PRIVATE_COMMANDS =
  'INVITE_BROWSER GUILD_TEMPLATE_BROWSER GIFT_CODE_BROWSER CONNECTIONS_CALLBACK BILLING_POPUP_BRIDGE_CALLBACK BROWSER_HANDOFF OVERLAY'
const OWN_COMMANDS =
  'ABORT_AUTHORIZE DELIVER_AUTHORIZE_CALLBACK AUTHORIZE_DEVICE GET_TOKEN_FROM_DEVICE GET_TOKEN REFRESH_TOKEN REVOKE_TOKEN SET_BOT_TOKEN FORGET_BOT_TOKEN GET_BOT_TOKENS FORGET_TOKENS EXCHANGE_CHILD_TOKEN GET_PROVISIONAL_TOKEN UNMERGE_PROVISIONAL_ACCOUNT UPDATE_TOKEN SET_HTTP_REQUEST_TIMEOUT GET_BRIDGE_STATUS GET_CURRENT_USER_V2 GET_PLATFORM_CHANGES CHECK_VOICE_CONNECTION MAP_ACTIVITY_URL REGISTER_LAUNCH_COMMAND REGISTER_LAUNCH_STEAM_APPLICATION REQUEST_GUILD_MEMBERS REQUEST_CHANNEL_INFO'
const EVENT_NAMES =
  'READY ERROR CURRENT_USER_UPDATE CURRENT_GUILD_MEMBER_UPDATE RELATIONSHIP_UPDATE GUILD_STATUS GUILD_CREATE CHANNEL_CREATE VOICE_CHANNEL_SELECT VOICE_STATE_CREATE VOICE_STATE_UPDATE VOICE_STATE_DELETE VOICE_SETTINGS_UPDATE VOICE_SETTINGS_UPDATE_2 VOICE_CONNECTION_STATUS SPEAKING_START SPEAKING_STOP MESSAGE_CREATE MESSAGE_UPDATE MESSAGE_DELETE NOTIFICATION_CREATE ACTIVITY_JOIN ACTIVITY_SPECTATE ACTIVITY_JOIN_REQUEST ACTIVITY_INVITE ENTITLEMENT_CREATE ENTITLEMENT_DELETE OVERLAY_UPDATE SCREENSHARE_STATE_UPDATE VIDEO_STATE_UPDATE AUTHORIZE_REQUEST QUEST_ENROLLMENT_STATUS_UPDATE ACTIVITY_PIP_MODE_UPDATE ACTIVITY_LAYOUT_MODE_UPDATE ORIENTATION_UPDATE THERMAL_STATE_UPDATE ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
/** Events of the gateway and of webhooks that the public protocol does not have. */
const OWN_EVENTS =
  'TOKEN_REVOKED ENTITLEMENT_UPDATE SUBSCRIPTION_CREATE SUBSCRIPTION_UPDATE SUBSCRIPTION_DELETE GUILD_UPDATE GUILD_DELETE CHANNEL_UPDATE CHANNEL_DELETE GUILD_MEMBER_ADD GUILD_MEMBER_UPDATE GUILD_MEMBER_REMOVE VOICE_CHANNEL_STATUS_UPDATE VOICE_CHANNEL_START_TIME_UPDATE LOBBY_CREATE LOBBY_UPDATE LOBBY_DELETE LOBBY_MEMBER_ADD LOBBY_MEMBER_UPDATE LOBBY_MEMBER_REMOVE LOBBY_MESSAGE_CREATE LOBBY_MESSAGE_UPDATE LOBBY_MESSAGE_DELETE GAME_DIRECT_MESSAGE_CREATE GAME_DIRECT_MESSAGE_UPDATE GAME_DIRECT_MESSAGE_DELETE'

const commands = Object.entries<CommandRow>(COMMANDS)
const events = Object.entries<EventRow>(EVENTS)
const endpoints = Object.entries<EndpointRow>(ENDPOINTS)
const words = (text: string): string[] => text.split(' ')
const handledBy = (by: string): string[] => commands.filter(([, row]) => row.handledBy === by).map(([name]) => name)

describe('COMMANDS', () => {
  it('contains exactly the commands of the public protocol, the project and the endpoints', () => {
    const endpointCommands = endpoints.filter(([, row]) => row.auth !== 'client').map(([name]) => name)
    const expected = [PUBLIC_COMMANDS, EMBEDDED_COMMANDS, PRIVATE_COMMANDS, OWN_COMMANDS].flatMap(words).concat(endpointCommands)
    expect(Object.keys(COMMANDS).toSorted()).toEqual(expected.toSorted())
  })

  it('is handled by the bridge only for commands with a handler in the daemon', () => {
    expect(handledBy('bridge').toSorted()).toEqual(
      ['AUTHORIZE', 'AUTHENTICATE', 'SUBSCRIBE', 'UNSUBSCRIBE', 'SET_ACTIVITY', ...words(JOIN_COMMANDS), ...words(OWN_COMMANDS)].toSorted(),
    )
    expect(handledBy('embedded').toSorted()).toEqual(words(EMBEDDED_COMMANDS).toSorted())
  })

  it('makes embedded and private commands unavailable over a local socket', () => {
    for (const name of [EMBEDDED_COMMANDS, PRIVATE_COMMANDS].flatMap(words)) {
      const row = commands.find(([key]) => key === name)?.[1]
      expect(
        row?.requires.every((set) => set.some((scope) => /^rpc\.(private|embedded_app)/.test(scope))),
        name,
      ).toBe(true)
    }
  })

  it('treats absent, null and empty arguments the same for commands without arguments', () => {
    for (const name of ['GET_GUILDS', 'GET_VOICE_SETTINGS', 'GET_BRIDGE_STATUS', 'AUTHENTICATE', 'FORGET_TOKENS'] as const) {
      for (const args of [undefined, null, {}]) expect(COMMANDS[name].args.safeParse(args).success, name).toBe(true)
    }
    expect(COMMANDS.GET_GUILDS.args.safeParse({ surprise: 1 }).success).toBe(false)
  })
})

describe('EVENTS', () => {
  it('contains exactly the events of the public protocol and the project', () => {
    expect(Object.keys(EVENTS).toSorted()).toEqual([EVENT_NAMES, OWN_EVENTS].flatMap(words).toSorted())
    const own = events.filter(([, row]) => row.provenance === 'sallyport').map(([name]) => name)
    expect(own.toSorted()).toEqual(words(OWN_EVENTS).toSorted())
  })

  it('has automatic events that cannot be subscribed', () => {
    expect(
      events
        .filter(([, row]) => row.delivery === 'automatic')
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(['ERROR', 'READY', 'TOKEN_REVOKED'])
    expect(EVENTS.GUILD_STATUS.args.safeParse({ guild_id: '1' }).success).toBe(true)
    expect(EVENTS.GUILD_STATUS.args.safeParse({}).success).toBe(false)
    expect(EVENTS.ACTIVITY_JOIN.args.safeParse(undefined).success).toBe(true)
  })
})

describe('every row', () => {
  const rows = [...commands, ...events, ...endpoints]

  it('has its own name as key, a summary, and existing scopes', () => {
    for (const [name, row] of rows) {
      expect(row.name).toBe(name)
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(row.summary, name).toMatch(/^[A-Z].{5,}[.]$/)
      expect(row.since, name).toMatch(/^\d+\.\d+$/)
      for (const scope of row.requires.flat()) expect(isScopeName(scope), `${name}: ${scope}`).toBe(true)
    }
  })

  it('can be expressed in JSON Schema, for input and output', () => {
    const schemas = [
      ...[...commands, ...events].flatMap(([, row]) => [row.args, row.data]),
      ...endpoints.flatMap(([, row]) => [row.args, row.response]),
    ]
    for (const schema of schemas) for (const io of ['input', 'output'] as const) expect(() => z.toJSONSchema(schema, { io })).not.toThrow()
  })

  it('names only existing errors', () => {
    for (const [name, row] of commands) for (const error of row.errors) expect(Object.hasOwn(ERRORS, error), name).toBe(true)
  })
})

describe('the other tables', () => {
  it('have a summary for each error, limit, scope and permission, and a unique code for each error', () => {
    const all = [ERRORS, LIMITS, SCOPES, PERMISSIONS].flatMap((table) => Object.entries<{ readonly summary: string }>(table))
    for (const [name, row] of all) expect(row.summary, name).toMatch(/^[A-Z].*\.$/)
    const codes = Object.values(ERRORS).map((row) => row.code)
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('rejects two rows with one name', () => {
    expect(() => tableOf([{ name: 'A' }, { name: 'B' }, { name: 'A' }])).toThrow('two rows are named A')
  })
})
