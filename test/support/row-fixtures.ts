/** The objects of the sandbox that arguments of endpoint rows name, by argument. */
import type { World } from '#test/e2e/support/row-world.ts'

export interface Fixture {
  /** The arguments that it gives. A row that requires all of them gets it. */
  readonly gives: readonly string[]
  /** Present if it is for some of these rows only: matches `METHOD path`. */
  readonly on?: RegExp
  /** Present if rows get it for optional arguments too. */
  readonly evenIfOptional?: true
  /** Makes the objects anew for each call, so that a call that destroys or uses up one takes nothing from the next. */
  readonly make: (world: World) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
}

/** A fixture; `make` returns exactly the arguments that it gives. */
const fixture = <const Name extends string>(
  gives: readonly Name[],
  make: (world: World) => Readonly<Record<Name, unknown>> | Promise<Readonly<Record<Name, unknown>>>,
  on?: RegExp,
): Fixture => ({ gives, make, ...(on === undefined ? {} : { on }) })

/** The first ones win: objects inside others stand above these, and those for some rows above those for all. */
export const FIXTURES: readonly Fixture[] = [
  { ...fixture(['name'], (world) => ({ name: world.newName() })), evenIfOptional: true },
  { ...fixture(['target_users_file'], (world) => ({ target_users_file: world.users('grace') })), evenIfOptional: true },

  fixture(['guild_id', 'guild_scheduled_event_id', 'exception_id'], (world) => world.exception()),
  fixture(['guild_id', 'guild_scheduled_event_id', 'guild_scheduled_event_exception_id'], async (world) => {
    const { exception_id, ...event } = await world.exception()
    return { ...event, guild_scheduled_event_exception_id: exception_id }
  }),
  fixture(['guild_id', 'guild_scheduled_event_id'], (world) => world.event()),

  fixture(['application_id', 'guild_id', 'command_id'], (world) => world.permitted(), /^GET .*\/permissions$/),
  fixture(['application_id', 'guild_id', 'command_id'], (world) => world.guildCommand()),
  fixture(['application_id', 'command_id'], (world) => world.command()),

  fixture(['application_id', 'interaction_token', 'message_id'], (world) => world.followup()),
  fixture(['application_id', 'interaction_token'], (world) => world.answered()),
  fixture(['interaction_id', 'interaction_token'], (world) => world.interaction()),

  fixture(['channel_id', 'message_id', 'emoji_name'], (world) => world.toReactTo(), /^PUT .*\/reactions\//),
  fixture(['channel_id', 'message_id', 'emoji_name'], (world) => world.reacted()),
  fixture(['channel_id', 'message_id', 'answer_id'], (world) => world.pollMessage()),
  fixture(
    ['channel_id', 'message_id'],
    async (world) => {
      const { answer_id: _, ...ids } = await world.pollMessage()
      return ids
    },
    /\/polls\//,
  ),
  fixture(['channel_id', 'message_id'], (world) => world.message()),
  fixture(['lobby_id', 'message_id'], (world) => world.lobbyMessage()),
  fixture(['user_id_1', 'user_id_2', 'message_id'], (world) => world.moderated()),
  fixture(['user_id', 'message_id'], (world) => world.userMessage()),

  fixture(['user_id', 'session_id', 'application_id', 'action'], (world) => world.joinable()),
  fixture(['application_id', 'instance_id'], (world) => world.instance()),
  fixture(['application_id', 'entitlement_id'], (world) => world.entitlement()),
  fixture(['application_id', 'emoji_id'], (world) => world.emoji()),
  fixture(['application_id'], (world) => world.application),
  fixture(['sku_id', 'subscription_id'], (world) => world.subscription()),
  fixture(['sku_id'], async (world) => ({ sku_id: await world.sku(5) }), /^GET \/skus\//),
  fixture(['sku_id'], async (world) => ({ sku_id: await world.sku(3) })),
  fixture(['owner_id'], (world) => ({ owner_id: world.user('ada') })),
  fixture(['token'], (world) => world.headlessSession()),
  fixture(['code'], (world) => world.invite()),

  fixture(['guild_id', 'role_id'], (world) => world.newRole()),
  fixture(['guild_id', 'emoji_id'], (world) => world.guildEmoji()),
  fixture(['guild_id', 'sticker_id'], (world) => world.sticker()),
  fixture(['guild_id', 'sound_id'], (world) => world.sound()),
  fixture(['guild_id', 'rule_id'], (world) => world.rule()),
  fixture(['guild_id', 'user_id'], (world) => world.ban(), /^(?:GET|DELETE) .*\/bans\//),
  fixture(['guild_id', 'user_id'], (world) => ({ ...world.harbour, user_id: world.user('mary') }), /\/bans\//),
  fixture(['guild_id', 'user_id'], (world) => world.leaver(), /^DELETE \/guilds\/\{guild_id\}\/members\/\{user_id\}$/),
  fixture(['guild_id', 'user_ids'], (world) => world.unbanned()),
  fixture(['guild_id', 'channels'], async (world) => {
    const { channel_id: id } = await world.newChannel()
    return { ...world.harbour, channels: [{ id, position: 3 }] }
  }),
  fixture(['guild_id', 'roles'], async (world) => {
    const { role_id: id } = await world.newRole()
    return { ...world.harbour, roles: [{ id, position: 1 }] }
  }),
  fixture(['guild_id'], (world) => world.withoutStickers(), /^POST .*\/stickers$/),
  fixture(['guild_id'], (world) => world.withoutSounds(), /^POST .*\/soundboard-sounds$/),
  fixture(['guild_id'], (world) => world.withoutRules(), /^POST .*\/rules$/),
  // Where the bot is in a voice channel.
  fixture(['guild_id'], (world) => ({ guild_id: world.guild('Lighthouse') }), /\/voice-states\/@me$/),
  fixture(['guild_id'], (world) => world.harbour),
  fixture(['sticker_id'], (world) => world.standardSticker()),
  fixture(['pack_id'], (world) => world.stickerPack()),

  fixture(['channel_id', 'overwrite_id'], (world) => world.overwrite()),
  fixture(['channel_id', 'sound_id'], (world) => world.soundInVoice()),
  fixture(['channel_id'], (world) => ({ channel_id: world.channel('Engine Room') }), /\/voice-status$/),
  // Not the one of the others, which the call changes or deletes.
  fixture(['channel_id'], (world) => world.newChannel(), /^(?:PATCH|DELETE) \/channels\/\{channel_id\}$/),
  fixture(['channel_id'], (world) => ({ channel_id: world.channel('general') })),

  fixture(['lobby_id', 'user_id'], async (world) => ({ ...(await world.linkedLobby()), user_id: world.user('ada') }), /\/invites$/),
  fixture(['lobby_id'], (world) => world.linkedLobby(), /\/invites$|\/channel-linking$/),
  fixture(['lobby_id', 'user_id'], (world) => world.lobbyWithout('grace'), /^PUT /),
  fixture(['lobby_id', 'user_id'], async (world) => ({ ...(await world.lobby()), user_id: world.user('ada') })),
  fixture(['lobby_id'], (world) => world.lobby()),
  fixture(['members'], (world) => ({ members: [{ id: world.user('grace') }] })),

  fixture(['username'], async (world) => ({ username: (await world.stranger()).username }), /relationships$/),
  fixture(['user_id'], async (world) => ({ user_id: (await world.stranger()).user_id }), /relationships\/\{user_id\}$/),

  // The other side of a conversation of Ada's.
  fixture(['user_id'], (world) => world.conversation(), /^GET \/users\/\{user_id\}\/messages$/),
  fixture(['user_id'], (world) => ({ user_id: world.user('grace') })),
]

/** Code for a user who shares no guild, lobby or conversation with Ada, where a row names an object of hers and documents the code. */
export const CODES_OF_STRANGERS: Readonly<Record<string, number>> = {
  guild_id: 50_001,
  lobby_id: 50_001,
  session_id: 50_001,
  user_id: 10_003,
  message_id: 10_008,
  entitlement_id: 10_029,
  subscription_id: 10_027,
  token: 50_035,
}
