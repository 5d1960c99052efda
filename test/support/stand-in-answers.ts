/** The answers of the stand-in desktop client per command, and the scopes each command needs; from the description of the protocol. */
export interface StandInUser {
  readonly id: string
  readonly username: string
  readonly discriminator?: string
  readonly global_name?: string | null
  readonly avatar?: string | null
}

/** What an access token stands for. */
export interface StandInToken {
  readonly userId: string
  readonly applicationId: string
  readonly scopes: readonly string[]
}

export interface Subscription {
  readonly evt: string
  readonly args: Readonly<Record<string, unknown>>
}

/** One connection and what it asked for. */
export interface Peer {
  readonly id: number
  application: string
  readonly scopes: Set<string>
  userId: string | undefined
  readonly subscriptions: Map<string, Subscription>
  activity: { readonly pid: number; readonly activity: Readonly<Record<string, unknown>> } | undefined
  send(message: object): void
}

/** An ERROR answer. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What the client knows and remembers beyond one connection. */
export interface World {
  readonly user: StandInUser
  voice: Record<string, unknown>
  /** What the user chose; comes back when the owner of the settings leaves. */
  ownVoice: Record<string, unknown>
  /** Application that has changed the voice settings. */
  voiceOwner: string | undefined
  voiceChannel: string | undefined
  /** `<application> <user>` of those who asked to join. */
  readonly joinRequests: Set<string>
  /** By message id. */
  readonly invites: Map<string, { readonly application: string; readonly secret: string }>
  peers(): readonly Peer[]
  whoseToken(token: string): Promise<StandInToken | undefined>
}

type Args = Readonly<Record<string, unknown>>
type Answer = (world: World, peer: Peer, args: Args) => unknown

const LOCAL = [['rpc.local']]
const OPEN = [[]]
const RPC = [['rpc']]
const VOICE_READ = [['rpc'], ['rpc.voice.read']]
const VOICE_WRITE = [['rpc'], ['rpc.voice.write']]
const GUILD = { id: '1500000000000000100', name: 'Harbour', icon_url: null }
const CHANNEL = { id: '1500000000000000200', guild_id: GUILD.id, name: 'Lamp Room', type: 2, voice_states: [], messages: [] }

/** Any of the sets is enough. An event or command that is not here is not known. */
const COMMAND_SCOPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  AUTHENTICATE: OPEN,
  SET_ACTIVITY: LOCAL,
  SEND_ACTIVITY_JOIN_INVITE: LOCAL,
  CLOSE_ACTIVITY_JOIN_REQUEST: LOCAL,
  ACTIVITY_INVITE_USER: LOCAL,
  ACCEPT_ACTIVITY_INVITE: LOCAL,
  GET_USER: LOCAL,
  GET_RELATIONSHIPS: [['relationships.read']],
  GET_GUILD: RPC,
  GET_GUILDS: RPC,
  GET_CHANNEL: [['rpc'], ['guilds'], ['guilds.channels.read']],
  GET_CHANNELS: RPC,
  SELECT_VOICE_CHANNEL: RPC,
  GET_SELECTED_VOICE_CHANNEL: VOICE_READ,
  GET_VOICE_SETTINGS: VOICE_READ,
  SET_VOICE_SETTINGS: VOICE_WRITE,
  SET_USER_VOICE_SETTINGS: VOICE_WRITE,
  OPEN_OVERLAY_VOICE_SETTINGS: LOCAL,
}

const EVENT_SCOPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  AUTHORIZE_REQUEST: OPEN,
  CURRENT_USER_UPDATE: LOCAL,
  RELATIONSHIP_UPDATE: [['relationships.read']],
  GUILD_STATUS: RPC,
  GUILD_CREATE: RPC,
  CHANNEL_CREATE: RPC,
  VOICE_CHANNEL_SELECT: RPC,
  VOICE_STATE_CREATE: VOICE_READ,
  VOICE_STATE_UPDATE: VOICE_READ,
  VOICE_STATE_DELETE: VOICE_READ,
  VOICE_SETTINGS_UPDATE: VOICE_READ,
  VOICE_SETTINGS_UPDATE_2: LOCAL,
  VOICE_CONNECTION_STATUS: VOICE_READ,
  SPEAKING_START: [['rpc'], ['rpc.voice.read'], ['rpc.local']],
  SPEAKING_STOP: [['rpc'], ['rpc.voice.read'], ['rpc.local']],
  MESSAGE_CREATE: RPC,
  MESSAGE_UPDATE: RPC,
  MESSAGE_DELETE: RPC,
  NOTIFICATION_CREATE: [['rpc', 'rpc.notifications.read']],
  ACTIVITY_JOIN: LOCAL,
  ACTIVITY_SPECTATE: LOCAL,
  ACTIVITY_JOIN_REQUEST: LOCAL,
  ACTIVITY_INVITE: LOCAL,
  ENTITLEMENT_CREATE: LOCAL,
  ENTITLEMENT_DELETE: LOCAL,
  OVERLAY_UPDATE: LOCAL,
  SCREENSHARE_STATE_UPDATE: LOCAL,
  VIDEO_STATE_UPDATE: LOCAL,
}

/** Undefined: there is no such command or event. */
export const requirementOf = (cmd: string, evt: string | null): readonly (readonly string[])[] | undefined =>
  cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE' ? EVENT_SCOPES[evt ?? ''] : COMMAND_SCOPES[cmd]

/** Whether an event of these arguments is for a subscription with those: an argument that is not given there takes any. */
export const matches = (wanted: Args, happened: Args): boolean =>
  Object.entries(wanted).every(([key, value]) => value === null || value === happened[key])

const text = (args: Args, key: string): string => {
  const value = args[key]
  if (typeof value !== 'string') throw new Refusal(4000, `child "${key}" fails because ["${key}" must be a string]`)
  return value
}

/** `{...old, ...change}`, one level into objects. */
function merged(old: Record<string, unknown>, change: Args): Record<string, unknown> {
  const result = { ...old }
  for (const [key, value] of Object.entries(change)) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    result[key] = isPart ? { ...(old[key] as object), ...value } : value
  }
  return result
}

const dispatch = (peer: Peer, evt: string, data: unknown): void => {
  if ([...peer.subscriptions.values()].some((one) => one.evt === evt)) peer.send({ cmd: 'DISPATCH', evt, data, nonce: null })
}

function ownVoice(world: World, { application }: Peer): void {
  if (world.voiceOwner !== undefined && world.voiceOwner !== application) {
    throw new Refusal(4006, 'Voice settings are locked by another application')
  }
  world.voiceOwner = application
}

function closeJoinRequest(world: World, { application }: Peer, args: Args): null {
  if (!world.joinRequests.delete(`${application} ${text(args, 'user_id')}`)) throw new Refusal(4012, 'No join request for that user')
  return null
}

async function authenticate(world: World, peer: Peer, args: Args): Promise<object> {
  const given = text(args, 'access_token')
  const meaning = await world.whoseToken(given)
  if (meaning === undefined) throw new Refusal(4009, 'Invalid token')
  if (meaning.applicationId !== peer.application) throw new Refusal(4009, 'Token does not match the application')
  if (meaning.userId !== world.user.id) throw new Refusal(4009, 'Token does not match current user')
  peer.userId = meaning.userId
  peer.scopes.clear()
  for (const scope of ['rpc.local', 'rpc.authenticated', ...meaning.scopes]) peer.scopes.add(scope)
  if (peer.scopes.has('sdk.social_layer')) for (const scope of ['relationships.read', 'guilds']) peer.scopes.add(scope)
  const application = { id: peer.application, name: 'A game', icon: null, description: '', rpc_origins: [] }
  return { access_token: given, user: world.user, scopes: meaning.scopes, expires: '2099-01-01T00:00:00.000Z', application }
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  AUTHENTICATE: authenticate,
  SET_ACTIVITY(_world, peer, { pid, activity }) {
    if (typeof pid !== 'number') throw new Refusal(4000, 'child "pid" fails because ["pid" is required]')
    peer.activity = activity == null ? undefined : { pid, activity: activity as Record<string, unknown> }
    return peer.activity?.activity ?? null
  },
  GET_VOICE_SETTINGS: (world) => world.voice,
  SET_VOICE_SETTINGS(world, peer, args) {
    ownVoice(world, peer)
    world.voice = merged(world.voice, args)
    for (const other of world.peers()) dispatch(other, 'VOICE_SETTINGS_UPDATE', world.voice)
    return world.voice
  },
  SET_USER_VOICE_SETTINGS(world, peer, args) {
    if (text(args, 'user_id') === '404') throw new Refusal(4010, 'Invalid user id')
    ownVoice(world, peer)
    return args
  },
  GET_USER: (world, _peer, { id }) => (id === world.user.id ? world.user : null),
  GET_RELATIONSHIPS: () => ({ relationships: [] }),
  GET_GUILDS: () => ({ guilds: [GUILD] }),
  GET_GUILD(_world, _peer, args) {
    if (text(args, 'guild_id') !== GUILD.id) throw new Refusal(4003, 'Invalid guild id')
    return { ...GUILD, members: [] }
  },
  GET_CHANNELS: () => ({ channels: [{ id: CHANNEL.id, name: CHANNEL.name, type: CHANNEL.type }] }),
  GET_CHANNEL(_world, _peer, args) {
    if (text(args, 'channel_id') !== CHANNEL.id) throw new Refusal(4005, 'Invalid channel id')
    return CHANNEL
  },
  SELECT_VOICE_CHANNEL(world, _peer, { channel_id, force }) {
    if (world.voiceChannel !== undefined && channel_id !== null && force !== true)
      throw new Refusal(5003, 'User is already in a voice channel')
    world.voiceChannel = typeof channel_id === 'string' ? channel_id : undefined
    for (const other of world.peers()) dispatch(other, 'VOICE_CHANNEL_SELECT', { channel_id, guild_id: GUILD.id })
    return channel_id === null ? null : { ...CHANNEL, id: channel_id }
  },
  GET_SELECTED_VOICE_CHANNEL: (world) => (world.voiceChannel === undefined ? null : { ...CHANNEL, id: world.voiceChannel }),
  OPEN_OVERLAY_VOICE_SETTINGS: () => null,
  SEND_ACTIVITY_JOIN_INVITE: closeJoinRequest,
  CLOSE_ACTIVITY_JOIN_REQUEST: closeJoinRequest,
  ACTIVITY_INVITE_USER(_world, peer) {
    const { party, secrets } = (peer.activity?.activity ?? {}) as { party?: { id?: string }; secrets?: { join?: string } }
    if (party?.id === undefined || secrets?.join === undefined) throw new Refusal(5006, 'No eligible activity')
    return null
  },
  ACCEPT_ACTIVITY_INVITE(world, peer, args) {
    const found = world.invites.get(text(args, 'message_id'))
    if (found === undefined) throw new Refusal(4011, 'Invalid invite')
    const application = typeof args['application_id'] === 'string' ? args['application_id'] : peer.application
    if (application !== found.application) throw new Refusal(4011, 'Invalid invite')
    for (const other of world.peers()) {
      if (other.application === application) dispatch(other, 'ACTIVITY_JOIN', { secret: found.secret })
    }
    return null
  },
}

/** Throws Refusal. */
export const answerOf = (world: World, peer: Peer, cmd: string, args: Args): unknown => ANSWERS[cmd]?.(world, peer, args)
