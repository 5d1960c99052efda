/** The client: one application's connection to a local server of the protocol, typed, and put back together after every break. */
import type { EventArgsOf, EventDataOf, EventName } from '@sallyport/protocol'
import type {
  AccountListener,
  AccountState,
  Activity,
  CallAnswer,
  CallableCommand,
  CallOptions,
  CallRest,
  ClientOptions,
  ConnectOptions,
  CurrentUser,
  SignedIn,
  SignInOptions,
  StateListener,
  Subscription,
  WaitOptions,
} from './api.ts'
import type { Server } from './server.ts'
import { DEFAULT_BACK_OFF } from './backoff.ts'
import { Connection } from './connection.ts'
import { ConnectionLost } from './errors.ts'
import type { ConnectionState } from './machine.ts'
import { SessionKeeper } from './session-keeper.ts'
import { signIn } from './sign-in.ts'
import { systemPorts } from './system-ports.ts'

/** How long the daemon takes at most, unless it is told otherwise. */
const DAEMON_CALL_MS = 30_000
/** So much longer we wait, so that its error, which says more, comes first. */
const GRACE_MS = 5_000

const SDK_VERSION = 'sallyport-ts/0.1.0'

export class SallyportClient {
  readonly #applicationId: string
  readonly #connection: Connection
  readonly #session: SessionKeeper

  /** Nothing happens until `connect`; listeners may be added before. */
  constructor(options: ClientOptions) {
    const ports = { ...systemPorts(), ...options.ports }
    this.#applicationId = options.applicationId
    const usualMs = (): number => options.callTimeoutMs ?? Math.max(DAEMON_CALL_MS, session.callMs ?? 0) + GRACE_MS
    const session: SessionKeeper = new SessionKeeper(ports, (command, args, event, { timeoutMs = usualMs(), signal } = {}) =>
      this.#connection.send(command, args, event, { timeoutMs, signal }),
    )
    const {
      runtimeDir,
      slot,
      ipcPrefix = 'discord-ipc',
      encoding = 'json',
      requireBridge = false,
      reconnect = {},
      sdkVersion = SDK_VERSION,
    } = options
    this.#session = session
    this.#connection = new Connection(
      {
        discovery: {
          platform: ports.platform,
          env: ports.env,
          ipcPrefix,
          ownFolder: ports.ownFolder,
          ...(runtimeDir === undefined ? {} : { runtimeDir }),
          ...(slot === undefined ? {} : { slot }),
        },
        greeting: { applicationId: options.applicationId, encoding, sdkVersion },
        policy: { reconnect: reconnect !== false, backOff: { ...DEFAULT_BACK_OFF, ...(reconnect === false ? {} : reconnect) } },
        requireBridge,
      },
      ports,
      session,
    )
    this.#connection.onState((state) => session.onState(state))
  }

  /** A client that is connected already. Rejects as `connect` does. */
  static async connect(options: ClientOptions & ConnectOptions): Promise<SallyportClient> {
    const client = new SallyportClient(options)
    await client.connect(options)
    return client
  }

  get state(): ConnectionState {
    return this.#connection.state
  }

  /** Whether the game acts for a user. Kept through a break until the reconnect shows otherwise. */
  get account(): AccountState {
    return this.#session.account
  }

  /** Who is signed in; undefined whenever calls cannot be made in their name: before signing in, after signing out, and during a break. */
  get currentUser(): CurrentUser | undefined {
    return this.#session.currentUser as CurrentUser | undefined
  }

  get server(): Server | undefined {
    return this.#connection.server
  }

  /**
   * Looks for a server, for `waitMs` at most, and greets it. From then on the client comes back by itself until `close`.
   * Rejects with NoServer, or with ServerClosed when one refused. An aborted signal closes the client.
   */
  connect(options: ConnectOptions = {}): Promise<Server> {
    return this.#connection.connect(options)
  }

  /** Resolves as soon as calls can be made, now or after the break; rejects when the client is offline or closed, or on CallTimeout. */
  whenReady(options: WaitOptions = {}): Promise<Server> {
    return this.#connection.whenReady(options)
  }

  /**
   * One call. Rejects with CallError (the server said no), CallTimeout, ConnectionLost (there is no connection, or it broke before the
   * answer: the call may or may not have been carried out), or the signal's reason.
   */
  call<Name extends CallableCommand>(command: Name, ...[args, options]: CallRest<Name>): Promise<CallAnswer<Name>> {
    return this.request(command, args, options) as Promise<CallAnswer<Name>>
  }

  /** As `call`, without types: any command, any arguments. `event` is the `evt` that SUBSCRIBE and UNSUBSCRIBE take; `on` is nearly always better. */
  request(command: string, args?: unknown, { event, ...options }: CallOptions & { readonly event?: string } = {}): Promise<unknown> {
    const { name } = this.state
    if (name === 'ready') return this.#session.call(command, args, event, options)
    this.#session.noteUnsent(command, args)
    return Promise.reject(new ConnectionLost(`${command} was not sent: the client is ${name}; whenReady() tells when it can be`))
  }

  /** Listens to an event from now on, across reconnects. Listeners of the same event and arguments share one subscription. */
  on<Name extends EventName>(event: Name, listener: (data: EventDataOf<Name>) => void): Subscription
  on<Name extends EventName>(event: Name, args: EventArgsOf<Name>, listener: (data: EventDataOf<Name>) => void): Subscription
  on(event: string, ...rest: readonly unknown[]): Subscription {
    const [args, listener] = rest.length > 1 ? rest : [undefined, rest[0]]
    return this.#session.listen(event, args as object | undefined, listener as (data: unknown) => void)
  }

  /** Listens to the player's wish to link their account to this game: begin signing in. The first thing that is there again after a break. */
  onAuthorizeRequest(listener: () => void): Subscription {
    return this.on('AUTHORIZE_REQUEST', () => listener())
  }

  /** Tells every change of `state`; the function it returns stops that. */
  onState(listener: StateListener): () => void {
    return this.#connection.onState(listener)
  }

  /** Tells every change of `account`; the function it returns stops that. */
  onAccount(listener: AccountListener): () => void {
    return this.#session.onAccount(listener)
  }

  /** Asks the player for the scopes and signs in, with proof key; see `signIn` in sign-in.ts for what it rejects with. */
  signIn(options: SignInOptions): Promise<SignedIn> {
    return signIn(
      (command, args, callOptions) => this.request(command, args, callOptions),
      this.#applicationId,
      options,
    ) as Promise<SignedIn>
  }

  /** Signs in with what the player granted this program before. Rejects with CallError INVALID_TOKEN when there is nothing. */
  signInSilently(options: CallOptions = {}): Promise<SignedIn> {
    return this.call('AUTHENTICATE', {}, options)
  }

  /**
   * Shows what the player is doing, as this process; put back after every reconnect. Without a connection it rejects with ConnectionLost, and is
   * what will be shown once there is one.
   */
  setActivity(activity: Activity, options: CallOptions = {}): Promise<CallAnswer<'SET_ACTIVITY'>> {
    return this.call('SET_ACTIVITY', { pid: process.pid, activity }, options)
  }

  /** Shows nothing any more. Without a connection it rejects with ConnectionLost, and nothing will be shown once there is one. */
  async clearActivity(options: CallOptions = {}): Promise<void> {
    await this.call('SET_ACTIVITY', { pid: process.pid }, options)
  }

  /** Ends the connection for good; resolves when what was sent has gone out. Calls under way reject with ConnectionLost. */
  close(): Promise<void> {
    return this.#connection.close()
  }
}
