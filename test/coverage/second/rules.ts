/** Second dimension of sections 5 to 7. */
import { edit, type Seconds } from './edit.ts'
import { BLOCKED_EDIT, CHANNEL_INFO_OF_OTHER, GUILDS_SCOPE, INDEX_READY, UNREADABLE } from './operations.ts'
import { FLAGS_OF_NEW_CHANNEL, PREMIUM_OF_NONE } from './records.ts'
import { LAYER, SHORT_STATE } from './resources.ts'
import { LIFTED_BAN, ONLY_INVALID_GRANT, TOKEN_OF_OTHER } from './states.ts'

const API = 'daemon/sandbox/src/api'
const OAUTH = 'daemon/sandbox/src/oauth'
const REQUESTS = 'daemon/src/events/providers/gateway/requests.ts'
const DISPATCHES = 'daemon/src/events/providers/gateway/dispatch-mappings'
const WEBHOOKS = 'daemon/src/events/providers/webhook/event-handlers.ts'
const OIDC = 'protocol/src/oidc-rules.ts'
const MODAL = 'protocol/src/records/modal.ts'

export const THRESHOLD = edit(
  'limit',
  'protocol/src/intents.ts',
  'users < LIMITS.privilegedIntentUsers',
  'users <= LIMITS.privilegedIntentUsers',
)
/** The counts against the limit of all members: some of them never do. */
export const LIMIT_IGNORED = edit('limit', REQUESTS, "query === '' && limit === 0", "query === ''")
export const RATE_LIMIT_OF_OTHER = edit('guild', REQUESTS, "(idOf(meta['guild_id']) ?? request.guildId) === request.guildId", 'true')

export const RULES: Seconds = {
  '5-1': [edit('order', 'daemon/src/auth/oauth/authorize-url.ts', "request.scopes.join(' ')", "request.scopes.join(',')")],
  '5-2': [edit('argument', `${OAUTH}/token-endpoint.ts`, '!verifies(verifier, code.codeChallenge)', "verifier === ''")],
  '5-3': [SHORT_STATE],
  '5-4': [edit('argument', 'daemon/src/auth/oauth/token-endpoint.ts', '{ expectedNonce: expected.nonce }', '{}')],
  '5-5': [LAYER],
  '5-6': [PREMIUM_OF_NONE],
  '5-7': [edit('scope', 'protocol/src/endpoints/relationships.ts', "requires: anyOf('relationships.read')", "requires: anyOf('identify')")],
  '5-8': [edit('null', `${OAUTH}/portal-settings.ts`, '[RESTRICTED[scope]] === true', '[RESTRICTED[scope]] !== false')],
  '5-9': [GUILDS_SCOPE],
  '5-10': [edit('argument', `${API}/current-application.ts`, 'hasOwnLink ? scopes : ', '')],
  '5-11': 'value',
  '5-12': [edit('argument', 'daemon/core/src/redacted.ts', '(isSecretName(name) ? `${before}${name}=${REDACTED}` : whole)', 'whole')],
  '5-13': 'value',
  '5-14': [edit('argument', `${OAUTH}/partner.ts`, 'args.external_auth_type === REFRESHABLE,', 'true,')],
  '5-15': 'route',
  '5-16': [
    edit(
      'time',
      'daemon/src/auth/tokens/token-store.ts',
      'if (isLive) return tokens\n        await end',
      'if (now > 0) return tokens\n        await end',
    ),
    edit('null', 'daemon/src/auth/accounts/accounts.ts', "unrefreshable: 'provisional'", "unrefreshable: 'linked'"),
  ],
  '5-17': 'field',
  '5-18': [edit('null', `${OAUTH}/portal-settings.ts`, 'mayLinkPublisher === true', 'mayLinkPublisher !== null')],
  '5-19': [edit('user', 'daemon/src/auth/accounts/accounts.ts', 'child.userId === account.userId && ', '')],
  '5-20': [edit('argument', `${OAUTH}/partner.ts`, ' || parent.authorization.parentId !== undefined', '')],
  '5-21': [edit('null', `${OAUTH}/partner.ts`, 'secret == null ? isConfidential(platform, applicationId)', 'secret == null ? false')],
  '5-22': [TOKEN_OF_OTHER],
  '5-23': 'route',
  '5-24': [edit('user', 'daemon/src/events/account-link.ts', 'session.applicationId === applicationId', "applicationId !== ''")],
  '5-25': 'elsewhere',
  '5-26': [ONLY_INVALID_GRANT],
  '5-27': [edit('time', WEBHOOKS, '  if (at !== undefined && authorizedAfter(account, at)) return\n', '')],
  '5-28': [edit('argument', OIDC, "'local', 'arpa', 'internal', 'localhost'", "'local', 'arpa', 'localhost'")],
  '5-29': [edit('argument', OIDC, "  if (document['issuer'] !== issuer) return 'names another issuer'\n", '')],
  '5-30': [edit('argument', OIDC, 'status === 200 && isObject(body)', 'isObject(body)')],
  '5-31': [edit('argument', `${OAUTH}/oidc-provider.ts`, 'if (problem !== undefined) throw', "if (problem === '') throw")],
  '5-32': [edit('field', 'daemon/src/platform/gateway/payload.ts', '{} : { capabilities }', '{} : {}')],
  '5-33': [
    edit(
      'user',
      `${API}/guilds.ts`,
      'platform.store.applications.get(caller.applicationId)?.obfuscatesPrivateChannels ?? false',
      'platform.store.applications.all().some((one) => one.obfuscatesPrivateChannels)',
    ),
  ],
  '5-34': [THRESHOLD],
  '5-35': [edit('time', 'protocol/src/intents.ts', 'now < approvalEnds', 'approvalEnds > 0')],
  '5-36': [edit('field', `${API}/application-view.ts`, '    flags,\n    flags_new', '    flags: 0,\n    flags_new')],

  '6-1': 'elsewhere',
  '6-2': [FLAGS_OF_NEW_CHANNEL],
  '6-3': [RATE_LIMIT_OF_OTHER],
  '6-4': [LIMIT_IGNORED],
  '6-5': [edit('guild', `${DISPATCHES}/guilds.ts`, 'undefined : { args: { guild_id: guildId }, data }', 'undefined : { args: {}, data }')],
  '6-6': [CHANNEL_INFO_OF_OTHER, edit('argument', REQUESTS, '{ guild_id: guildId, fields }, stop', '{ guild_id: guildId }, stop')],
  '6-7': [edit('user', `${DISPATCHES}/monetization.ts`, " || d['application_id'] !== identity.applicationId", '')],
  '6-8': [
    edit(
      'user',
      `${DISPATCHES}/monetization.ts`,
      'undefined : { owner, data: { subscription: d } }',
      'undefined : { data: { subscription: d } }',
    ),
  ],
  '6-9': [edit('field', `${API}/guilds.ts`, 'targetId: channel.id, options, reason', 'targetId: null, options, reason')],
  '6-10': [edit('field', `${API}/guilds.ts`, '...(voiceStatus === null ? {} : { status: voiceStatus })', '')],
  '6-11': [edit('user', WEBHOOKS, 'isRecipient: isSignedInAs({ applicationId, userId: user.id })', 'isRecipient: () => true')],
  '6-12': [edit('time', 'daemon/sandbox/src/webhooks/webhook-events.ts', "kind !== 'CREATE'", 'kind === undefined')],
  '6-13': [edit('null', WEBHOOKS, 'enrollment.user_id ?? user?.id', 'enrollment.user_id')],
  '6-14': [edit('field', 'daemon/sandbox/src/webhooks/webhook-events.ts', 'data: { user: userView(platform, user) } }', 'data: {} }')],
  '6-15': [edit('field', `${API}/lobby-messages.ts`, '{ id: message.id, lobby_id: lobby.id }', '{ id: message.id }')],
  '6-16': 'value',
  '6-17': 'value',
  '6-18': [
    edit(
      'user',
      'daemon/src/events/providers/poll/guild-status-poll.ts',
      'this.#accountOf(session) === poll.account\n',
      "poll.account !== ''\n",
    ),
  ],
  '6-19': 'client',
  '6-21': [
    edit('argument', 'protocol/src/interaction-callbacks.ts', 'INTERACTION_TYPES[name] === interactionType', 'INTERACTION_TYPES[name] > 0'),
  ],
  '6-22': 'value',
  '6-23': [edit('argument', 'daemon/sandbox/src/webhooks/webhooks.ts', ' && types?.includes(type) === true', '')],

  '7-1': [LIFTED_BAN],
  '7-2': [UNREADABLE],
  '7-3': [
    edit(
      'field',
      'daemon/src/platform/api/failure.ts',
      '    ...(platformError?.code === undefined ? {} : { platform_code: platformError.code }),\n',
      '',
    ),
  ],
  '7-4': [INDEX_READY],
  '7-5': 'value',
  '7-6': [BLOCKED_EDIT],
  '7-7': 'value',
  '7-8': 'field',
  '7-9': [RATE_LIMIT_OF_OTHER],
  '7-10': [
    edit(
      'null',
      'protocol/src/records/message-draft.ts',
      "value !== undefined && value !== null && value !== ''",
      "value !== undefined && value !== ''",
    ),
  ],
  '7-11': [edit('null', MODAL, 'component.disabled === true', 'component.disabled !== undefined')],
  '7-12': [edit('null', MODAL, 'component.label !== undefined && component.label !== null', 'component.label !== undefined')],
}
