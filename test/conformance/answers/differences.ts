/** What the sandbox answers otherwise than the description says, with a reason. The table may only become shorter. */

/** Fields that may differ, at most. */
export const DIFFERENCES_MAX = 25

export interface AnswerDifference {
  /** Record and field, as the command prints them. */
  readonly field: string
  /** What is found there. */
  readonly found: readonly string[]
  readonly reason: string
}

const NOT_DESCRIBED = ['not described']
const SECOND_FIELD = 'The documentation of permissions has this second field as text; the description omits it.'
const FEATURE = ['"ENHANCED_ROLE_COLORS" is not described']
const FEATURE_REASON = 'The documentation of guilds lists the feature, without which no guild may set gradients.'
const LINKED = 'The body of error 530010 names the account that is linked; the description has one schema for all errors.'

const SCOPES = [
  '"account.global_name.update" is not described',
  '"application_identities.write" is not described',
  '"dm_channels.messages.read" is not described',
  '"dm_channels.messages.write" is not described',
  '"gateway.connect" is not described',
  '"guilds.channels.read" is not described',
  '"identify.premium" is not described',
  '"lobbies.write" is not described',
  '"managed_platform.application_identities.write" is not described',
  '"payment_sources.country_code" is not described',
  '"presences.read" is not described',
  '"presences.write" is not described',
  '"relationships.write" is not described',
  '"rpc.api" is not described',
]
const SCOPES_REASON = 'Scopes of the social SDK and others of the documentation, which the list of the description lacks.'

export const ANSWER_DIFFERENCES: readonly AnswerDifference[] = [
  { field: 'ChannelPermissionOverwriteResponse.allow_new', found: NOT_DESCRIBED, reason: SECOND_FIELD },
  { field: 'ChannelPermissionOverwriteResponse.deny_new', found: NOT_DESCRIBED, reason: SECOND_FIELD },
  { field: 'GuildRoleResponse.permissions_new', found: NOT_DESCRIBED, reason: SECOND_FIELD },
  { field: 'MyGuildResponse.permissions_new', found: NOT_DESCRIBED, reason: SECOND_FIELD },
  { field: 'GuildResponse.features[]', found: FEATURE, reason: FEATURE_REASON },
  { field: 'GuildWithCountsResponse.features[]', found: FEATURE, reason: FEATURE_REASON },
  { field: 'InviteGuildResponse.features[]', found: FEATURE, reason: FEATURE_REASON },
  { field: 'MyGuildResponse.features[]', found: FEATURE, reason: FEATURE_REASON },
  { field: 'ErrorResponse.provider_id', found: NOT_DESCRIBED, reason: LINKED },
  { field: 'ErrorResponse.provider_issued_user_id', found: NOT_DESCRIBED, reason: LINKED },
  { field: 'ErrorResponse.provider_type', found: NOT_DESCRIBED, reason: LINKED },
  { field: 'ErrorResponse.user_id', found: NOT_DESCRIBED, reason: LINKED },
  {
    field: 'MessageActivityResponse.session_id',
    found: NOT_DESCRIBED,
    reason: 'A client accepts an invite with it; the description of messages has invites without it.',
  },
  {
    field: 'MessageActivityResponse.shown',
    found: NOT_DESCRIBED,
    reason: 'What the inviting game shows, for the game of the invited user; no public document describes these direct messages.',
  },
  {
    field: 'Error.code',
    found: ['must be integer'],
    reason: 'The code of a field in an invalid form is text, as in the examples of the documentation of errors.',
  },
  {
    field: 'EntitlementResponse.type',
    found: ['1 is not described', '4 is not described'],
    reason: 'The documentation lists the types 1 to 8; the description has only some of them.',
  },
  {
    field: 'EntitlementResponse.user_id',
    found: ['required, missing'],
    reason: 'An entitlement of a guild belongs to no user; the documentation has the field as optional.',
  },
  {
    field: 'MessageReferenceResponse.type',
    found: ['1 is not described'],
    reason: 'Type 1 is a forward, which the description accepts in requests only.',
  },
  {
    field: 'OAuth2GetAuthorizationResponse.scopes[]',
    found: [...SCOPES, '"sdk.social_layer" is not described', '"sdk.social_layer_presence" is not described'],
    reason: SCOPES_REASON,
  },
  {
    field: 'PrivateApplicationResponse.approximate_user_install_count',
    found: ['required, missing'],
    reason: 'The documentation has it only for applications that users can install.',
  },
  {
    field: 'PrivateApplicationResponse.eligible_oauth2_scopes[]',
    found: SCOPES,
    reason: SCOPES_REASON,
  },
]
