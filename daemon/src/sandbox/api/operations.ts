/** The routes of the API, one per row of ENDPOINTS: who calls, what they may, what they sent, then the handler. */
import { ENDPOINTS, satisfies } from '@sallyport/protocol'
import type { Answer } from '../http/exchange.ts'
import { reply } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { type ObjectRow, parseArguments } from './arguments.ts'
import { type Caller, callerOf } from './caller.ts'
import { createGuild, getGuildChannels, setVoiceChannelStatus } from './guilds.ts'
import type { ApiEndpointName, Handlers, OAuthEndpointName, Operation } from './handlers.ts'
import { bulkUpdateLobbyMembers, createOrJoinLobby } from './lobbies.ts'
import { getLobbyMessages, sendLobbyMessage } from './lobby-messages.ts'
import { getCurrentAuthorizationInformation, getCurrentUser, getCurrentUserConnections, getCurrentUserGuilds } from './users.ts'

const HANDLERS: Handlers = {
  BULK_UPDATE_LOBBY_MEMBERS: bulkUpdateLobbyMembers,
  CREATE_GUILD: createGuild,
  CREATE_OR_JOIN_LOBBY: createOrJoinLobby,
  GET_CURRENT_AUTHORIZATION_INFORMATION: getCurrentAuthorizationInformation,
  GET_CURRENT_USER: getCurrentUser,
  GET_CURRENT_USER_CONNECTIONS: getCurrentUserConnections,
  GET_CURRENT_USER_GUILDS: getCurrentUserGuilds,
  GET_GUILD_CHANNELS: getGuildChannels,
  GET_LOBBY_MESSAGES: getLobbyMessages,
  SEND_LOBBY_MESSAGE: sendLobbyMessage,
  SET_VOICE_CHANNEL_STATUS: setVoiceChannelStatus,
}

/** A handler whose arguments its own row has checked, so that the pair fits though the table's types cannot say so. */
type AnyHandler = (args: unknown, operation: Operation) => unknown

const routeOf = (row: ObjectRow, answer: Answer): Route => ({
  method: row.method,
  path: row.path,
  ...(row.majorParameter === undefined ? {} : { majorParameter: row.majorParameter }),
  answer,
})

/** The routes of the whole table; the OAuth rows are answered by what is passed in. */
export function endpointRoutes(platform: Platform, oauth: { readonly [Name in OAuthEndpointName]: Answer }): Route[] {
  const rows = Object.values(ENDPOINTS) as unknown as readonly (ObjectRow & { readonly name: ApiEndpointName | OAuthEndpointName })[]
  return rows.map((row) => {
    const { name } = row
    return routeOf(
      row,
      name in oauth ? oauth[name as OAuthEndpointName] : operation(platform, row, HANDLERS[name as ApiEndpointName] as AnyHandler),
    )
  })
}

const operation =
  (platform: Platform, row: ObjectRow, handler: AnyHandler): Answer =>
  (call) => {
    const caller = callerOf(platform, call.request.headers.authorization)
    if (caller === undefined) throw new PlatformError('unauthorized')
    checkCaller(row, caller)
    const data = handler(parseArguments(row, call), { platform, caller })
    const [status = 200] = row.success
    return status === 204 ? reply.empty() : reply.json(status, data)
  }

/** Whether this kind of caller has the operation at all, and a user's token the scopes for it. */
function checkCaller(row: ObjectRow, caller: Caller): void {
  if (caller.kind === 'bot') {
    if (row.auth === 'user') throw new PlatformError('botsCannot')
    return
  }
  if (row.auth === 'bot') throw new PlatformError('onlyBots')
  if (satisfies(row.requires, caller.held)) return
  const wanted = row.requires.map((set) => set.join(' and ')).join(', or ')
  throw new PlatformError('missingScope', { message: `Missing required OAuth2 scope: ${wanted}` })
}
