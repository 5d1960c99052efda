/** The routes of the API, one per ENDPOINTS row: authentication, permission, arguments, then the handler. */
import { ENDPOINTS, LIMITS, satisfies } from '@sallyport/protocol'
import type { RouteHandler, Call, SandboxReply } from '../http/exchange.ts'
import { reply } from '../http/exchange.ts'
import { ATTACHMENT_SIZE_LIMIT_MAX } from '../constants.ts'
import { isMultipart, readParts } from '../http/multipart.ts'
import type { Route } from '../http/router.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { filesOf, matchesRow, type ObjectRow, parseArguments } from './arguments.ts'
import { type ApiCaller, authenticateCaller } from './authentication.ts'
import { accountHandlers } from './account.ts'
import { applicationAttachmentHandlers } from './application-attachments.ts'
import { applicationCommandHandlers } from './application-commands.ts'
import { auditLogHandlers } from './audit-log.ts'
import { channelHistoryHandlers } from './channel-history.ts'
import { channelMessageHandlers } from './channel-messages.ts'
import { currentApplicationHandlers } from './current-application.ts'
import { emojiHandlers } from './emojis.ts'
import { entitlementHandlers } from './entitlements.ts'
import { gatewayHandlers } from './gateway.ts'
import { guildHandlers } from './guilds.ts'
import { headlessSessionHandlers } from './headless-sessions.ts'
import { callerOfInteraction } from './interaction-lifecycle.ts'
import { interactionMessageHandlers } from './interaction-messages.ts'
import { interactionHandlers } from './interactions.ts'
import { inviteHandlers } from './invites.ts'
import { lobbyHandlers } from './lobbies.ts'
import { lobbyBackendHandlers } from './lobby-backend.ts'
import { lobbyChannelHandlers } from './lobby-channel.ts'
import { lobbyMessageHandlers } from './lobby-messages.ts'
import { memberHandlers } from './members.ts'
import { messageSearchHandlers } from './message-search.ts'
import { moderationRuleHandlers } from './moderation-rules.ts'
import { pinHandlers } from './pins.ts'
import { relationshipHandlers } from './relationships.ts'
import { roleHandlers } from './roles.ts'
import { soundboardHandlers } from './soundboard.ts'
import { subscriptionHandlers } from './subscriptions.ts'
import { targetUserHandlers } from './target-users.ts'
import { userMessageHandlers } from './user-messages.ts'
import { userModerationHandlers } from './user-moderation.ts'
import { userHandlers } from './users.ts'
import { voiceStateHandlers } from './voice-states.ts'
import { commandPermissionHandlers } from './command-permissions.ts'
import { guildEmojiHandlers } from './guild-emojis.ts'
import { scheduledEventHandlers } from './scheduled-events.ts'
import { eventOccurrenceHandlers } from './event-occurrences.ts'
import { roleConnectionHandlers } from './role-connections.ts'
import { stickerHandlers } from './stickers.ts'
import { guildChannelHandlers } from './guild-channels.ts'
import { reactionHandlers } from './reactions.ts'
import { banHandlers } from './bans.ts'
import { guildMemberHandlers } from './guild-members.ts'
import { roleChangeHandlers } from './role-changes.ts'
import { pollHandlers } from './polls.ts'
import { activityInstanceHandlers } from './activity-instances.ts'
import { guildSettingHandlers } from './guild-settings.ts'
import {
  StatusReply,
  type ApiEndpointName,
  type Handlers,
  type OAuthEndpointName,
  type OpenEndpointName,
  type Operation,
} from './handlers.ts'

const HANDLERS: Handlers = {
  ...accountHandlers,
  ...applicationAttachmentHandlers,
  ...applicationCommandHandlers,
  ...auditLogHandlers,
  ...channelHistoryHandlers,
  ...channelMessageHandlers,
  ...currentApplicationHandlers,
  ...emojiHandlers,
  ...entitlementHandlers,
  ...gatewayHandlers,
  ...guildHandlers,
  ...headlessSessionHandlers,
  ...interactionMessageHandlers,
  ...interactionHandlers,
  ...inviteHandlers,
  ...lobbyHandlers,
  ...lobbyBackendHandlers,
  ...lobbyChannelHandlers,
  ...lobbyMessageHandlers,
  ...memberHandlers,
  ...messageSearchHandlers,
  ...moderationRuleHandlers,
  ...pinHandlers,
  ...relationshipHandlers,
  ...roleHandlers,
  ...soundboardHandlers,
  ...subscriptionHandlers,
  ...targetUserHandlers,
  ...userMessageHandlers,
  ...userModerationHandlers,
  ...userHandlers,
  ...voiceStateHandlers,
  ...commandPermissionHandlers,
  ...guildSettingHandlers,
  ...activityInstanceHandlers,
  ...pollHandlers,
  ...roleChangeHandlers,
  ...guildMemberHandlers,
  ...banHandlers,
  ...reactionHandlers,
  ...guildChannelHandlers,
  ...stickerHandlers,
  ...roleConnectionHandlers,
  ...eventOccurrenceHandlers,
  ...scheduledEventHandlers,
  ...guildEmojiHandlers,
}

/** A handler without types. Its row checks its arguments. */
type AnyHandler = (args: unknown, operation: Operation) => unknown

const routeOf = (row: ObjectRow, answer: RouteHandler): Route => ({
  method: row.method,
  path: row.path,
  ...(row.majorParameter === undefined ? {} : { majorParameter: row.majorParameter }),
  handle: answer,
})

/** The rows without a token. */
type TokenlessName = OAuthEndpointName | OpenEndpointName

/** All routes; the rows without a token use the given handlers. */
export function endpointRoutes(platform: Platform, tokenless: { readonly [Name in TokenlessName]: RouteHandler }): Route[] {
  const rows = Object.values(ENDPOINTS) as unknown as readonly (ObjectRow & { readonly name: ApiEndpointName | TokenlessName })[]
  return [...Map.groupBy(rows, ({ method, path }) => `${method} ${path}`).values()].map((group) => {
    const [first] = group as [(typeof rows)[number]]
    const { name } = first
    return routeOf(first, name in tokenless ? tokenless[name as TokenlessName] : operation(platform, group as unknown as RowGroup))
  })
}

/** Rows of one method and path, distinguished by their bodies; usually one row. */
type RowGroup = readonly [ApiRow, ...ApiRow[]]
type ApiRow = ObjectRow & { readonly name: ApiEndpointName }

const operation =
  (platform: Platform, group: RowGroup): RouteHandler =>
  async (given) => {
    const [{ auth }] = group
    const caller =
      auth === 'interaction'
        ? callerOfInteraction(platform, given.params)
        : authenticateCaller(platform, given.request.headers.authorization)
    if (caller === undefined) throw new PlatformError('unauthorized')
    const call = await withParts(group, given)
    const row = matchingRow(group, call, caller)
    checkCaller(row, caller)
    const handler = HANDLERS[row.name] as AnyHandler
    const files = row.upload === undefined ? [] : filesOf(row.upload, call.parts?.files ?? [])
    return replyOf(row, await handler(parseArguments(row, call), { platform, caller, files }))
  }

/** Only operations with files accept multipart bodies. */
const withParts = async (group: RowGroup, call: Call): Promise<Call> =>
  group.some(({ upload }) => upload !== undefined) && isMultipart(call.request.headers)
    ? { ...call, parts: await readParts(call.request, largestFile(group)) }
    : call

/** Each interaction has a limit of its own, which its handlers check. */
const largestFile = (group: RowGroup): number =>
  group.some(({ upload }) => upload?.limitArgument !== undefined) ? ATTACHMENT_SIZE_LIMIT_MAX : LIMITS.attachmentBytes.value

const isStatusReply = (answer: unknown): answer is StatusReply<unknown> => answer instanceof StatusReply

function replyOf({ success, csvReply }: ObjectRow, answer: unknown): SandboxReply {
  const [usual = 200] = success
  const { status, data } = isStatusReply(answer) ? answer : { status: usual, data: answer }
  if (data === null && success.includes(204)) return reply.empty()
  if (csvReply === undefined) return reply.json(status, data)
  const values = (data as Readonly<Record<string, readonly string[]>>)[csvReply.as] ?? []
  return reply.csv([csvReply.header, ...values].map((line) => `${line}\r\n`).join(''))
}

/** The row with matching arguments; else the first that the caller may use, for its errors. */
function matchingRow([first, ...others]: RowGroup, call: Call, caller: ApiCaller): ApiRow {
  if (others.length === 0 || matchesRow(first, call)) return first
  const mayUse = ({ requires }: ApiRow): boolean => caller.kind === 'bot' || satisfies(requires, caller.held)
  return others.find((row) => matchesRow(row, call)) ?? [first, ...others].find(mayUse) ?? first
}

/** Checks whether this kind of caller has the operation, and whether a user's token has the scopes. */
function checkCaller(row: ObjectRow, caller: ApiCaller): void {
  if (caller.kind === 'bot') {
    if (row.auth === 'user') throw new PlatformError('botsCannot')
    return
  }
  if (row.auth === 'bot') throw new PlatformError('onlyBots')
  if (satisfies(row.requires, caller.held)) return
  const required = row.requires.map((set) => set.join(' and ')).join(', or ')
  throw new PlatformError('missingScope', { message: `Missing required OAuth2 scope: ${required}` })
}
