/** Commands that ask the gateway by the bot of the application. */
import type { DataOf } from '@sallyport/protocol'
import type { Handler } from '../context.ts'

const ALL_FIELDS = ['status', 'voice_start_time']

/** Of a prefix: as many as there may be; of the empty one: everybody. */
const MOST_BY_PREFIX = 100

export const requestGuildMembers: Handler<'REQUEST_GUILD_MEMBERS'> = (args, context) => {
  const { caller, services } = context
  const { guild_id: guildId, query, limit, presences, user_ids: userIds } = args
  const question = {
    guildId,
    ...(query === undefined ? {} : { query, limit: limit ?? (query === '' ? 0 : MOST_BY_PREFIX) }),
    ...(presences === undefined ? {} : { presences }),
    ...(userIds === undefined ? {} : { userIds }),
  }
  return context.wait(async ({ stop }) => {
    const answer = await services.gateway.members(caller.applicationId, question, stop)
    // What the platform sent of members and presences is passed on as it is.
    return {
      guild_id: guildId,
      members: answer.members,
      not_found: answer.notFound,
      ...(presences === true ? { presences: answer.presences } : {}),
    } as DataOf<'REQUEST_GUILD_MEMBERS'>
  })
}

export const requestChannelInfo: Handler<'REQUEST_CHANNEL_INFO'> = ({ guild_id: guildId, fields = ALL_FIELDS }, context) =>
  context.wait(async ({ stop }) => {
    const channels = await context.services.gateway.channelInfo(context.caller.applicationId, guildId, fields, stop)
    return { guild_id: guildId, channels } as DataOf<'REQUEST_CHANNEL_INFO'>
  })
