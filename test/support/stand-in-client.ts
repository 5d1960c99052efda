/**
 * A stand-in for the platform's own desktop client: one user, one local socket, the public side of the local protocol. Written from the
 * description of the protocol and not from the daemon, so that the daemon is not checked with itself.
 *
 * It listens at `path`, answers HANDSHAKE with READY, keeps for every connection its application, its scopes (AUTHENTICATE asks the
 * platform's API, or a table of tokens), its subscriptions and its activity, and keeps voice settings with their lock: the first application
 * that changes them owns them, and when its last connection ends they are what they were before. Everything that a user or another player
 * would do is a method here (`authorizeRequest`, `speak`, `invite` …); everything that comes in goes to `report`.
 *
 * As a process of its own, driven by JSON lines: stand-in-client-process.ts, which stand-in-process.ts starts.
 */
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { frame, head, OP, split } from './frames.ts'
import {
  answerOf,
  matches,
  type Peer,
  Refusal,
  requirementOf,
  type StandInToken,
  type StandInUser,
  type Subscription,
  type World,
} from './stand-in-answers.ts'

/** How it deviates from the protocol, for tests of what a peer makes of that. */
export type Misbehaviour =
  /** Accepts connections and sends nothing. */
  | 'silent'
  /** Answers the handshake with bytes that are no frame. */
  | 'garbage'
  /** READY, then a frame whose header declares a gigabyte. */
  | 'oversize'
  /** Answers every call with a nonce that no call had. */
  | 'wrong-nonce'
  /** READY, then no answer to anything. */
  | 'mute'
  /** As servers of presence do: READY, answers to SET_ACTIVITY, and nothing else. */
  | 'presence-only'

export interface StandInOptions {
  /** Path of the socket, or name of the pipe. */
  readonly path: string
  readonly user: StandInUser
  /** What READY says of the platform, without scheme: `//127.0.0.1:4711/api`. */
  readonly apiEndpoint: string
  /** Base of the API that is asked whose a token is: `http://127.0.0.1:4711/api/v10`. Absent: only `tokens` are known. */
  readonly apiBase?: string
  readonly tokens?: Readonly<Record<string, StandInToken>>
  /** More keys for READY's data. */
  readonly readyExtra?: object
  readonly misbehaves?: Misbehaviour
  /**
   * An application gets READY twice a minute, and later for more connections. Not for games that look for the bridge: on a busy machine they ask
   * the client too, which is then one connection more.
   */
  readonly limitsConnections?: boolean
  readonly report?: (report: StandInReport) => void
}

/** What happens to it, in order. Tokens are not repeated. */
export type StandInReport =
  | { readonly event: 'listening'; readonly path: string }
  | { readonly event: 'connected'; readonly connection: number; readonly application: string; readonly handshake: object }
  | {
      readonly event: 'call'
      readonly connection: number
      readonly application: string
      readonly cmd: string
      readonly evt: string | null
      readonly args: unknown
      /** Milliseconds since the epoch. */
      readonly at: number
    }
  | { readonly event: 'gone'; readonly connection: number; readonly application: string }

export interface StandInState {
  readonly connections: readonly {
    readonly connection: number
    readonly application: string
    readonly userId: string | null
    readonly scopes: readonly string[]
    readonly subscriptions: readonly Subscription[]
    readonly activity: unknown
  }[]
  readonly voice: Readonly<Record<string, unknown>>
  readonly voiceOwner: string | null
}

const OWN_VOICE = {
  input: { device_id: 'default', volume: 100, available_devices: [{ id: 'default', name: 'Default' }] },
  output: { device_id: 'default', volume: 100, available_devices: [{ id: 'default', name: 'Default' }] },
  mode: { type: 'VOICE_ACTIVITY', auto_threshold: true, threshold: -60, shortcut: [], delay: 20 },
  automatic_gain_control: true,
  echo_cancellation: true,
  noise_suppression: true,
  qos: true,
  silence_warning: true,
  deaf: false,
  mute: false,
}

/** Connections of one application in a minute; a further one gets READY later. */
const MAX_CONNECTIONS = 2
const WINDOW_MS = 60_000

const keyOf = (evt: string, args: object): string =>
  `${evt} ${JSON.stringify(Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`

export class StandInClient {
  readonly #options: StandInOptions
  /** Of those that completed the handshake. */
  readonly #sockets = new Map<Socket, Peer>()
  /** Those that did not complete the handshake end with it too. */
  readonly #accepted = new Set<Socket>()
  readonly #world: World
  /** By application: when each connection got READY. */
  readonly #connectedAt = new Map<string, number[]>()
  #server: Server | undefined
  #lastConnection = 0

  constructor(options: StandInOptions) {
    this.#options = options
    this.#world = {
      user: { discriminator: '0', global_name: null, avatar: null, ...options.user },
      voice: structuredClone(OWN_VOICE),
      ownVoice: structuredClone(OWN_VOICE),
      voiceOwner: undefined,
      voiceChannel: undefined,
      joinRequests: new Set(),
      invites: new Map(),
      peers: () => [...this.#sockets.values()],
      whoseToken: (token) => this.#whoseToken(token),
    }
  }

  // --- its own life ------------------------------------------------------------------------------------------------------------

  /** Starts to listen; a socket that a killed one left behind is removed. */
  async open(): Promise<void> {
    const { path } = this.#options
    if (!path.startsWith('\\\\') && (await isStale(path))) rmSync(path, { force: true })
    const server = createServer((socket) => this.#accept(socket))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    this.#server = server
    this.#connectedAt.clear()
    this.#options.report?.({ event: 'listening', path })
  }

  /** Quits: closes all connections and discards what applications changed. `open` starts it again. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
    this.dropConnections()
    await closed
  }

  /** Every connection ends without a word. */
  dropConnections(): void {
    for (const socket of this.#accepted) socket.destroy()
  }

  get state(): StandInState {
    return {
      connections: [...this.#sockets.values()].map(({ id, application, userId, scopes, subscriptions, activity }) => ({
        connection: id,
        application,
        userId: userId ?? null,
        scopes: [...scopes],
        subscriptions: [...subscriptions.values()],
        activity: activity ?? null,
      })),
      voice: this.#world.voice,
      voiceOwner: this.#world.voiceOwner ?? null,
    }
  }

  // --- what a user or another player does ---------------------------------------------------------------------------------------

  /** How long ago each application connected since this opened, in milliseconds, oldest first. */
  ages(application: string): readonly number[] {
    return (this.#connectedAt.get(application) ?? []).map((at) => performance.now() - at)
  }

  /** Publishes an event to all subscribers with these arguments, of one application or of all. Returns the number of connections. */
  publish(evt: string, data: unknown, { application, args = {} }: { application?: string; args?: Record<string, unknown> } = {}): number {
    const subscribers = [...this.#sockets.values()].filter(
      (peer) =>
        (application === undefined || peer.application === application) &&
        [...peer.subscriptions.values()].some((one) => one.evt === evt && matches(one.args, args)),
    )
    for (const peer of subscribers) peer.send({ cmd: 'DISPATCH', evt, data, nonce: null })
    return subscribers.length
  }

  /** The button that links an account. */
  authorizeRequest(application: string): number {
    return this.publish('AUTHORIZE_REQUEST', null, { application })
  }

  speak(userId: string, channelId: string, isSpeaking = true): number {
    const evt = isSpeaking ? 'SPEAKING_START' : 'SPEAKING_STOP'
    return this.publish(evt, { user_id: userId, channel_id: channelId }, { args: { channel_id: channelId } })
  }

  /** A user joins (CREATE), changes (UPDATE) or leaves (DELETE) a voice channel. As on the real wire, the data does not name the channel. */
  voiceState(change: 'CREATE' | 'UPDATE' | 'DELETE', channelId: string, user: StandInUser, more: object = {}): number {
    const data = {
      nick: user.username,
      mute: false,
      volume: 100,
      pan: { left: 1, right: 1 },
      voice_state: { mute: false, deaf: false, self_mute: false, self_deaf: false, suppress: false },
      user: { discriminator: '0', avatar: null, ...user },
      ...more,
    }
    return this.publish(`VOICE_STATE_${change}`, data, { args: { channel_id: channelId } })
  }

  /** The user presses Join: the game of this application gets the secret. */
  join(application: string, secret: string): number {
    return this.publish('ACTIVITY_JOIN', { secret }, { application })
  }

  /** Another player asks to join; SEND_ACTIVITY_JOIN_INVITE and CLOSE_ACTIVITY_JOIN_REQUEST are then good for them, once. */
  joinRequest(application: string, user: StandInUser): number {
    this.#world.joinRequests.add(`${application} ${user.id}`)
    return this.publish('ACTIVITY_JOIN_REQUEST', { user: { discriminator: '0', avatar: null, ...user } }, { application })
  }

  /** Another player invites the user; ACCEPT_ACTIVITY_INVITE with this message id then brings the secret. */
  invite(application: string, user: StandInUser, { messageId, secret }: { messageId: string; secret: string }): number {
    this.#world.invites.set(messageId, { application, secret })
    const data = {
      type: 1,
      user: { discriminator: '0', avatar: null, ...user },
      activity: { name: 'A game', type: 0, session_id: 'session-of-the-host' },
      channel_id: '1500000000000000001',
      message_id: messageId,
    }
    return this.publish('ACTIVITY_INVITE', data, { application })
  }

  /** The user changes a voice setting, and every subscriber gets the event. */
  changeVoice(change: object): void {
    Object.assign(this.#world.ownVoice, change)
    Object.assign(this.#world.voice, change)
    this.publish('VOICE_SETTINGS_UPDATE', this.#world.voice)
  }

  // --- the protocol ------------------------------------------------------------------------------------------------------------

  #accept(socket: Socket): void {
    socket.on('error', () => {})
    this.#accepted.add(socket)
    socket.once('close', () => this.#accepted.delete(socket))
    if (this.#options.misbehaves === 'silent') return
    let rest: Buffer = Buffer.alloc(0)
    const peer: Peer = {
      id: ++this.#lastConnection,
      application: '',
      scopes: new Set(['rpc.local']),
      userId: undefined,
      subscriptions: new Map(),
      activity: undefined,
      send: (message) => void socket.write(frame(OP.FRAME, message)),
    }
    socket.on('data', (chunk: Buffer) => {
      const { frames, rest: left } = split(Buffer.concat([rest, chunk]))
      rest = left
      for (const { opcode, payload } of frames) this.#take(socket, peer, opcode, payload)
    })
    socket.once('close', () => this.#gone(socket, peer))
  }

  #take(socket: Socket, peer: Peer, opcode: number, payload: Buffer): void {
    if (opcode === OP.PING) return void socket.write(frame(OP.PONG, payload))
    if (opcode === OP.CLOSE) return void socket.end()
    if (opcode === OP.PONG) return
    const message = JSON.parse(payload.toString('utf8')) as Record<string, unknown>
    if (opcode === OP.HANDSHAKE) return this.#acceptHandshake(socket, peer, message)
    if (!this.#sockets.has(socket)) return this.#refuse(socket, 1003, 'A frame before the handshake.')
    void this.#call(peer, message)
  }

  #refuse(socket: Socket, code: number, message: string): void {
    socket.end(frame(OP.CLOSE, { code, message }))
  }

  #acceptHandshake(socket: Socket, peer: Peer, fields: Record<string, unknown>): void {
    if (peer.application !== '') return this.#refuse(socket, 1003, 'A second handshake.')
    if (fields['v'] !== 1) return this.#refuse(socket, 4004, 'Invalid Version')
    if (typeof fields['client_id'] !== 'string') return this.#refuse(socket, 4000, 'Invalid Client ID')
    peer.application = fields['client_id']
    const oldestMs = this.ages(peer.application).at(-MAX_CONNECTIONS) ?? WINDOW_MS
    if (this.#options.limitsConnections !== true || oldestMs >= WINDOW_MS) return this.#makeReady(socket, peer, fields)
    const later = setTimeout(() => this.#makeReady(socket, peer, fields), WINDOW_MS - oldestMs)
    socket.once('close', () => clearTimeout(later))
  }

  #makeReady(socket: Socket, peer: Peer, fields: Record<string, unknown>): void {
    const { misbehaves, readyExtra, apiEndpoint, report } = this.#options
    this.#sockets.set(socket, peer)
    this.#connectedAt.set(peer.application, [...(this.#connectedAt.get(peer.application) ?? []), performance.now()])
    report?.({ event: 'connected', connection: peer.id, application: peer.application, handshake: fields })
    if (misbehaves === 'garbage') return void socket.write('HTTP/1.1 400 Bad Request\r\n\r\nthis is not the protocol at all')
    const config = { cdn_host: 'cdn.example.test', api_endpoint: apiEndpoint, environment: 'production' }
    peer.send({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config, user: this.#world.user, ...readyExtra } })
    if (misbehaves === 'oversize') socket.write(head(OP.FRAME, 1 << 30))
  }

  async #call(peer: Peer, message: Record<string, unknown>): Promise<void> {
    const { misbehaves, report } = this.#options
    const cmd = String(message['cmd'])
    const evt = typeof message['evt'] === 'string' ? message['evt'] : null
    const args = (message['args'] ?? {}) as Record<string, unknown>
    const shown = 'access_token' in args ? { ...args, access_token: '…' } : args
    report?.({ event: 'call', connection: peer.id, application: peer.application, cmd, evt, args: shown, at: Date.now() })
    if (misbehaves === 'mute' || (misbehaves === 'presence-only' && cmd !== 'SET_ACTIVITY')) return
    const nonce = misbehaves === 'wrong-nonce' ? 'no call had this' : message['nonce']
    try {
      const data = await this.#answer(peer, cmd, evt, args)
      peer.send({ cmd, data, evt: null, nonce })
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      peer.send({ cmd, data: { code: failure.code, message: failure.message }, evt: 'ERROR', nonce })
    }
  }

  async #answer(peer: Peer, cmd: string, evt: string | null, args: Record<string, unknown>): Promise<unknown> {
    const needed = requirementOf(cmd, evt)
    if (needed === undefined) {
      throw evt === null ? new Refusal(4002, `Invalid command: ${cmd}`) : new Refusal(4004, `Invalid event: ${evt}`)
    }
    if (!needed.some((set) => set.every((scope) => peer.scopes.has(scope)))) {
      throw new Refusal(4006, 'Not authenticated or invalid scope')
    }
    if (cmd === 'SUBSCRIBE') peer.subscriptions.set(keyOf(String(evt), args), { evt: String(evt), args })
    if (cmd === 'UNSUBSCRIBE') peer.subscriptions.delete(keyOf(String(evt), args))
    return evt === null ? answerOf(this.#world, peer, cmd, args) : { evt }
  }

  async #whoseToken(token: string): Promise<StandInToken | undefined> {
    const { tokens, apiBase } = this.#options
    const known = tokens?.[token]
    if (known !== undefined || apiBase === undefined) return known
    const answer = await fetch(`${apiBase}/oauth2/@me`, { headers: { Authorization: `Bearer ${token}` } })
    if (!answer.ok) return undefined
    const { user, application, scopes } = (await answer.json()) as {
      user?: { id: string }
      application: { id: string }
      scopes: string[]
    }
    return user === undefined ? undefined : { userId: user.id, applicationId: application.id, scopes }
  }

  #gone(socket: Socket, { id, application }: Peer): void {
    if (!this.#sockets.delete(socket)) return
    const isStillThere = [...this.#sockets.values()].some((other) => other.application === application)
    if (!isStillThere && this.#world.voiceOwner === application) {
      this.#world.voiceOwner = undefined
      this.#world.voice = structuredClone(this.#world.ownVoice)
      this.publish('VOICE_SETTINGS_UPDATE', this.#world.voice)
    }
    this.#options.report?.({ event: 'gone', connection: id, application })
  }
}

/** Whether the socket file exists and no process listens on it. */
const isStale = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(false)
    })
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
