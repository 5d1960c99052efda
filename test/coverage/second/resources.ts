/** Second dimension of sections 1 and 2.1. */
import { edit, type Seconds } from './edit.ts'

const API = 'daemon/sandbox/src/api'
const AUTHORIZER = 'daemon/src/auth/oauth/authorizer.ts'
const SCHEMES = 'protocol/src/custom-scheme.ts'

/** A state that could be guessed. */
export const SHORT_STATE = edit('limit', AUTHORIZER, 'const STATE_BYTES = 32', 'const STATE_BYTES = 8')
/** The presence layer, and with it the communication layer. */
export const LAYER = edit('scope', 'protocol/src/scopes.ts', "  'identify',\n  'relationships.read',", "  'relationships.read',")
export const LOBBY_HISTORY_SCOPE = edit(
  'scope',
  'protocol/src/endpoints/lobbies.ts',
  "response: () => z.array(LobbyMessage()),\n  auth: 'user',\n  requires: anyOf('lobbies.write')",
  "response: () => z.array(LobbyMessage()),\n  auth: 'user',\n  requires: anyOf('identify')",
)
const JOIN_SCOPE = edit(
  'scope',
  'protocol/src/endpoints/lobbies.ts',
  "botFor: { isOnRequest: true },\n  requires: anyOf('lobbies.write')",
  "botFor: { isOnRequest: true },\n  requires: anyOf('identify')",
)
const LINKED = 'daemon/sandbox/src/social/linked-channels.ts'

export const RESOURCES: Seconds = {
  '1-1': 'client',
  '1-2': 'client',
  '1-3': 'route',
  '1-4': [
    edit(
      'scope',
      'daemon/sandbox/src/oauth/partner.ts',
      "['openid', 'sdk.social_layer', 'account.global_name.update']",
      "['openid', 'account.global_name.update']",
    ),
  ],
  '1-5': [edit('user', 'daemon/src/presence/arbiter.ts', 'findLast((one) => one.userId === userId)', 'findLast(() => true)')],
  '1-6': [edit('null', 'daemon/src/social/joinable.ts', 'activity.party.size !== undefined && ', '')],
  '1-7': [JOIN_SCOPE, edit('time', `${API}/lobbies.ts`, 'now - lobby.createdAt < LOBBY_SECRET_MS', 'now >= lobby.createdAt')],
  '1-8': [
    LOBBY_HISTORY_SCOPE,
    edit('user', `${API}/lobby-messages.ts`, '!isBlockedBetween(platform, user.id, authorId)', "authorId !== ''"),
  ],
  '1-9': [edit('user', `${API}/user-messages.ts`, '!isBlocked || authorId !== peer.id', "authorId !== ''")],
  '1-11': [edit('user', `${API}/lobby-channel.ts`, '(flags & CAN_LINK) === 0', 'flags < 0')],
  '1-12': [
    edit('field', 'daemon/src/platform/api/request.ts', "'user-agent': userAgent, ", ''),
    edit(
      'order',
      'daemon/src/platform/api/rate-limit.ts',
      'body?.retryAfterMs ?? retryAfterMs(reply, now)',
      'retryAfterMs(reply, now) ?? body?.retryAfterMs',
    ),
  ],
  '1-13': [edit('time', 'daemon/src/platform/gateway/step.ts', '{} : { session: undefined, seq: null }', '{} : { session: undefined }')],
  '1-14': [edit('limit', 'daemon/src/events/providers/gateway/requests.ts', '{} : { query, limit }', '{} : { query }')],
  '1-15': [edit('argument', 'daemon/sandbox/src/webhooks/webhooks.ts', 'status === STATUS.enabled && ', '')],
  '1-16': [edit('null', 'daemon/src/ipc/connection/connection.ts', 'evt: name, nonce: null', 'evt: name')],
  '1-17': [
    edit(
      'time',
      `${API}/interactions.ts`,
      'clock.now() - interaction.createdAt > interaction.answerWithinMs',
      'clock.now() < interaction.createdAt',
    ),
  ],
  '1-18': [
    edit('limit', 'protocol/src/records/modal.ts', "typeof most === 'number' && least > most", "typeof most === 'number' && least < 0"),
  ],
  '1-19': [
    edit(
      'scope',
      'daemon/src/sessions/required-scopes.ts',
      'activity: new Set(CLIENT_KINDS.activity.holds)',
      'activity: new Set(CLIENT_KINDS.page.holds)',
    ),
  ],
  '1-20': [edit('user', `${API}/subscriptions.ts`, 'checkOwnApplication(operation, application_id)', 'void application_id')],
  '1-21': [
    edit('user', `${API}/entitlements.ts`, "caller.kind === 'bot' ? all : all.filter(({ user_id }) => user_id === caller.id)", 'all'),
  ],
  '1-22': [edit('user', `${API}/subscriptions.ts`, '.filter((one) => one.user_id === userId)', '.filter(() => true)')],
  '1-23': [
    edit('user', LINKED, "store.users.get(message.authorId) === undefined || message.content === ''", "message.content === ''"),
    edit('argument', LINKED, 'linkedChannelId === message.channelId', 'linkedChannelId !== undefined'),
  ],
  '1-24': [edit('time', 'daemon/sandbox/src/gateway/headless-presences.ts', 'clock.after(left, () => this.#hide(session))', '() => {}')],

  '2.1-1': [edit('user', 'daemon/src/rpc/handlers/own-application.ts', 'named === undefined || named === applicationId', "named !== ''")],
  '2.1-2': [
    edit('null', 'daemon/src/rpc/handlers/authorization-request.ts', "requested.split(' ').filter(Boolean)", "requested.split(' ')"),
  ],
  '2.1-3': [
    edit(
      'scope',
      'daemon/src/rpc/handlers/authorization-request.ts',
      'withIdentify([...new Set(list)]) : DEFAULT_COMMUNICATION_SCOPES',
      "withIdentify([...new Set(list)]) : ['openid']",
    ),
  ],
  '2.1-4': 'elsewhere',
  '2.1-5': [LAYER],
  '2.1-6': [LAYER],
  '2.1-7': [
    edit('scope', 'daemon/sandbox/src/oauth/authorize.ts', 'scopes.every((scope) => one.scopes.includes(scope))', 'scopes.length > 0'),
  ],
  '2.1-8': [
    edit(
      'scope',
      'protocol/src/scopes.ts',
      'for (const set of requirement) if (holdsAll(set, held)) return true',
      'for (const set of requirement) if (holdsAll(set.slice(0, 1), held)) return true',
    ),
  ],
  '2.1-9': [
    edit(
      'field',
      'daemon/src/rpc/handlers/authorize.ts',
      'const state = request.state === undefined ? {} : { state: request.state }',
      'const state = {}',
    ),
  ],
  '2.1-10': [SHORT_STATE],
  '2.1-11': [
    edit('time', 'daemon/src/auth/oauth/pending-nonces.ts', 'const TTL_MS = 10 * 60_000', 'const TTL_MS = 10_000'),
    edit('scope', AUTHORIZER, "request.scopes.includes('openid') ? request.nonce : undefined", 'request.nonce'),
  ],
  '2.1-12': [edit('argument', 'daemon/src/auth/oauth/authorize-url.ts', "undefined : 'S256'", "undefined : 'plain'")],
  '2.1-13': [
    edit(
      'null',
      'daemon/sandbox/src/oauth/token-endpoint.ts',
      'verifier === undefined || !verifies',
      'verifier !== undefined && !verifies',
    ),
  ],
  '2.1-14': 'client',
  '2.1-15': [edit('scope', 'daemon/src/rpc/handlers/authorization-request.ts', " && scopes.includes('applications.commands')\n", '\n')],
  '2.1-16': 'elsewhere',
  '2.1-17': [
    edit(
      'user',
      AUTHORIZER,
      'customScheme || defaultCustomScheme(profile.customSchemePrefix, applicationId)',
      "customScheme || defaultCustomScheme(profile.customSchemePrefix, '1')",
    ),
  ],
  '2.1-18': [
    edit('user', SCHEMES, ' && rest !== applicationId', " && rest === ''"),
    edit('argument', SCHEMES, '!RESERVED_SCHEMES.has(text.toLowerCase())', '!RESERVED_SCHEMES.has(text)'),
  ],
  '2.1-19': [edit('null', 'protocol/src/commands/authorize.ts', 'state: text(0, 1024).nullish()', 'state: text(0, 1024).optional()')],
  '2.1-20': 'client',
  '2.1-21': 'client',
  '2.1-22': 'client',
  '2.1-23': 'client',
}
