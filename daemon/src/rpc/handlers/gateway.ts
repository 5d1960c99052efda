/** REQUEST_GUILD_MEMBERS, REQUEST_CHANNEL_INFO: commands that the bot of the application sends to the gateway. */
import type { DataOf } from '@sallyport/protocol'
import type { BotRequests } from '../../events/providers/gateway/bot-requests.ts'
import type { HandlerMap } from '../context.ts'

export interface GatewayDeps {
  /** Gateway requests by the bot of an application. */
  readonly botRequests: BotRequests
}

const ALL_FIELDS = ['status', 'voice_start_time']

/** The platform's limit for a search by prefix. An empty prefix returns all members. */
const PREFIX_LIMIT = 100

export const gatewayHandlers = ({ botRequests }: GatewayDeps) =>
  ({
    REQUEST_GUILD_MEMBERS: (args, context) => {
      const { guild_id: guildId, query, limit, presences, user_ids: userIds } = args
      const request = {
        guildId,
        ...(query === undefined ? {} : { query, limit: limit ?? (query === '' ? 0 : PREFIX_LIMIT) }),
        ...(presences === undefined ? {} : { presences }),
        ...(userIds === undefined ? {} : { userIds }),
      }
      return context.withDeadline(async ({ cancelSignal }) => {
        const answer = await botRequests.members(context.session.applicationId, request, cancelSignal)
        // Members and presences are returned as the platform sent them.
        return {
          guild_id: guildId,
          members: answer.members,
          not_found: answer.notFound,
          ...(presences === true ? { presences: answer.presences } : {}),
        } as DataOf<'REQUEST_GUILD_MEMBERS'>
      })
    },

    REQUEST_CHANNEL_INFO: ({ guild_id: guildId, fields = ALL_FIELDS }, context) =>
      context.withDeadline(async ({ cancelSignal }) => {
        const channels = await botRequests.channelInfo(context.session.applicationId, guildId, fields, cancelSignal)
        return { guild_id: guildId, channels } as DataOf<'REQUEST_CHANNEL_INFO'>
      }),
  }) satisfies Partial<HandlerMap>
