/** What the gateway would know: relationships, and the channels of one guild. */
import { BridgeError } from '@sallyport/core/errors'
import type { Relationship, RpcChannel, RpcUser } from '@sallyport/protocol'
import type { Session } from '#daemon/src/sessions/session.ts'
import type { KnownRelationships, UserRequests } from '#daemon/src/events/providers/gateway/user-requests.ts'

export class FakeUserRequests implements UserRequests {
  readonly users: RpcUser[] = []
  readonly friends: Relationship[] = []
  /** By guild; undefined: the gateway cannot be reached. */
  guilds: ReadonlyMap<string, readonly RpcChannel[]> | undefined = new Map()

  /** How many relationships it does not keep. */
  leftOut = 0

  async relationships(): Promise<KnownRelationships> {
    this.#check()
    return { relationships: this.friends, leftOut: this.leftOut }
  }
  async channels(_asked: unknown, _session: unknown, guildId: string): Promise<readonly RpcChannel[] | undefined> {
    return this.#check().get(guildId)
  }
  async channel(_asked: unknown, _session: unknown, channelId: string): Promise<RpcChannel | undefined> {
    return [...this.#check().values()].flat().find(({ id }) => id === channelId)
  }
  /** Whether a session may open a connection. */
  mayOpen = true
  mayAsk({ signedIn }: Pick<Session, 'signedIn'>): boolean {
    return this.mayOpen && signedIn !== undefined
  }
  async user(_session: unknown, userId: string): Promise<RpcUser | undefined> {
    this.#check()
    return this.users.find(({ id }) => id === userId)
  }

  #check(): ReadonlyMap<string, readonly RpcChannel[]> {
    if (this.guilds === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'The gateway cannot be reached.')
    return this.guilds
  }
}
