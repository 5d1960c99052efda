/** One row per kind of event: how to make it happen with a mark of its own, which games subscribe, and which receive it. */
import type { Game, Topic } from './game.ts'
import type { World } from './world.ts'
import { botTokenOf } from './sandbox-control.ts'

export interface Probe extends Omit<Topic, 'args'> {
  readonly name: string
  readonly args: (world: World) => object
  /** Which games subscribe. */
  readonly isSubscribedBy: (game: Game, world: World) => boolean
  /** Which of those receive it; absent: all. */
  readonly isFor?: (game: Game) => boolean
  /** Makes it happen; gives its mark. `id` is a number that no other probe has. */
  readonly raise: (world: World, id: string) => Promise<string>
}

/** Reads along a path of names. */
const at =
  (...path: readonly string[]) =>
  (data: unknown): string | undefined => {
    const found = path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], data)
    return typeof found === 'string' ? found : undefined
  }

const isSignedIn = ({ plan }: Game): boolean => plan.signIn !== 'none'
const isAda = ({ plan }: Game): boolean => plan.user === 'ada'
/** A game of the application that has a bot, a lobby and webhooks, signed in. */
const isOfMain = ({ plan }: Game, { applications }: World): boolean => plan.applicationId === applications.main && plan.signIn !== 'none'
/** The desktop client is signed in as Ada. Games of other users get none of its events, and it shows none of their presences. */
export const isOfClient = ({ plan }: Game): boolean => plan.user === undefined || plan.user === 'ada'
const all = (): boolean => true
const NO_ARGS = (): object => ({})

/** A voice channel that only the desktop client knows. */
const VOICE_CHANNEL = '1500000000000000200'

export const PROBES: readonly Probe[] = [
  {
    name: 'GUILD_STATUS',
    event: 'GUILD_STATUS',
    args: ({ guildId }) => ({ guild_id: guildId }),
    markOf: at('guild', 'name'),
    isState: true,
    isSubscribedBy: isSignedIn,
    async raise({ platform, guildId }, id) {
      const name = `Harbour ${id}`
      await platform.control('guilds', { guild: guildId, name })
      return name
    },
  },
  {
    name: 'LOBBY_MESSAGE_CREATE',
    event: 'LOBBY_MESSAGE_CREATE',
    args: NO_ARGS,
    markOf: at('content'),
    isSubscribedBy: isOfMain,
    async raise({ platform, lobbyId, stranger }, id) {
      const content = `lobby ${id}`
      await platform.api('POST', `/lobbies/${lobbyId}/messages`, `Bearer ${stranger}`, { content })
      return content
    },
  },
  {
    name: 'GAME_DIRECT_MESSAGE_CREATE',
    event: 'GAME_DIRECT_MESSAGE_CREATE',
    args: NO_ARGS,
    markOf: at('content'),
    isSubscribedBy: isOfMain,
    isFor: isAda,
    async raise({ platform, users, stranger }, id) {
      const content = `direct ${id}`
      await platform.api('POST', `/users/${users.ada}/messages`, `Bearer ${stranger}`, { content })
      return content
    },
  },
  {
    name: 'ENTITLEMENT_CREATE by webhook and gateway',
    event: 'ENTITLEMENT_CREATE',
    args: NO_ARGS,
    markOf: at('entitlement', 'id'),
    isSubscribedBy: isOfMain,
    isFor: isAda,
    async raise({ platform, applications: { main }, users, skuId }) {
      const bot = `Bot ${botTokenOf(main)}`
      const path = `/applications/${main}/entitlements`
      const made = (await platform.api('POST', path, bot, { sku_id: skuId, owner_id: users.ada, owner_type: 2 })) as { id: string }
      await platform.api('DELETE', `${path}/${made.id}`, bot)
      return made.id
    },
  },
  {
    name: 'ENTITLEMENT_UPDATE by webhook alone, three times over',
    event: 'ENTITLEMENT_UPDATE',
    args: NO_ARGS,
    markOf: at('entitlement', 'id'),
    isSubscribedBy: isOfMain,
    isFor: ({ plan }) => plan.user === 'grace',
    async raise({ platform, applications: { main }, users, skuId }, id) {
      const data = { id, sku_id: skuId, application_id: main, user_id: users.grace, type: 4, deleted: false, consumed: false }
      await platform.control('webhooks', { application_id: main, type: 'ENTITLEMENT_UPDATE', data, times: 3 })
      return id
    },
  },
  {
    name: 'SPEAKING_START of the desktop client',
    event: 'SPEAKING_START',
    args: () => ({ channel_id: VOICE_CHANNEL }),
    markOf: at('user_id'),
    isSubscribedBy: all,
    isFor: isOfClient,
    async raise({ client }, id) {
      await client.order('speak', id, VOICE_CHANNEL, true)
      return id
    },
  },
  {
    name: 'ACTIVITY_JOIN of the desktop client',
    event: 'ACTIVITY_JOIN',
    args: NO_ARGS,
    markOf: at('secret'),
    isSubscribedBy: all,
    isFor: isOfClient,
    async raise({ client, games }, id) {
      const secret = `secret ${id}`
      for (const applicationId of new Set(games.map(({ plan }) => plan.applicationId))) await client.order('join', applicationId, secret)
      return secret
    },
  },
]
