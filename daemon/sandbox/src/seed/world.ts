/** The initial data of a new sandbox, by name; ids derive from the seed. */
import type { SandboxUser } from '@sallyport/core/platform-names'
import { PERMISSIONS, type PermissionName } from '@sallyport/protocol'

export interface WorldUser {
  readonly username: SandboxUser
  readonly globalName: string
  readonly guildTag: string | null
  readonly premiumType?: number
  readonly connections: readonly {
    readonly type: string
    readonly name: string
    readonly hidden?: boolean
    readonly unverified?: boolean
  }[]
}

export interface WorldChannel {
  readonly name: string
  readonly type: 'text' | 'voice' | 'category'
  readonly parent?: string
  readonly topic?: string
  readonly slowmodeSeconds?: number
  /** Visible to these users only. */
  readonly onlyFor?: readonly string[]
  readonly botsConnected?: boolean
  readonly connected?: readonly string[]
  /** Author and text, the oldest first. */
  readonly messages?: readonly (readonly [author: string, content: string])[]
}

interface WorldRole {
  readonly name: string
  readonly members: readonly string[]
  readonly permissions: bigint
  /** One to three colors of a gradient. */
  readonly colors: readonly [number, ...number[]]
  /** The bot of every application has it. */
  readonly hasBots?: true
}

export interface WorldGuild {
  readonly name: string
  readonly owner: string
  readonly members: readonly string[]
  readonly features: readonly string[]
  readonly banner: boolean
  /** Whether the bot of every application is a member. */
  readonly hasBots: boolean
  readonly onlineCount: number
  /** From the lowest up. */
  readonly roles: readonly WorldRole[]
  readonly channels: readonly WorldChannel[]
}

export const CHANNEL_TYPES = { text: 0, voice: 2, category: 4 } as const

const bits = (...names: PermissionName[]): bigint => names.reduce((sum, name) => sum | PERMISSIONS[name].bit, 0n)

/** Permissions of the @everyone role of a new guild. */
export const MEMBER_PERMISSIONS = bits(
  'CREATE_INSTANT_INVITE',
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'CONNECT',
  'SPEAK',
  'CHANGE_NICKNAME',
)
/** All permissions that have a name. */
const OWNER_PERMISSIONS = Object.values(PERMISSIONS).reduce((sum, { bit }) => sum | bit, 0n)

/** The role of the bots in the initial guilds. A test takes its permissions away with the control interface. */
const BOT_ROLE = 'Bots'

interface World {
  readonly users: readonly WorldUser[]
  /** Pairs of friends. */
  readonly friends: readonly (readonly [SandboxUser, SandboxUser])[]
  readonly guilds: readonly WorldGuild[]
}

export const WORLD: World = {
  users: [
    {
      username: 'ada',
      globalName: 'Ada',
      guildTag: 'HRBR',
      premiumType: 2,
      connections: [
        { type: 'github', name: 'ada' },
        { type: 'steam', name: 'Countess' },
        { type: 'riotgames', name: 'Ada#0001' },
        { type: 'leagueoflegends', name: 'Ada' },
        { type: 'domain', name: 'ada.example', hidden: true },
      ],
    },
    {
      username: 'grace',
      globalName: 'Grace',
      guildTag: null,
      connections: [
        { type: 'twitch', name: 'grace_live' },
        { type: 'battlenet', name: 'Grace' },
        { type: 'youtube', name: 'Grace', unverified: true },
      ],
    },
    {
      username: 'linus',
      globalName: 'Linus',
      guildTag: null,
      connections: [
        { type: 'github', name: 'linus' },
        { type: 'spotify', name: 'linus' },
      ],
    },
    { username: 'mary', globalName: 'Mary', guildTag: null, connections: [] },
  ],
  friends: [
    ['ada', 'grace'],
    ['ada', 'linus'],
  ],
  guilds: [
    {
      name: 'Harbour',
      owner: 'ada',
      members: ['ada', 'grace', 'linus'],
      features: ['COMMUNITY', 'ENHANCED_ROLE_COLORS', 'ROLE_ICONS'],
      banner: true,
      hasBots: true,
      onlineCount: 2,
      roles: [
        { name: 'Crew', members: ['grace'], permissions: 0n, colors: [0x1f6f8b] },
        // Bots have all permissions that sandbox operations check.
        {
          name: BOT_ROLE,
          members: [],
          hasBots: true,
          permissions:
            MEMBER_PERMISSIONS |
            bits(
              'MANAGE_CHANNELS',
              'KICK_MEMBERS',
              'MANAGE_GUILD',
              'VIEW_AUDIT_LOG',
              'MANAGE_ROLES',
              'MODERATE_MEMBERS',
              'USE_SOUNDBOARD',
              'USE_EXTERNAL_SOUNDS',
              'CREATE_GUILD_EXPRESSIONS',
              'MANAGE_GUILD_EXPRESSIONS',
              'MOVE_MEMBERS',
              'MUTE_MEMBERS',
              'DEAFEN_MEMBERS',
              'CREATE_EVENTS',
              'MANAGE_EVENTS',
              'BAN_MEMBERS',
              'MANAGE_NICKNAMES',
              'MODERATE_MEMBERS',
              'ADD_REACTIONS',
              'SET_VOICE_CHANNEL_STATUS',
              'PIN_MESSAGES',
            ),
          colors: [0],
        },
        { name: 'Captain', members: ['ada'], permissions: OWNER_PERMISSIONS, colors: [0xd4a017, 0x8b1a1a] },
      ],
      channels: [
        { name: 'Quay', type: 'category' },
        {
          name: 'general',
          type: 'text',
          parent: 'Quay',
          topic: 'Ships, cargo, weather',
          messages: [
            ['ada', 'Welcome to the harbour'],
            ['grace', 'The weather is turning'],
            ['linus', 'Cargo of the day: https://harbour.example/cargo'],
          ],
        },
        { name: 'screenshots', type: 'text', parent: 'Quay' },
        { name: 'captains-only', type: 'text', parent: 'Quay', onlyFor: ['ada'], messages: [['ada', 'The keys are under the anchor']] },
        { name: 'Decks', type: 'category' },
        { name: 'Bridge', type: 'voice', parent: 'Decks', connected: ['grace'] },
        { name: 'Engine Room', type: 'voice', parent: 'Decks' },
      ],
    },
    {
      name: 'Lighthouse',
      owner: 'grace',
      members: ['ada', 'grace'],
      features: [],
      banner: false,
      hasBots: true,
      onlineCount: 1,
      // Without MANAGE_CHANNELS a bot can set the status only where it is connected.
      roles: [
        {
          name: BOT_ROLE,
          members: [],
          hasBots: true,
          permissions: MEMBER_PERMISSIONS | bits('CREATE_GUILD_EXPRESSIONS', 'USE_SOUNDBOARD', 'SET_VOICE_CHANNEL_STATUS'),
          colors: [0],
        },
      ],
      channels: [
        { name: 'logbook', type: 'text' },
        { name: 'Lamp Room', type: 'voice', botsConnected: true },
        { name: 'Stairs', type: 'voice' },
        { name: 'watch', type: 'text', slowmodeSeconds: 30 },
      ],
    },
    {
      name: 'Dry Dock',
      owner: 'linus',
      members: ['grace', 'linus', 'mary'],
      features: [],
      banner: false,
      hasBots: false,
      onlineCount: 3,
      roles: [],
      channels: [
        { name: 'repairs', type: 'text' },
        { name: 'Workshop', type: 'voice' },
      ],
    },
  ],
}
