/** What games ask of the gateway connection of their user: relationships, users, guild channels. Channels come from the bot where it is better. */
import type { CancelSignal } from '@sallyport/core/cancel'
import { BridgeError } from '@sallyport/core/errors'
import type { Relationship, Requirement, RpcChannel, RpcUser } from '@sallyport/protocol'
import { requireScopes } from '../../../sessions/required-scopes.ts'
import type { Session } from '../../../sessions/session.ts'
import { CONNECTS } from './demand.ts'
import type { ManagedConnection } from './managed-connection.ts'
import type { GatewayProvider } from './provider.ts'

export interface KnownRelationships {
  readonly relationships: readonly Relationship[]
  readonly leftOut: number
}

/** What a game asked for: `command` begins the error, `orElse` has the other scopes that would serve it. */
interface Asked {
  readonly command: string
  readonly orElse: Requirement
}

/** Reject with INVALID_PERMISSIONS for a session that may open no connection, SERVICE_UNAVAILABLE, TRANSACTION_ABORTED. */
export interface UserRequests {
  /** Friends first. `leftOut`: how many more the user has. */
  relationships(session: Session, stop: CancelSignal): Promise<KnownRelationships>
  /** Undefined for a guild in which neither the user nor the bot is. */
  channels(asked: Asked, session: Session, guildId: string, stop: CancelSignal): Promise<readonly RpcChannel[] | undefined>
  channel(asked: Asked, session: Session, channelId: string, stop: CancelSignal): Promise<RpcChannel | undefined>
  /** Whether there is a connection to ask about a user, or one may be opened. */
  mayAsk(session: Session): boolean
  /** A user with whom this session's user has a relationship. */
  user(session: Session, userId: string, stop: CancelSignal): Promise<RpcUser | undefined>
}

export function createUserRequests(provider: GatewayProvider): UserRequests {
  /** Runs `read` when the guilds are loaded, on the connection of the user, else of the bot. */
  const withGuilds = async <T>(
    { command, orElse }: Asked,
    session: Session,
    stop: CancelSignal,
    read: (connection: ManagedConnection) => T | undefined,
  ): Promise<T | undefined> => {
    const work = async (connection: ManagedConnection): Promise<T | undefined> => {
      await connection.whenGuilds(() => read(connection) !== undefined, stop)
      return read(connection)
    }
    if (provider.mayConnect(session)) return provider.withUser(session, stop, work)
    if (session.signedIn === undefined || !(await provider.hasBot(session.applicationId)))
      requireScopes(command, [...orElse, ...CONNECTS], session)
    return provider.withBot(session.applicationId, 0, stop, work)
  }

  return {
    async relationships(session, stop) {
      if (!provider.mayConnect(session)) requireScopes('Without the desktop client, GET_RELATIONSHIPS', CONNECTS, session)
      return provider.withUser(session, stop, async ({ users }) => ({
        relationships: users.relationships(),
        leftOut: users.relationshipsLeftOut,
      }))
    },
    channels: (asked, session, guildId, stop) =>
      withGuilds(asked, session, stop, ({ guilds }) =>
        guilds.guild(guildId)?.isAvailable === true ? guilds.channelsOf(guildId) : undefined,
      ),
    channel: (asked, session, channelId, stop) => withGuilds(asked, session, stop, ({ guilds }) => guilds.channel(channelId)),
    mayAsk: (session) => provider.mayConnect(session),
    user: (session, userId, stop) => provider.withUser(session, stop, async ({ users }) => users.known(userId)),
  }
}

const rejectOff = (): Promise<never> =>
  Promise.reject(
    new BridgeError(
      'SERVICE_UNAVAILABLE',
      "This needs the gateway or the platform's own desktop client; start the bridge without --gateway off, or start the client.",
    ),
  )

/** For a bridge without the gateway. */
export const noUserRequests: UserRequests = {
  relationships: rejectOff,
  channels: rejectOff,
  channel: rejectOff,
  mayAsk: () => false,
  user: rejectOff,
}
