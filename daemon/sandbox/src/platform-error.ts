/** The two kinds of platform errors: JSON errors of the API, and the OAuth errors of RFC 6749. */

/** Field errors: nested by field name or array index, each branch ending in `_errors`. */
export interface FieldErrors {
  readonly [field: string]: FieldErrors | readonly { readonly code: string; readonly message: string }[]
}

const row = <const S extends number, const C extends number>(status: S, code: C, message: string) => ({ status, code, message }) as const

/** All JSON errors of the sandbox, with their HTTP status. */
const PLATFORM_ERRORS = {
  tooManyPins: row(400, 30003, 'Maximum number of pins reached (250)'),
  unauthorized: row(401, 0, '401: Unauthorized'),
  notFound: row(404, 0, '404: Not Found'),
  methodNotAllowed: row(405, 0, '405: Method Not Allowed'),
  foreignHost: row(403, 0, 'This server answers only to its own loopback address.'),
  anotherUser: row(403, 0, 'This sandbox belongs to another user of this machine; start your own.'),
  internal: row(500, 0, '500: Internal Server Error'),
  lobbyFull: row(400, 0, 'The lobby is full'),
  noLinkedChannel: row(400, 0, 'The lobby is not linked to a channel'),
  tooManyLobbies: row(400, 0, 'The user is in as many lobbies of this application as are allowed'),
  tooManyFriends: row(400, 30002, 'Maximum number of friends reached (1000)'),
  tooManyBlocked: row(400, 0, 'Maximum number of blocked users reached (5000)'),
  requestBlocked: row(400, 80001, 'Friend request blocked'),
  requestToSelf: row(400, 80003, 'Cannot send friend request to self'),
  noSuchUsername: row(400, 80004, 'No users with this name exist'),
  alreadyFriends: row(400, 80007, 'You are already friends with that user'),
  unknownChannel: row(404, 10003, 'Unknown Channel'),
  unknownGuild: row(404, 10004, 'Unknown Guild'),
  unknownInvite: row(404, 10006, 'Unknown Invite'),
  unknownOverwrite: row(404, 10009, 'Unknown permission overwrite'),
  tooManyRoles: row(400, 30005, 'Maximum number of guild roles reached (250)'),
  tooManyReactions: row(400, 30010, 'Maximum number of reactions reached (20)'),
  tooManyChannels: row(400, 30013, 'Maximum number of guild channels reached (500)'),
  tooOldToDelete: row(400, 50034, 'You can only bulk delete messages that are under 14 days old.'),
  nothingBanned: row(400, 500000, 'Failed to ban users'),
  pollExpired: row(400, 520001, 'Poll expired'),
  unknownBan: row(404, 10026, 'Unknown Ban'),
  unknownSticker: row(404, 10060, 'Unknown Sticker'),
  unknownStickerPack: row(404, 10061, 'Unknown Sticker Pack'),
  unknownCommandPermissions: row(404, 10066, 'Unknown application command permissions'),
  unknownScheduledEvent: row(404, 10070, 'Unknown Guild Scheduled Event'),
  tooManyScheduledEvents: row(400, 30038, 'Maximum number of uncompleted guild scheduled events reached'),
  tooManyStickers: row(400, 30039, 'Maximum number of stickers reached'),
  invalidAsset: row(400, 50045, 'Invalid asset'),
  finishedEvent: row(400, 180000, 'Cannot update a finished event'),
  unknownMember: row(404, 10007, 'Unknown Member'),
  unknownMessage: row(404, 10008, 'Unknown Message'),
  unknownRole: row(404, 10011, 'Unknown Role'),
  unknownUser: row(404, 10013, 'Unknown User'),
  unknownEmoji: row(404, 10014, 'Unknown Emoji'),
  unknownSku: row(404, 10027, 'Unknown SKU'),
  unknownEntitlement: row(404, 10029, 'Unknown Entitlement'),
  unknownLobby: row(404, 10031, 'Unknown Lobby'),
  unknownWebhook: row(404, 10015, 'Unknown Webhook'),
  unknownInteraction: row(404, 10062, 'Unknown interaction'),
  unknownCommand: row(404, 10063, 'Unknown application command'),
  unknownModerationRule: row(404, 10066, 'Unknown Auto Moderation Rule'),
  alreadyAnswered: row(400, 40060, 'Interaction has already been acknowledged'),
  tooManyFollowups: row(400, 40094, 'Maximum number of follow-up messages of this interaction reached (5)'),
  tooManyCommands: row(400, 30032, 'Maximum number of application commands reached'),
  invalidWebhookToken: row(401, 50027, 'Invalid Webhook Token'),
  unknownVoiceState: row(404, 10065, 'Unknown Voice State'),
  unknownSound: row(404, 10097, 'Unknown sound'),
  noTargetUsersJob: row(404, 10124, 'No target users job for this invite'),
  noTargetUsers: row(404, 10129, 'No target users for this invite'),
  botsCannot: row(403, 20001, 'Bots cannot use this endpoint'),
  onlyBots: row(403, 20002, 'Only bots can use this endpoint'),
  slowmode: row(429, 20016, 'This action cannot be performed due to slowmode rate limit'),
  notAuthorizedForApplication: row(403, 20012, 'You are not authorized to perform this action on this application'),
  tooManyEmoji: row(400, 30008, 'Maximum number of emojis reached'),
  tooManySounds: row(400, 30045, 'Maximum number of soundboard sounds reached'),
  notInVoice: row(400, 40032, 'Target user is not connected to voice'),
  tooLarge: row(413, 40005, 'Request entity too large'),
  missingAccess: row(403, 50001, 'Missing Access'),
  missingPermissions: row(403, 50013, 'Missing Permissions'),
  wrongChannelType: row(400, 50024, 'Cannot execute action on this channel type'),
  missingBoosts: row(400, 50101, 'This server needs more boosts to perform this action'),
  missingScope: row(403, 50026, 'Missing required OAuth2 scope'),
  invalidAccessToken: row(403, 50025, 'Invalid OAuth2 access token'),
  notAuthor: row(403, 50005, 'Cannot edit a message authored by another user'),
  cannotMessage: row(403, 50007, 'Cannot send messages to this user'),
  emptyMessage: row(400, 50006, 'Cannot send an empty message'),
  invalidForm: row(400, 50035, 'Invalid Form Body'),
  invalidVersion: row(400, 50041, 'Invalid API version'),
  invalidJson: row(400, 50109, 'The request body contains invalid JSON.'),
  indexNotReady: row(202, 110000, 'Index not yet available. Try again later'),
  unreadableForward: row(400, 160014, 'The content of the message to forward cannot be read'),
  blockedByModeration: row(400, 200000, 'Message was blocked by automatic moderation'),
  notMerged: row(400, 50229, 'Invalid user type: the account is provisional'),
  identitiesNotAllowed: row(400, 530000, 'Application not allowed to use external identities'),
  identityExpired: row(400, 530001, 'The external token is expired'),
  identityOfOtherIssuer: row(400, 530002, 'The issuer of the external token does not match'),
  identityForOthers: row(400, 530003, 'The audience of the external token does not match'),
  identityTooOld: row(400, 530004, 'The external token was issued more than a week ago'),
  noUsername: row(400, 530006, 'No username could be generated, try again'),
  wrongSecret: row(400, 530007, 'Invalid client secret'),
  noIdentitySettings: row(400, 530008, 'No identity provider configuration found'),
  noIdentityKeys: row(400, 530009, 'No key set found at the identity provider'),
  identityLinked: row(400, 530010, 'The user has a linked account, use OAuth2'),
  mergeSourceNotProvisional: row(400, 530014, 'The source of the merge is not a provisional account'),
  mergeIntoProvisional: row(400, 530016, 'The destination of the merge is a provisional account'),
  mergeBanned: row(400, 530017, 'The source of the merge is banned'),
  identityMalformed: row(400, 530020, 'The external token cannot be read'),
  accountHasIdentity: row(400, 530023, 'The account has an external identity for this application already'),
  identityWithoutKey: row(400, 530027, 'The external token names no key'),
} as const

export type PlatformErrorName = keyof typeof PLATFORM_ERRORS

/** An error response of the API. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly status: number
  readonly code: number
  readonly errors: FieldErrors | undefined
  /** Further fields of the body. */
  readonly extra: object

  constructor(
    error: PlatformErrorName,
    detail: { readonly message?: string; readonly errors?: FieldErrors; readonly extra?: object } = {},
  ) {
    const { status, code, message } = PLATFORM_ERRORS[error]
    super(detail.message ?? message)
    this.status = status
    this.code = code
    this.errors = detail.errors
    this.extra = detail.extra ?? {}
  }
}

/** All OAuth errors of the sandbox (RFC 6749, RFC 7009, OpenID Connect), with their status at the token endpoint. */
const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  consent_required: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
} as const

export type OAuthErrorName = keyof typeof OAUTH_ERRORS

/** An error response of an OAuth endpoint. The description never contains a secret. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly error: OAuthErrorName

  constructor(error: OAuthErrorName, description: string) {
    super(description)
    this.error = error
  }

  get status(): number {
    return OAUTH_ERRORS[this.error]
  }
}
