/** GET_GUILDS, GET_GUILD, GET_CHANNELS, GET_CHANNEL: from the desktop client, else from the HTTP API or the gateway. */
import { type Channel, type DataOf, ENDPOINTS, type Requirement, type RpcChannel, satisfies, type UserGuild } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { guildIcon } from '../../events/guild-icon.ts'
import type { UserRequests } from '../../events/providers/gateway/user-requests.ts'
import { requireScopes } from '../../sessions/required-scopes.ts'
import type { Session } from '../../sessions/session.ts'
import type { CallDeadline } from '../../sessions/timed-call.ts'
import type { HandlerMap } from '../context.ts'
import { clientFirst } from './client-first.ts'
import type { DesktopClientDeps } from './desktop-client.ts'
import type { ForwardDeps } from './forward.ts'

export interface GuildChannelDeps extends DesktopClientDeps, ForwardDeps {
  /** What the gateway connections know about users, guilds and channels. */
  readonly userRequests: UserRequests
  /** Where the platform serves images. */
  readonly imageOrigin: string
}

const unknownGuild = (id: string): BridgeError =>
  new BridgeError('INVALID_GUILD', `The user is in no guild ${id}, or there is none.`, { path: 'guild_id' })

/** What the HTTP API needs for the channels of a guild that is known, and for a channel of any guild. */
const IN_GUILD = ENDPOINTS.GET_GUILD_CHANNELS.requires
const ANYWHERE: Requirement = [[...ENDPOINTS.GET_CURRENT_USER_GUILDS.requires.flat(), ...IN_GUILD.flat()]]
const withoutClient = (command: string, orElse: Requirement) => ({ command: `Without the desktop client, ${command}`, orElse })

const asRpcChannel = ({ id, name, type, topic, bitrate, user_limit, position }: Channel, guild_id: string): RpcChannel => ({
  id,
  guild_id,
  name: name ?? '',
  type,
  topic: topic ?? null,
  bitrate: bitrate ?? null,
  user_limit: user_limit ?? null,
  position: position ?? null,
})

/** Whether the platform refused this guild. */
const isRefused = (failure: unknown): boolean => {
  const status = failure instanceof BridgeError ? failure.detail.http_status : undefined
  return status === 403 || status === 404
}

export function guildChannelHandlers(deps: GuildChannelDeps) {
  const { api, userRequests, imageOrigin } = deps

  const guildsOf = async (name: string, session: Session, call: CallDeadline) => {
    requireScopes(`Without the desktop client, ${name}`, ENDPOINTS.GET_CURRENT_USER_GUILDS.requires, session)
    const guilds = (await api.asSessionWithin(call, session, ENDPOINTS.GET_CURRENT_USER_GUILDS, {})) as readonly UserGuild[]
    return guilds.map((guild) => ({ id: guild.id, name: guild.name, icon_url: guildIcon(guild, imageOrigin) }))
  }

  const channelsByApi = async (guild_id: string, session: Session, call: CallDeadline) => {
    try {
      return (await api.asSessionWithin(call, session, ENDPOINTS.GET_GUILD_CHANNELS, { guild_id })) as DataOf<'GET_GUILD_CHANNELS'>
    } catch (failure) {
      throw isRefused(failure) ? unknownGuild(guild_id) : failure
    }
  }

  /** Where a session last found a channel: games ask for several channels of one guild. */
  const foundIn = new WeakMap<Session, string>()

  /** The HTTP API gives users the channels of a guild only, so the guilds are asked one after the other. */
  const channelByApi = async (channelId: string, session: Session, call: CallDeadline): Promise<RpcChannel | undefined> => {
    const last = foundIn.get(session)
    const ids = (await guildsOf('GET_CHANNEL', session, call)).map(({ id }) => id)
    for (const guildId of ids.toSorted((one, other) => Number(other === last) - Number(one === last))) {
      const channels = await channelsByApi(guildId, session, call).catch((failure: unknown) => {
        if (failure instanceof BridgeError && failure.error === 'INVALID_GUILD') return []
        throw failure
      })
      const found = channels.find(({ id }) => id === channelId)
      if (found === undefined) continue
      foundIn.set(session, guildId)
      return asRpcChannel(found, guildId)
    }
    return undefined
  }

  return {
    GET_GUILDS: clientFirst('GET_GUILDS', async (_args, session, call) => ({ guilds: await guildsOf('GET_GUILDS', session, call) }), deps),

    GET_GUILD: clientFirst(
      'GET_GUILD',
      async ({ guild_id }, session, call) => {
        const guild = (await guildsOf('GET_GUILD', session, call)).find(({ id }) => id === guild_id)
        if (guild === undefined) throw unknownGuild(guild_id)
        return { ...guild, vanity_url_code: null, members: [] }
      },
      deps,
    ),

    GET_CHANNELS: clientFirst(
      'GET_CHANNELS',
      async ({ guild_id }, session, call) => {
        const isByApi = satisfies(IN_GUILD, session.scopes)
        const channels = isByApi
          ? await channelsByApi(guild_id, session, call)
          : await userRequests.channels(withoutClient('GET_CHANNELS', IN_GUILD), session, guild_id, call.cancelSignal)
        if (channels === undefined) throw unknownGuild(guild_id)
        return { channels: channels.map(({ id, name, type }) => ({ id, name: name ?? '', type })) }
      },
      deps,
    ),

    GET_CHANNEL: clientFirst(
      'GET_CHANNEL',
      async ({ channel_id }, session, call) => {
        // The gateway has all guilds at once, also for the bot.
        const isByApi = satisfies(ANYWHERE, session.scopes) && !session.scopes.has('gateway.connect')
        const channel = isByApi
          ? await channelByApi(channel_id, session, call)
          : await userRequests.channel(withoutClient('GET_CHANNEL', ANYWHERE), session, channel_id, call.cancelSignal)
        if (channel !== undefined) return channel
        throw new BridgeError('INVALID_CHANNEL', `No guild of the user has a channel ${channel_id}.`, { path: 'channel_id' })
      },
      deps,
    ),
  } satisfies Partial<HandlerMap>
}
