/** What the bot of an application is answered by the gateway: one guild with one member and one channel; keeps what was asked. */
import { BridgeError } from '@sallyport/core/errors'
import type { MembersAnswer, MembersQuestion } from '../../daemon/src/events/providers/gateway/asks.ts'
import type { GatewayQuestions } from '../../daemon/src/events/providers/gateway/questions.ts'

const MEMBER = { user: { id: '6', username: 'ann', discriminator: '0', avatar: null }, roles: [], deaf: false, mute: false, flags: 0 }

export class FakeGateway implements GatewayQuestions {
  readonly asked: unknown[] = []
  readonly #hasBot: boolean

  constructor(hasBot: boolean) {
    this.#hasBot = hasBot
  }

  async members(applicationId: string, question: MembersQuestion): Promise<MembersAnswer> {
    this.#check()
    this.asked.push({ applicationId, ...question })
    return { members: [MEMBER], notFound: ['7'], presences: [] }
  }

  async channelInfo(applicationId: string, guildId: string, fields: readonly string[]): Promise<readonly unknown[]> {
    this.#check()
    this.asked.push({ applicationId, guildId, fields })
    return [{ id: '8', status: 'Mending nets', voice_start_time: null }]
  }

  #check(): void {
    if (!this.#hasBot) throw new BridgeError('INVALID_PERMISSIONS', 'No token of the bot is known; store one with: sallyport login --bot')
  }
}
