/**
 * The state of the running bridge: one record for each display of the operator (dashboard, tray, command line), and the selection of it that a
 * game reads. Texts of games, users and the platform have no invisible characters. Times are milliseconds since 1970.
 */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

const Time = once(() => z.number().int().meta({ description: 'Milliseconds since 1970.' }))
const ProgramText = once(() => z.string().meta({ description: 'The program as text: its kind and its identity.' }))
const ProgramName = once(() => z.string().meta({ description: 'A short name of the program: that of its file, or of its package.' }))
const HIDDEN = ['hidden', 'hidden-now'] as const
const ImageId = once(() => z.string().meta({ description: 'An image that the dashboard serves.' }))
const HasChoice = (what: string) => z.boolean().meta({ description: `Whether ${what}: the bridge recognises the program later.` })

const AskingProcess = once(() => z.number().int().meta({ description: 'The process that asks, as reported by the operating system.' }))

const BridgeLine = once(() => tolerant({ label: z.string(), text: z.string() }))
const BridgeLines = once(() => z.array(BridgeLine()).meta({ description: 'In the order in which every display shows them.' }))

const BridgeGame = once(() =>
  tolerant({
    connection: z.number().int().meta({ description: 'Number of the connection, as in the log.' }),
    application_id: z.string(),
    application_name: z.string().optional(),
    program: ProgramText(),
    pid: z.number().int().optional().meta({ description: 'As reported by the operating system.' }),
    trust: z.enum(['kernel', 'directory', 'origin']).meta({
      description: 'How the program is known: by the system, by its right to a private folder, or as a page in a browser by its origin.',
    }),
    user: tolerant({ id: z.string(), username: z.string() }).optional().meta({ description: 'The user it is signed in as.' }),
    activity: z.string().optional().meta({ description: 'What the user does there, in one line.' }),
    subscriptions: z.array(z.string()).meta({ description: 'Names of events.' }),
    can_link: z.boolean().meta({
      description: 'Whether it can be requested to link the account: not signed in, subscribed AUTHORIZE_REQUEST.',
    }),
    can_choose: HasChoice('it can be blocked, and its activities hidden'),
    program_name: ProgramName(),
  }),
)

const BridgePrompt = once(() =>
  tolerant({
    id: z.string(),
    title: z.string(),
    lines: BridgeLines(),
    asked_at: Time(),
    kind: z.enum(['sign-in', 'bot', 'launch']).meta({ description: 'What is asked: a sign-in, to act as the bot, or to start a game.' }),
    application_id: z.string(),
    pid: AskingProcess().optional(),
    program: ProgramText().optional().meta({ description: 'Absent for a launch address of the platform.' }),
    program_name: ProgramName().optional(),
    username: z.string().optional().meta({ description: 'The user, if the bridge knows who it will be.' }),
    scopes: z.array(z.string()).meta({ description: 'As the game requested them; empty for a launch.' }),
    why: z.string().meta({ description: 'A sentence: why the user is asked.' }),
    can_choose: HasChoice('scopes can be left out, or the grant limited to the session'),
  }),
)

const BridgePage = once(() =>
  tolerant({
    url: z.string().meta({ description: 'A local address, which leads this user to the page.' }),
    lines: BridgeLines(),
    opened_at: Time(),
    pid: AskingProcess().optional(),
    browser: z.enum(['starting', 'started', 'missing']).meta({
      description: 'Whether the bridge could start a browser. Where it is missing, the user opens the address.',
    }),
  }),
)

const BridgeInvite = once(() =>
  tolerant({
    id: z.string(),
    application_id: z.string(),
    application_name: z.string().optional(),
    user_id: z.string().meta({ description: 'The receiver.' }),
    sender: z.string().meta({ description: 'Name of the user who invites.' }),
    activity: tolerant({
      type: z.number().int(),
      name: z.string().optional(),
      details: z.string().optional(),
      state: z.string().optional(),
    }).meta({ description: "What the sender's game shows." }),
    cover: z.string().optional().meta({ description: 'An http or https URL, or an asset key of the application.' }),
  }),
)

const Picture = once(() => tolerant({ image: ImageId().optional(), text: z.string().optional() }))

const BridgePresence = once(() =>
  tolerant({
    application_id: z.string(),
    username: z.string().optional().meta({ description: 'The user, if signed in.' }),
    type: z.number().int().meta({ description: 'Activity type: 0 playing, 2 listening, 3 watching, 5 competing.' }),
    name: z.string().optional(),
    details: z.string().optional(),
    state: z.string().optional(),
    started_at: Time().optional(),
    ends_at: Time().optional(),
    party: tolerant({ size: z.number().int(), max: z.number().int() }).optional(),
    large_picture: Picture().optional(),
    small_picture: Picture().optional(),
    buttons: z
      .array(tolerant({ label: z.string(), url: z.string() }))
      .optional()
      .meta({ description: 'Others see them; the URLs are as the game set them.' }),
    hidden: z.enum(HIDDEN).optional().meta({ description: 'Others do not see it: hidden, or hidden-now until the program has left.' }),
    can_choose: HasChoice('it can be hidden'),
    connection: z.number().int().meta({ description: 'Number of the connection that set it.' }),
    shown_on: PlaceIds('where it is shown now.'),
    chosen_places: PlaceIds('where the user wants it to be shown; absent: where every game is.'),
  }),
)

const PlaceIds = (what: string) =>
  z
    .array(z.string())
    .optional()
    .meta({ description: `Ids of places: ${what}` })

const BridgePlace = once(() =>
  tolerant({
    id: z.string().meta({ description: 'The same after a restart of the client and of the bridge.' }),
    kind: z.enum(['client', 'account', 'web']).meta({
      description: 'A desktop client; the account that a game is signed in with; or web clients of this machine.',
    }),
    username: z.string().optional().meta({ description: 'The user of the client.' }),
    build: z.string().optional().meta({ description: 'The build of the client, such as canary; absent for the usual one.' }),
    package: z.string().optional().meta({ description: 'How the client is packaged, such as flatpak.' }),
    running: z.boolean().meta({ description: 'Whether the bridge has met the client, and its socket is still there.' }),
  }),
)

const BridgeApplication = once(() =>
  tolerant({
    id: z.string(),
    name: z.string().optional().meta({ description: 'As the platform names it.' }),
    claimed_name: z.string().optional().meta({ description: 'As a running game names what the user does.' }),
    icon: ImageId().optional(),
  }),
)

const BridgeGrant = once(() =>
  tolerant({
    id: z.string(),
    application_id: z.string(),
    application_name: z.string().optional(),
    user_id: z.string(),
    username: z.string().optional(),
    program: ProgramText(),
    basis: z.enum(['allowed', 'token', 'blocked', 'none']).meta({
      description:
        'allowed: the program may use stored tokens; token: it uses its own token; blocked: it gets nothing; none: it has no grant, and its activities are hidden.',
    }),
    scopes: z.array(z.string()),
    granted_at: Time(),
    last_used_at: Time(),
    denied_scopes: z.array(z.string()).optional().meta({ description: 'What the user took from the program; absent if nothing.' }),
    presence: z.enum(HIDDEN).optional().meta({
      description: 'Its activities are not shown: hidden, or hidden-now until the program has left. Absent if they are.',
    }),
    lasts: z.enum(['session']).optional().meta({ description: 'The grant ends when the program has left; absent if it is kept.' }),
    program_name: ProgramName(),
    chosen_places: PlaceIds('where the user wants its activities to be shown; absent: where those of every game are.'),
  }),
)

const BridgeAccount = once(() =>
  tolerant({
    application_id: z.string(),
    user_id: z.string(),
    username: z.string().optional(),
    scopes: z.array(z.string()),
    id: z.string().meta({ description: 'Of the application and the user, for actions.' }),
  }),
)

const BridgeBot = once(() => tolerant({ application_id: z.string(), name: z.string() }))

const BridgeProvider = once(() =>
  tolerant({
    name: z.string(),
    state: z.enum(['idle', 'active', 'unavailable', 'failing']).meta({
      description:
        'idle: no demand; active: in use; unavailable: the provider does not run on this machine; failing: it does not work now.',
    }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'A sentence: why the provider is unavailable or failing, or what it works without.' }),
    ignored: z.number().int().optional().meta({ description: 'Received events of an unknown type.' }),
  }),
)

const BridgeWarning = once(() =>
  tolerant({
    kind: z.enum(['development_limit', 'invalid_requests', 'provider_failing', 'data_file', 'sandbox_finding']),
    message: z.string().meta({ description: 'A sentence: what is wrong, or will be.' }),
    advice: z.string().meta({ description: 'A sentence: what the user can do.' }),
    application_id: z.string().optional().meta({ description: 'The application that it concerns; absent if all.' }),
    ends_at: Time().optional(),
  }),
)

const BridgePeers = once(() =>
  tolerant({
    state: z.enum(['held', 'unknown']).meta({
      description: 'Whether the operating system identifies the process of each connection for its whole lifetime.',
    }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Sentences: why processes are not identified, and what programs cannot do because of it.' }),
  }),
)

const BridgePresenceFeed = once(() =>
  tolerant({
    address: z.string().optional().meta({ description: 'Absent if no port was free.' }),
    reason: z.string().optional().meta({ description: 'Why pages do not find it on the default port.' }),
    pages: z.number().int().meta({ description: 'Connected pages.' }),
  }),
)

const Count = once(() => z.number().int())

const BridgeCounters = once(() =>
  tolerant({
    connections: Count(),
    calls: Count(),
    webhook_pings: Count().optional(),
    webhook_events: Count().optional().meta({ description: 'Accepted events.' }),
    webhook_duplicates: Count().optional(),
    webhook_ignored: Count().optional().meta({ description: 'Events of an unknown type, or with invalid data.' }),
    webhook_refused: Count().optional().meta({ description: 'Requests with an invalid or outdated signature.' }),
  }),
)

const LISTS = ['games', 'prompts', 'pages', 'invites', 'presences', 'grants', 'accounts', 'bots', 'warnings', 'applications'] as const

/** A list of the state. The bridge limits its length, and `omitted` counts what is left out. */
export type BridgeListName = (typeof LISTS)[number]

const BridgeOmitted = once(() =>
  tolerant(Object.fromEntries(LISTS.map((name) => [name, Count().optional()])) as Record<BridgeListName, z.ZodOptional<z.ZodNumber>>),
)

export const BridgeState = once(() =>
  tolerant({
    version: z.string(),
    contract: z.string(),
    platform: z.string().meta({ description: 'Name of the platform profile.' }),
    uptime_s: z.number().int().meta({ description: 'By a clock that changes of the system time do not affect.' }),
    pid: z.number().int(),
    ipc: z.array(z.string()).meta({ description: 'Paths of the sockets or names of the pipes.' }),
    websocket: z.string().optional().meta({ description: 'URL of the websocket transport; absent if no port was free.' }),
    sandbox_origin: z.string().optional().meta({ description: "Origin of the sandbox's pages; absent on other platforms." }),
    peers: BridgePeers().meta({ description: 'How the bridge identifies connecting programs.' }),
    web_users_checked: z.boolean().meta({
      description:
        'Whether the ports of the bridge reject programs of other operating system users; not every system identifies the user. ' +
        'False before the first connection to one of these ports, which finds it out.',
    }),
    presence_paused: z.boolean().meta({ description: 'Whether the user has paused presence: no activity is shown outside.' }),
    presence_feed: BridgePresenceFeed().optional().meta({ description: 'The presence feed (websocket) for web clients, if enabled.' }),
    games: z.array(BridgeGame()).meta({ description: 'Connected games, without the operator who asks.' }),
    prompts: z.array(BridgePrompt()).meta({ description: 'What waits for the answer of the user.' }),
    pages: z.array(BridgePage()).meta({ description: 'Open consent pages of the platform.' }),
    invites: z.array(BridgeInvite()).meta({ description: 'Invites to a game that their receivers have not accepted.' }),
    presences: z.array(BridgePresence()).meta({ description: 'What games set: shown outside, unless it is hidden or presence is paused.' }),
    grants: z.array(BridgeGrant()).meta({ description: 'What the user allowed to programs, refused or hid.' }),
    accounts: z.array(BridgeAccount()).meta({ description: 'Stored sign-ins, whether or not the game runs.' }),
    bots: z.array(BridgeBot()).meta({ description: 'Applications with a stored bot token.' }),
    vault_problem: z.string().optional().meta({ description: 'A sentence: why accounts and bots are missing.' }),
    providers: z.array(BridgeProvider()).meta({ description: 'Where events come from, and where presence goes.' }),
    warnings: z.array(BridgeWarning()),
    counters: BridgeCounters().meta({ description: 'Counted since the start.' }),
    omitted: BridgeOmitted().meta({ description: 'How many items of a list are left out because there are too many.' }),
    applications: z
      .array(BridgeApplication())
      .meta({ description: 'Names and icons of the applications in the other lists, where known.' }),
    started_at: Time().meta({ description: 'When the bridge started, by the clock of the system at that time.' }),
    places: z.array(BridgePlace()).meta({
      description: 'Where activities can be shown. The bridge meets a client when a game shows an activity; chosen ones stay listed.',
    }),
    chosen_places: PlaceIds(
      'where the user wants the activities of every game without a choice of its own; absent: the first client, else the account; and web clients.',
    ),
    websocket_problem: z
      .string()
      .optional()
      .meta({ description: 'Sentences: why no port of the websocket transport was free, and what to do; absent if one was.' }),
  }).meta({ id: 'BridgeState', description: 'State of the bridge, for its operator; games do not receive it.', audience: 'operator' }),
)
export type BridgeState = z.output<ReturnType<typeof BridgeState>>

/** What a game may know of the state. */
export const BridgeStatus = once(() =>
  BridgeState()
    .pick({ version: true, contract: true, platform: true, uptime_s: true, pid: true, games: true, providers: true, warnings: true })
    .meta({
      id: 'BridgeStatus',
      description:
        'What a game learns of the state of the bridge: facts, itself as the only game, the providers, and the warnings that concern it.',
    }),
)
export type BridgeStatus = z.output<ReturnType<typeof BridgeStatus>>
