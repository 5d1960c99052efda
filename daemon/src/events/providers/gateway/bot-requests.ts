/** Gateway requests that games make via the bot of their application. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { MembersResponse, MembersRequest } from './requests.ts'
import type { ManagedConnection } from './managed-connection.ts'
import type { GatewayProvider } from './provider.ts'

/** Rejects with INVALID_PERMISSIONS without a bot or an intent, INVALID_GUILD, RATE_LIMITED, SERVICE_UNAVAILABLE. */
export interface BotRequests {
  members(applicationId: string, request: MembersRequest, stop: CancelSignal): Promise<MembersResponse>
  channelInfo(applicationId: string, guildId: string, fields: readonly string[], stop: CancelSignal): Promise<readonly unknown[]>
}

const { GUILD_MEMBERS, GUILD_PRESENCES } = GATEWAY_INTENTS
const NO_MORE_INTENTS = 0

function checkGuild({ guilds }: ManagedConnection, guildId: string): void {
  if (guilds.guild(guildId) !== undefined) return
  throw new BridgeError('INVALID_GUILD', `The bot is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
}

function checkIntent({ intents }: ManagedConnection, intent: number, name: string): void {
  if ((intents & intent) !== 0) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    `This needs the privileged intent ${name}, which the application does not have; allow it in the platform's developer portal, and try again after a minute.`,
  )
}

export const createBotRequests = (provider: GatewayProvider): BotRequests => ({
  members(applicationId, request, stop) {
    const allMembers = request.query === '' && request.limit === 0 ? GUILD_MEMBERS : 0
    const presences = request.presences === true ? GUILD_PRESENCES : 0
    return provider.withBot(applicationId, allMembers | presences, stop, (bot) => {
      checkGuild(bot, request.guildId)
      if (allMembers !== 0) checkIntent(bot, allMembers, 'GUILD_MEMBERS')
      if (presences !== 0) checkIntent(bot, presences, 'GUILD_PRESENCES')
      return provider.requests.members(bot, request, stop)
    })
  },
  channelInfo: (applicationId, guildId, fields, stop) =>
    provider.withBot(applicationId, NO_MORE_INTENTS, stop, (bot) => {
      checkGuild(bot, guildId)
      return provider.requests.channelInfo(bot, guildId, fields, stop)
    }),
})

const rejectOff = (): Promise<never> =>
  Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'This bridge runs without the gateway; start it without --gateway off.'))

/** For a bridge without the gateway. */
export const noBotRequests: BotRequests = { members: rejectOff, channelInfo: rejectOff }
