/** The SCOPES table: the scopes of a token or connection, and the form in which rows require them. */

export interface ScopeRow {
  readonly kind: 'oauth' | 'pseudo'
  readonly summary: string
  /** Scopes that this scope includes. */
  readonly expandsTo?: readonly string[]
  /** Who alone holds it, for a scope that no sign-in gives. */
  readonly onlyFor?: string
  /** What the bridge needs besides to answer what it answers in place of the desktop client. AUTHORIZE requests it while no client runs. */
  readonly withoutClient?: readonly string[]
}

const oauth = (summary: string) => ({ kind: 'oauth', summary }) as const
const pseudo = (summary: string) => ({ kind: 'pseudo', summary }) as const
/** Given by the kind of the connection, never by a sign-in. */
const ofConnection = (summary: string, holders: string) => ({ kind: 'pseudo', summary, onlyFor: holders }) as const
const umbrella = <const E extends readonly string[]>(summary: string, expandsTo: E) => ({ kind: 'oauth', summary, expandsTo }) as const

const PRESENCE_LAYER = [
  'activities.invites.write',
  'activities.read',
  'activities.write',
  'application_identities.write',
  'gateway.connect',
  'identify',
  'relationships.read',
  'relationships.write',
] as const

export const SCOPES = {
  'rpc.local': ofConnection('Every connection over a local socket or pipe.', 'programs that connect over a local socket or pipe'),
  'rpc.authenticated': pseudo('A connection after AUTHENTICATE.'),
  'rpc.private': ofConnection(
    'A connection from an origin of the platform. Never available over a local socket.',
    "the platform's own pages in its desktop client",
  ),
  'rpc.private.limited': ofConnection(
    'Same as rpc.private, and plain HTTP reads. Never available over a local socket.',
    "the platform's own pages in its desktop client",
  ),
  'rpc.embedded_app': ofConnection(
    'A page in the activity proxy. Never available over a local socket.',
    'activities that run inside an iframe of the platform',
  ),
  'account.global_name.update': oauth("Change the user's display name."),
  'activities.invites.write': oauth('Send activity invites.'),
  'activities.read': oauth('Read activities.'),
  'activities.write': oauth('Write activities.'),
  'application_identities.write': oauth('Write identities of the application.'),
  'applications.builds.read': oauth('Read builds of the application.'),
  'applications.builds.upload': oauth('Upload builds of the application.'),
  'applications.commands': oauth('Add the commands of the application.'),
  'applications.commands.permissions.update': oauth('Change permissions of the application commands.'),
  'applications.commands.update': oauth('Update the commands of the application.'),
  'applications.entitlements': oauth('Read entitlements of the application.'),
  'applications.store.update': oauth('Update the store data of the application.'),
  bot: oauth('Add the bot of the application.'),
  connections: oauth("Read the user's connections."),
  'dm_channels.messages.read': oauth('Read direct messages.'),
  'dm_channels.messages.write': oauth('Write direct messages.'),
  'dm_channels.read': oauth('Read direct message channels.'),
  email: oauth("Read the user's e-mail address."),
  'gateway.connect': oauth('Connect to the gateway as the user.'),
  'gdm.join': oauth('Join group direct messages.'),
  guilds: oauth("Read the user's guilds."),
  'guilds.channels.read': oauth("Read the channels of the user's guilds."),
  'guilds.join': oauth('Join guilds for the user.'),
  'guilds.members.read': oauth("Read the user's guild memberships."),
  identify: oauth('Read the id, name and avatar of the user.'),
  'identify.premium': oauth('Read premium_type; approved partners only.'),
  'lobbies.write': oauth('Create and use lobbies.'),
  'managed_platform.application_identities.write': oauth('Write identities of the application on a managed platform.'),
  'messages.read': oauth('Read messages over the local protocol.'),
  openid: oauth('Receive an ID token.'),
  'payment_sources.country_code': oauth("Read the country of the user's payment sources."),
  'presences.read': oauth('Read presences.'),
  'presences.write': oauth('Write presences.'),
  'relationships.read': oauth('Read relationships.'),
  'relationships.write': oauth('Change relationships.'),
  'role_connections.write': oauth('Write role connections.'),
  rpc: { ...oauth('Control the desktop client.'), withoutClient: ['guilds', 'guilds.channels.read'] },
  'rpc.api': oauth('Use the API over the local protocol; requested by old clients.'),
  'rpc.activities.write': oauth('Set the activity.'),
  'rpc.notifications.read': oauth('Read notifications.'),
  'rpc.screenshare.read': oauth('Read the state of screen sharing.'),
  'rpc.screenshare.write': oauth('Change screen sharing.'),
  'rpc.video.read': oauth('Read the state of video.'),
  'rpc.video.write': oauth('Change video.'),
  'rpc.voice.read': oauth('Read voice state and settings.'),
  'rpc.voice.write': oauth('Change voice state and settings.'),
  'sdk.social_layer_presence': umbrella('All scopes that presence needs.', PRESENCE_LAYER),
  'sdk.social_layer': umbrella('All scopes that communication needs.', [
    ...PRESENCE_LAYER,
    'dm_channels.messages.read',
    'dm_channels.messages.write',
    'dm_channels.read',
    'guilds',
    'guilds.channels.read',
    'lobbies.write',
  ]),
  voice: oauth('Connect to voice as the user.'),
  'webhook.incoming': oauth('Create a webhook.'),
} as const satisfies Record<string, ScopeRow>

export type ScopeName = keyof typeof SCOPES

/** Who connects to the bridge. */
export type ClientKind = 'program' | 'page' | 'activity'

export interface ClientKindRow {
  readonly summary: string
  /** The pseudo-scopes of each of its connections. */
  readonly holds: readonly ScopeName[]
}

export const CLIENT_KINDS = {
  program: { summary: 'A program, over a local socket or pipe.', holds: ['rpc.local'] },
  page: { summary: 'A page in a browser, over a websocket.', holds: [] },
  activity: { summary: 'An embedded activity: a page in the activity proxy, over a websocket.', holds: ['rpc.embedded_app'] },
} as const satisfies Record<ClientKind, ClientKindRow>

/** One of these sets is sufficient; within a set all scopes are required. */
export type Requirement = readonly (readonly ScopeName[])[]

/** Available to every connection. */
export const NO_SCOPE: Requirement = [[]]
export const anyOf = (...scopes: ScopeName[]): Requirement => scopes.map((scope) => [scope])
export const allOf = (...scopes: ScopeName[]): Requirement => [scopes]

export const isScopeName = (text: string): text is ScopeName => Object.hasOwn(SCOPES, text)

/** Who alone holds a scope that no sign-in gives; undefined for any other scope. */
export function onlyFor(scope: ScopeName): string | undefined {
  const row: ScopeRow = SCOPES[scope]
  return row.onlyFor
}

/** Whether a game can request this scope from a user. */
export const isOAuthScope = (text: string): boolean => isScopeName(text) && SCOPES[text].kind === 'oauth'

/** The kinds of clients that can meet the requirement once their user has signed in with every scope. */
export function offeredTo(requirement: Requirement): ClientKind[] {
  const kinds = Object.entries<ClientKindRow>(CLIENT_KINDS) as [ClientKind, ClientKindRow][]
  return kinds
    .filter(([, { holds }]) =>
      requirement.some((set) => set.every((scope) => isOAuthScope(scope) || scope === 'rpc.authenticated' || holds.includes(scope))),
    )
    .map(([kind]) => kind)
}

/** Returns the scopes plus the scopes that they include. Unknown names stay, because a platform may define more scopes than this table. */
export function expandScopes(scopes: Iterable<string>): Set<string> {
  const expanded = new Set<string>()
  for (const scope of scopes) {
    expanded.add(scope)
    const row: ScopeRow | undefined = isScopeName(scope) ? SCOPES[scope] : undefined
    for (const part of row?.expandsTo ?? []) expanded.add(part)
  }
  return expanded
}

/** The scopes that a sign-in with `scopes` needs besides where no desktop client runs. */
export function neededWithoutClient(scopes: readonly string[]): readonly string[] {
  const held = expandScopes(scopes)
  const rows: readonly ScopeRow[] = [...held].filter(isScopeName).map((name) => SCOPES[name])
  return [...new Set(rows.flatMap(({ withoutClient = [] }) => withoutClient))].filter((scope) => !held.has(scope))
}

/** Whether the held scopes satisfy the requirement. Runs for every recipient of an event, so it uses plain loops. */
export function satisfies(requirement: Requirement, held: ReadonlySet<string>): boolean {
  for (const set of requirement) if (holdsAll(set, held)) return true
  return false
}

function holdsAll(scopes: readonly ScopeName[], held: ReadonlySet<string>): boolean {
  for (const scope of scopes) if (!held.has(scope)) return false
  return true
}

/** Default scopes of an authorization for communication. */
export const DEFAULT_COMMUNICATION_SCOPES = ['openid', 'sdk.social_layer'] as const satisfies readonly ScopeName[]
/** Default scopes of an authorization for presence. */
export const DEFAULT_PRESENCE_SCOPES = ['openid', 'sdk.social_layer_presence'] as const satisfies readonly ScopeName[]
