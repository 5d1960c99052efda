/** Every number that bounds something, with its unit and where it comes from. The daemon, the sandbox and the bindings read them here. */

export interface LimitRow {
  readonly value: number
  readonly unit: 'bytes' | 'characters' | 'items' | 'ms' | 's' | 'hours' | 'days' | 'per window'
  readonly summary: string
}

const limit = <const V extends number>(value: V, unit: LimitRow['unit'], summary: string) =>
  ({ value, unit, summary }) as const satisfies LimitRow

export const LIMITS = {
  handshakeBytes: limit(4096, 'bytes', 'Largest payload accepted before the handshake is complete.'),
  handshakeMs: limit(10_000, 'ms', 'Time a new connection has to send its handshake.'),
  frameBytes: limit(65_536, 'bytes', 'Largest payload accepted from a peer that did not name a contract in its handshake.'),
  contractFrameBytes: limit(
    1_048_576,
    'bytes',
    'Largest payload accepted from a peer that named a contract, and the most it may ask to receive.',
  ),
  outgoingPayloadBytes: limit(65_528, 'bytes', 'Largest payload sent to a peer that has not announced more: 64 KiB with the header.'),
  nonceCharacters: limit(1024, 'characters', 'Longest nonce, since it is echoed in every answer.'),
  callsInFlight: limit(
    4096,
    'items',
    'Calls of one connection that wait for an answer; beyond it the connection is read no further until some are answered.',
  ),
  subscriptions: limit(1024, 'items', 'Subscriptions of one connection.'),
  authorizationMs: limit(300_000, 'ms', 'Time a user has to answer an authorization.'),
  readyBytes: limit(1016, 'bytes', 'Largest READY payload: some readers take 1,024 bytes with the header.'),
  deadlineMs: limit(30_000, 'ms', 'Default time in which a call is answered (SDK HTTP request timeout).'),
  maxDeadlineMs: limit(300_000, 'ms', 'Longest time a connection may set for its calls.'),
  presenceUpdates: limit(5, 'per window', 'Presence updates sent onward per application and window; newer ones replace those that wait.'),
  presenceWindowMs: limit(20_000, 'ms', 'Window of presenceUpdates.'),
  activityTextMin: limit(2, 'characters', 'Least length of activity texts.'),
  activityTextMax: limit(128, 'characters', 'Greatest length of activity texts, party id and secrets.'),
  activityUrl: limit(256, 'characters', 'Greatest length of the links on activity texts and images.'),
  activityImage: limit(300, 'characters', 'Greatest length of an activity image key or URL.'),
  activityButtons: limit(2, 'items', 'Buttons on an activity.'),
  activityButtonLabel: limit(32, 'characters', 'Greatest length of a button label.'),
  activityButtonUrl: limit(512, 'characters', 'Greatest length of a button URL.'),
  activityPlatforms: limit(10, 'items', 'Entries of supported_platforms.'),
  voiceChannelStatus: limit(500, 'characters', 'Voice channel status.'),
  lobbyBulkMembers: limit(25, 'items', 'Member operations in one bulk request.'),
  lobbyMessages: limit(200, 'items', 'Messages of a lobby history request.'),
  lobbyMessageAge: limit(72, 'hours', 'Age of the oldest message in a lobby history.'),
  lobbyMessageContent: limit(2000, 'characters', 'Content of a lobby message.'),
  lobbySecret: limit(250, 'characters', 'Lobby secret.'),
  lobbyMetadataKeys: limit(25, 'items', 'Keys of lobby, member and message metadata.'),
  lobbyMetadataValue: limit(1024, 'characters', 'One metadata value.'),
  lobbyMetadataTotal: limit(1000, 'characters', 'All keys and values of lobby or member metadata together.'),
  lobbyAdditionalName: limit(80, 'characters', 'Second display name of a lobby member.'),
  lobbyIdleMin: limit(5, 's', 'Least idle timeout of a lobby.'),
  lobbyIdleMax: limit(604_800, 's', 'Greatest idle timeout of a lobby.'),
  guildsPage: limit(200, 'items', 'Guilds in one page.'),
  inviteContent: limit(1024, 'characters', 'Text that goes with an activity invite.'),
  invalidRequests: limit(10_000, 'per window', 'Requests answered 401, 403 or 429 after which the platform bans an address for a time.'),
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof LIMITS
