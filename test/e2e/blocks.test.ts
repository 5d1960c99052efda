/**
 * A block, on every command that names a user and every event that is about one: what arrives between friends does not arrive after either
 * has blocked the other. A command or an event that is not tried here stands below with the reason.
 */
import { COMMANDS, ENDPOINTS, type EndpointRow, EVENTS } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { type Player, player } from './support/player.ts'
import { startWalked, type WalkedDaemon } from './support/walked-daemon.ts'

const APPLICATION = '1234567890'
const HEADLESS = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' }
const JOIN_REQUEST = { type: 5 }
const INVITE = { type: 1, content: '', pid: process.pid }

let daemon: WalkedDaemon
let players: readonly [Player, Player]
let lobbyId = ''

type Act = () => Promise<number | undefined>
interface Attempt {
  readonly commands: readonly string[]
  /** What the other user's game gets; undefined where only the answer shows it. */
  readonly event?: string
  /** Whether the command is an error after the block. Otherwise it succeeds, and does not reach the other user. */
  readonly isRefused?: true
  /** Brings two friends to where the command can be called, and gives the call. */
  readonly prepare: (who: Player, whom: Player) => Promise<Act>
}

const relate = (who: Player, whom: Player, type: string) =>
  daemon.control('POST', '/relationships', { user: who.name, other: whom.name, type })
const direct = async (who: Player, whom: Player): Promise<string> => {
  const { id } = (await who.ok('SEND_USER_MESSAGE', { user_id: whom.id, content: 'Ahoy' })) as { readonly id: string }
  await whom.event('GAME_DIRECT_MESSAGE_CREATE', (data: { readonly id: string }) => data.id === id)
  return id
}
const inLobby = async (who: Player, whom: Player): Promise<string> => {
  const { id } = (await who.ok('SEND_LOBBY_MESSAGE', { lobby_id: lobbyId, content: 'Ahoy' })) as { readonly id: string }
  await whom.event('LOBBY_MESSAGE_CREATE', (data: { readonly id: string }) => data.id === id)
  return id
}
const changeInLobby = async (change: object): Promise<undefined> => {
  await daemon.control('POST', '/lobby-messages', change)
}
/** Invites the user, and gives what their game learns of it. */
const invited = async (host: Player, guest: Player) => {
  await host.ok('ACTIVITY_INVITE_USER', { ...INVITE, user_id: guest.id })
  return (await guest.event('ACTIVITY_INVITE')) as Readonly<Record<'channel_id' | 'message_id' | 'session_id', string>>
}
const strangers = async (who: Player, whom: Player): Promise<void> => {
  await relate(who, whom, 'none')
  for (const one of [who, whom]) await one.code('REMOVE_GAME_RELATIONSHIP', { user_id: (one === who ? whom : who).id })
}
const headless = async (who: Player): Promise<string> =>
  ((await who.ok('CREATE_HEADLESS_SESSION', { activities: [HEADLESS] })) as { readonly token: string }).token

const ATTEMPTS: readonly Attempt[] = [
  {
    commands: ['SEND_USER_MESSAGE'],
    event: 'GAME_DIRECT_MESSAGE_CREATE',
    isRefused: true,
    prepare: async (who, whom) => () => who.code('SEND_USER_MESSAGE', { user_id: whom.id, content: 'Ahoy' }),
  },
  {
    commands: ['EDIT_USER_MESSAGE'],
    event: 'GAME_DIRECT_MESSAGE_UPDATE',
    async prepare(who, whom) {
      const message_id = await direct(who, whom)
      return () => who.code('EDIT_USER_MESSAGE', { user_id: whom.id, message_id, content: 'Ahoy!' })
    },
  },
  {
    commands: ['DELETE_USER_MESSAGE'],
    event: 'GAME_DIRECT_MESSAGE_DELETE',
    async prepare(who, whom) {
      const message_id = await direct(who, whom)
      return () => who.code('DELETE_USER_MESSAGE', { user_id: whom.id, message_id })
    },
  },
  {
    commands: ['ACTIVITY_INVITE_USER'],
    event: 'ACTIVITY_INVITE',
    isRefused: true,
    prepare: async (who, whom) => () => who.code('ACTIVITY_INVITE_USER', { ...INVITE, user_id: whom.id }),
  },
  {
    commands: ['ACCEPT_ACTIVITY_INVITE'],
    isRefused: true,
    async prepare(who, whom) {
      const { channel_id, message_id, session_id } = await invited(whom, who)
      const args = { type: 1, user_id: whom.id, session_id, channel_id, message_id, application_id: APPLICATION }
      return () => who.code('ACCEPT_ACTIVITY_INVITE', args)
    },
  },
  {
    commands: ['GET_ACTIVITY_SECRET'],
    isRefused: true,
    async prepare(who, whom) {
      const { channel_id, message_id, session_id } = await invited(whom, who)
      const args = { user_id: whom.id, session_id, application_id: APPLICATION, action: '1', channel_id, message_id }
      return () => who.code('GET_ACTIVITY_SECRET', args)
    },
  },
  ...['SEND_FRIEND_REQUEST', 'CREATE_RELATIONSHIP', 'SEND_GAME_FRIEND_REQUEST', 'CREATE_GAME_RELATIONSHIP'].map(
    (command): Attempt => ({
      commands: [command],
      event: command.includes('GAME') ? 'GAME_RELATIONSHIP_UPDATE' : 'RELATIONSHIP_UPDATE',
      isRefused: true,
      async prepare(who, whom) {
        await strangers(who, whom)
        return () => who.code(command, command.startsWith('SEND') ? { username: whom.name } : { user_id: whom.id })
      },
    }),
  ),
  {
    commands: ['REMOVE_RELATIONSHIP'],
    event: 'RELATIONSHIP_UPDATE',
    prepare: async (who, whom) => () => who.code('REMOVE_RELATIONSHIP', { user_id: whom.id }),
  },
  {
    commands: ['REMOVE_GAME_RELATIONSHIP'],
    event: 'GAME_RELATIONSHIP_UPDATE',
    async prepare(who, whom) {
      await strangers(who, whom)
      await who.ok('CREATE_GAME_RELATIONSHIP', { user_id: whom.id })
      return () => who.code('REMOVE_GAME_RELATIONSHIP', { user_id: whom.id })
    },
  },
  {
    commands: ['CREATE_HEADLESS_SESSION'],
    event: 'RELATIONSHIP_UPDATE',
    prepare: async (who) => () => who.code('CREATE_HEADLESS_SESSION', { activities: [HEADLESS] }),
  },
  {
    commands: ['DELETE_HEADLESS_SESSION'],
    event: 'RELATIONSHIP_UPDATE',
    async prepare(who) {
      const token = await headless(who)
      return () => who.code('DELETE_HEADLESS_SESSION', { token })
    },
  },
  {
    commands: ['SET_ONLINE_STATUS'],
    event: 'RELATIONSHIP_UPDATE',
    async prepare(who) {
      await who.ok('SET_ONLINE_STATUS', { status: 'online' })
      return () => who.code('SET_ONLINE_STATUS', { status: 'dnd' })
    },
  },
  {
    commands: ['SEND_LOBBY_MESSAGE'],
    event: 'LOBBY_MESSAGE_CREATE',
    prepare: async (who) => () => who.code('SEND_LOBBY_MESSAGE', { lobby_id: lobbyId, content: 'Ahoy' }),
  },
  {
    commands: [],
    event: 'LOBBY_MESSAGE_UPDATE',
    async prepare(who, whom) {
      const message_id = await inLobby(who, whom)
      return () => changeInLobby({ message_id, content: 'Ahoy!' })
    },
  },
  {
    commands: [],
    event: 'LOBBY_MESSAGE_DELETE',
    async prepare(who, whom) {
      const message_id = await inLobby(who, whom)
      return () => changeInLobby({ message_id, deleted: true })
    },
  },
  // The last ones, because an invite that answers an open request is accepted at once.
  {
    commands: ['SEND_ACTIVITY_MESSAGE'],
    event: 'ACTIVITY_JOIN_REQUEST',
    isRefused: true,
    prepare: async (who, whom) => () => who.code('SEND_ACTIVITY_MESSAGE', { user_id: whom.id, activity: JOIN_REQUEST }),
  },
  {
    commands: ['SEND_ACTIVITY_JOIN_INVITE'],
    event: 'ACTIVITY_JOIN',
    isRefused: true,
    async prepare(who, whom) {
      await whom.ok('SEND_ACTIVITY_MESSAGE', { user_id: who.id, activity: JOIN_REQUEST })
      await who.event('ACTIVITY_JOIN_REQUEST')
      return () => who.code('SEND_ACTIVITY_JOIN_INVITE', { user_id: whom.id })
    },
  },
]

/** Commands that name a user and are not tried, by reason. */
const LEFT_OUT_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'The user is the one who is signed in.': [
    'AUTHENTICATE',
    'AUTHORIZE',
    'GET_SKU_SUBSCRIPTION',
    'LIST_ENTITLEMENTS',
    'LIST_SKU_SUBSCRIPTIONS',
  ],
  'It answers nothing that reaches the other user; the answers of a block are read below.': ['GET_USER_MESSAGES'],
  'It reads public names in games.': ['GET_USER_APPLICATION_IDENTITIES'],
  'It changes only what this bridge keeps.': ['CLOSE_ACTIVITY_JOIN_REQUEST', 'CLOSE_ACTIVITY_REQUEST'],
  'Members of a guild see each other.': ['REQUEST_GUILD_MEMBERS'],
  "Only the platform's desktop client does it.": ['INVITE_USER_EMBEDDED', 'SET_USER_VOICE_SETTINGS', 'SET_USER_VOICE_SETTINGS_2'],
}

/** Events that name a user and are not tried, by reason. */
const LEFT_OUT_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'It is about the user of the game.': [
    'APPLICATION_AUTHORIZED',
    'CURRENT_GUILD_MEMBER_UPDATE',
    'CURRENT_USER_UPDATE',
    'ENTITLEMENT_CREATE',
    'ENTITLEMENT_DELETE',
    'ENTITLEMENT_UPDATE',
    'QUEST_USER_ENROLLMENT',
    'READY',
    'SUBSCRIPTION_CREATE',
    'SUBSCRIPTION_DELETE',
    'SUBSCRIPTION_UPDATE',
    'TOKEN_REVOKED',
  ],
  'A guild shows its members, channels and messages to all who see them, as the platform does.': [
    'GUILD_BAN_ADD',
    'GUILD_BAN_REMOVE',
    'GUILD_EMOJIS_UPDATE',
    'GUILD_MEMBER_ADD',
    'GUILD_MEMBER_REMOVE',
    'GUILD_MEMBER_UPDATE',
    'GUILD_SCHEDULED_EVENT_CREATE',
    'GUILD_SCHEDULED_EVENT_DELETE',
    'GUILD_SCHEDULED_EVENT_UPDATE',
    'INVITE_CREATE',
    'MESSAGE_POLL_VOTE_ADD',
    'MESSAGE_POLL_VOTE_REMOVE',
    'MESSAGE_REACTION_ADD',
    'MESSAGE_REACTION_REMOVE',
    'TYPING_START',
    'GUILD_SCHEDULED_EVENT_USER_ADD',
    'GUILD_SCHEDULED_EVENT_USER_REMOVE',
    'GUILD_STICKERS_UPDATE',
    'MESSAGE_CREATE',
    'MESSAGE_DELETE',
    'MESSAGE_UPDATE',
    'SPEAKING_START',
    'SPEAKING_STOP',
    'VOICE_STATE_CREATE',
    'VOICE_STATE_DELETE',
    'VOICE_STATE_UPDATE',
  ],
  'Who is in a lobby decides who may join it; a member sees all members.': [
    'LOBBY_CREATE',
    'LOBBY_MEMBER_ADD',
    'LOBBY_MEMBER_UPDATE',
    'LOBBY_UPDATE',
  ],
  'Only the bot of the application gets it.': ['INTERACTION_CREATE'],
  "Only the platform's desktop client sends it.": ['ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', 'NOTIFICATION_CREATE'],
}

const NAMES_A_USER = /^(?:user_ids?(?:_\d)?|username|target_user_id|recipients?|recipient_id|members|owner_id|author_id)$/
const RECORDS_OF_USERS =
  /^(?:RpcUser|User|Relationship|GameRelationship|Member|GuildMember|LobbyMember|LobbyMessage|UserMessage|Message|RpcMessage)$/

type Inside = Partial<Record<'shape', Record<string, z.ZodType>>> &
  Partial<Record<'innerType' | 'element' | 'left' | 'right', z.ZodType>> & { readonly options?: readonly z.ZodType[] }
const insideOf = (schema: z.ZodType): Inside => (schema as unknown as { readonly def: Inside }).def

function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape, innerType } = insideOf(schema)
  return shape ?? (innerType === undefined ? {} : fieldsOf(innerType))
}

/** Whether a user is in the data, at any depth. */
function namesUser(schema: z.ZodType): boolean {
  if (RECORDS_OF_USERS.test(schema.meta()?.id ?? '')) return true
  const { shape = {}, innerType, element, left, right, options = [] } = insideOf(schema)
  const parts = [...Object.values(shape), innerType, element, left, right, ...options].filter((part) => part !== undefined)
  return Object.keys(shape).some((name) => NAMES_A_USER.test(name)) || parts.some(namesUser)
}

const schemaOf = (given: z.ZodType | (() => z.ZodType)): z.ZodType => (typeof given === 'function' ? given() : given)
const endpointOf = (name: string): EndpointRow | undefined => (ENDPOINTS as Readonly<Record<string, EndpointRow>>)[name]
/** A bot has no relationships. */
const isForUsers = (name: string): boolean => !['bot', 'interaction', 'client', 'none'].includes(endpointOf(name)?.auth ?? 'user')

const commandsOfUsers = Object.values(COMMANDS)
  .filter(
    ({ name, args }) => isForUsers(name) && Object.keys(fieldsOf(schemaOf(args as z.ZodType))).some((field) => NAMES_A_USER.test(field)),
  )
  .map(({ name }) => name as string)
const eventsOfUsers = Object.values(EVENTS)
  .filter(({ data }) => namesUser(schemaOf(data as z.ZodType)))
  .map(({ name }) => name as string)

beforeAll(async () => {
  daemon = await startWalked()
  const [ada, mary] = await Promise.all([player(daemon, 'ada'), player(daemon, 'mary')])
  players = [ada, mary]
  for (const one of players) {
    lobbyId = ((await one.ok('CREATE_OR_JOIN_LOBBY', { secret: 'the crew' })) as { readonly id: string }).id
    const events = new Set(['CURRENT_USER_UPDATE', ...ATTEMPTS.flatMap(({ event }) => event ?? [])])
    for (const event of events) await one.ok('SUBSCRIBE', event.startsWith('LOBBY') ? { lobby_id: lobbyId } : {}, event)
    await one.ok('GET_RELATIONSHIPS')
    await one.ok('SET_ACTIVITY', {
      pid: process.pid,
      activity: { details: one.name, party: { id: one.name, size: [1, 4] }, secrets: { join: `join ${one.name}` } },
    })
  }
  await relate(ada, mary, 'friend')
  for (const one of players) {
    const isOther = ({ presence }: { readonly presence?: { readonly activity?: { readonly details?: string } | null } }) =>
      presence?.activity?.details === (one === ada ? mary : ada).name
    await one.event('RELATIONSHIP_UPDATE', isOther)
  }
})
afterAll(() => daemon?.stop())

/** Friends again, and nothing on the way. */
async function befriend(): Promise<void> {
  const [ada, mary] = players
  await relate(ada, mary, 'none')
  await relate(ada, mary, 'friend')
  for (const one of players) await one.heard()
}

const isNamed = (one: Player, { evt, data }: { readonly evt: string | null; readonly data: unknown }, event: string | undefined): boolean =>
  evt === event || JSON.stringify(data).includes(one.id)

describe.each(ATTEMPTS)('$commands $event', ({ event, isRefused, prepare }) => {
  it.each([0, 1] as const)('arrives from friend %i, and not after a block of either', async (index) => {
    const [who, whom] = [players[index], players[1 - index] as Player]
    await befriend()
    const act = await prepare(who, whom)
    await whom.heard()
    expect(await act()).toBeUndefined()
    if (event !== undefined) await whom.event(event)
    for (const [blocker, blocked] of [
      [who, whom],
      [whom, who],
    ] as const) {
      await befriend()
      const actAfter = await prepare(who, whom)
      await blocker.ok('CREATE_RELATIONSHIP', { user_id: blocked.id, type: 2 })
      for (const one of players) await one.heard()
      const code = await actAfter()
      expect(code !== undefined, `an error after the block by ${blocker.name}: ${code}`).toBe(isRefused === true)
      expect((await whom.heard()).filter((message) => isNamed(who, message, event))).toEqual([])
      await blocker.ok('REMOVE_RELATIONSHIP', { user_id: blocked.id })
    }
  })
})

describe('every row', () => {
  it('that names a user is tried, or is left out for a reason', () => {
    const tried = ATTEMPTS.flatMap(({ commands }) => commands)
    const leftOut = Object.values(LEFT_OUT_COMMANDS).flat()
    expect(leftOut.filter((name) => tried.includes(name) || !commandsOfUsers.includes(name))).toEqual([])
    expect(commandsOfUsers.filter((name) => !tried.includes(name) && !leftOut.includes(name))).toEqual([])
  })

  it('of an event that names a user is tried, or is left out for a reason', () => {
    const tried = ATTEMPTS.flatMap(({ event }) => event ?? [])
    const leftOut = Object.values(LEFT_OUT_EVENTS).flat()
    expect(leftOut.filter((name) => tried.includes(name) || !eventsOfUsers.includes(name))).toEqual([])
    expect(eventsOfUsers.filter((name) => !tried.includes(name) && !leftOut.includes(name))).toEqual([])
  })
})

it('what a block keeps away is not read later either', async () => {
  const [ada, mary] = players
  await befriend()
  const [spoken, written] = [await inLobby(mary, ada), await direct(mary, ada)]
  const readBy = async (one: Player, other: Player): Promise<string> =>
    JSON.stringify([
      await one.ok('GET_USER_MESSAGES', { user_id: other.id }),
      await one.ok('GET_USER_MESSAGE_SUMMARIES'),
      await one.ok('GET_LOBBY_MESSAGES', { lobby_id: lobbyId }),
    ])
  expect(await readBy(ada, mary)).toContain(spoken)
  await ada.ok('CREATE_RELATIONSHIP', { user_id: mary.id, type: 2 })
  const blocked = await readBy(ada, mary)
  for (const id of [spoken, written]) expect(blocked).not.toContain(id)
  await ada.heard()
  const { relationships } = (await ada.ok('GET_RELATIONSHIPS')) as {
    readonly relationships: readonly { readonly type: number; readonly user: { readonly id: string }; readonly presence?: object }[]
  }
  expect(relationships.find(({ user }) => user.id === mary.id)).toEqual({
    type: 2,
    user: expect.objectContaining({ id: mary.id }),
    presence: { status: 'offline', activity: null },
  })
  await ada.ok('REMOVE_RELATIONSHIP', { user_id: mary.id })
  const after = await readBy(ada, mary)
  for (const id of [spoken, written]) expect(after).toContain(id)
})
