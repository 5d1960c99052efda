/** What games may ask of the gateway by the bot of their application. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { MembersAnswer, MembersQuestion } from './asks.ts'
import type { PartyConnection } from './connection.ts'
import type { GatewaySource } from './source.ts'

/** Rejects with INVALID_PERMISSIONS without a bot or an intent, INVALID_GUILD, RATE_LIMITED, SERVICE_UNAVAILABLE. */
export interface GatewayQuestions {
  members(applicationId: string, question: MembersQuestion, stop: CancelSignal): Promise<MembersAnswer>
  channelInfo(applicationId: string, guildId: string, fields: readonly string[], stop: CancelSignal): Promise<readonly unknown[]>
}

const { GUILD_MEMBERS, GUILD_PRESENCES } = GATEWAY_INTENTS
const NO_MORE_INTENTS = 0

function checkGuild({ guilds }: PartyConnection, guildId: string): void {
  if (guilds.guild(guildId) !== undefined) return
  throw new BridgeError('INVALID_GUILD', `The bot is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
}

function checkIntent({ intents }: PartyConnection, intent: number, name: string): void {
  if ((intents & intent) !== 0) return
  throw new BridgeError(
    'INVALID_PERMISSIONS',
    `This needs the privileged intent ${name}, which the application does not have; allow it in the platform's developer portal.`,
  )
}

export const gatewayQuestions = (source: GatewaySource): GatewayQuestions => ({
  members(applicationId, question, stop) {
    const everybody = question.query === '' && question.limit === 0 ? GUILD_MEMBERS : 0
    const presences = question.presences === true ? GUILD_PRESENCES : 0
    return source.withBot(applicationId, everybody | presences, stop, (bot) => {
      checkGuild(bot, question.guildId)
      if (everybody !== 0) checkIntent(bot, everybody, 'GUILD_MEMBERS')
      if (presences !== 0) checkIntent(bot, presences, 'GUILD_PRESENCES')
      return source.asks.members(bot, question, stop)
    })
  },
  channelInfo: (applicationId, guildId, fields, stop) =>
    source.withBot(applicationId, NO_MORE_INTENTS, stop, (bot) => {
      checkGuild(bot, guildId)
      return source.asks.channelInfo(bot, guildId, fields, stop)
    }),
})

const isOff = (): Promise<never> =>
  Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'This bridge runs without the gateway; whoever runs it takes --gateway off away.'))

/** Where the gateway is off. */
export const noGatewayQuestions: GatewayQuestions = { members: isOff, channelInfo: isOff }
