/** GET_GUILDS, GET_GUILD, GET_CHANNELS, GET_CHANNEL: from the desktop client, else from the HTTP API or the gateway. */
import { type DataOf, ENDPOINTS, satisfies, type UserGuild } from '@sallyport/protocol'
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
        const isByApi = satisfies(ENDPOINTS.GET_GUILD_CHANNELS.requires, session.scopes)
        const channels = isByApi
          ? await channelsByApi(guild_id, session, call)
          : await userRequests.channels('Without the desktop client, GET_CHANNELS', session, guild_id, call.cancelSignal)
        if (channels === undefined) throw unknownGuild(guild_id)
        return { channels: channels.map(({ id, name, type }) => ({ id, name: name ?? '', type })) }
      },
      deps,
    ),

    GET_CHANNEL: clientFirst(
      'GET_CHANNEL',
      async ({ channel_id }, session, call) => {
        const channel = await userRequests.channel('Without the desktop client, GET_CHANNEL', session, channel_id, call.cancelSignal)
        if (channel !== undefined) return channel
        throw new BridgeError('INVALID_CHANNEL', `No guild of the user has a channel ${channel_id}.`, { path: 'channel_id' })
      },
      deps,
    ),
  } satisfies Partial<HandlerMap>
}
