/** Fake gateway responses to the bot of an application: one guild with one member and one channel. It records the requests. */
import { BridgeError } from '@sallyport/core/errors'
import type { MembersResponse, MembersRequest } from '#daemon/src/events/providers/gateway/requests.ts'
import type { BotRequests } from '#daemon/src/events/providers/gateway/bot-requests.ts'

const MEMBER = { user: { id: '6', username: 'ann', discriminator: '0', avatar: null }, roles: [], deaf: false, mute: false, flags: 0 }

export class FakeGateway implements BotRequests {
  readonly requests: unknown[] = []
  readonly #hasBot: boolean

  constructor(hasBot: boolean) {
    this.#hasBot = hasBot
  }

  async members(applicationId: string, request: MembersRequest): Promise<MembersResponse> {
    this.#check()
    this.requests.push({ applicationId, ...request })
    return { members: [MEMBER], notFound: ['7'], presences: [] }
  }

  async channelInfo(applicationId: string, guildId: string, fields: readonly string[]): Promise<readonly unknown[]> {
    this.#check()
    this.requests.push({ applicationId, guildId, fields })
    return [{ id: '8', status: 'Mending nets', voice_start_time: null }]
  }

  #check(): void {
    if (!this.#hasBot) throw new BridgeError('INVALID_PERMISSIONS', 'No token of the bot is known; store one with: sallyport login --bot')
  }
}
