/** The client: a typed connection of one application to a local server of the protocol, restored after every reconnect. */
import type { ArgsOf, EventArgsOf, EventDataOf, EventName } from '@sallyport/protocol'
import type {
  AccountListener,
  AccountState,
  Activity,
  CallResult,
  CallableCommand,
  CallOptions,
  CallParameters,
  ClientOptions,
  ConnectOptions,
  CurrentUser,
  PresenceListener,
  SignedIn,
  SignInOptions,
  StateListener,
  Subscription,
  WaitOptions,
} from './api.ts'
import type { Server } from './server.ts'
import { DEFAULT_BACKOFF } from './backoff.ts'
import { ReconnectingConnection } from './reconnecting-connection.ts'
import { NotSentError } from './errors.ts'
import type { ConnectionState } from './machine.ts'
import { SessionRestorer } from './session-restorer.ts'
import { askToSignIn, type Call, signIn } from './sign-in.ts'
import { systemEnvironment } from './system-environment.ts'

/** The daemon's default limit for a call. */
const DAEMON_CALL_MS = 30_000
/** Added to the daemon's limit, so that its more specific error arrives first. */
const DAEMON_MARGIN_MS = 5_000

const SDK_VERSION = 'sallyport-ts/0.1.0'

export class SallyportClient {
  readonly #calls: Call = (command, args, options) => this.request(command, args, options)
  readonly #applicationId: string
  readonly #connection: ReconnectingConnection
  readonly #session: SessionRestorer

  /** Does not connect; listeners may be added before `connect`. */
  constructor(options: ClientOptions) {
    const environment = { ...systemEnvironment(), ...options.environment }
    this.#applicationId = options.applicationId
    const defaultTimeoutMs = (): number => options.callTimeoutMs ?? Math.max(DAEMON_CALL_MS, session.callTimeoutMs ?? 0) + DAEMON_MARGIN_MS
    const session: SessionRestorer = new SessionRestorer(
      environment,
      (command, args, event, { timeoutMs = defaultTimeoutMs(), signal, key } = {}) =>
        this.#connection.send(command, args, event, { timeoutMs, signal, key }),
      () => this.#connection.repeatHeld(),
    )
    const {
      runtimeDir,
      slot,
      ipcPrefix = 'discord-ipc',
      encoding = 'json',
      requireBridge = false,
      allowPackagedClient = false,
      reconnect = {},
      sdkVersion = SDK_VERSION,
    } = options
    this.#session = session
    this.#connection = new ReconnectingConnection(
      {
        discovery: {
          platform: environment.platform,
          env: environment.env,
          ipcPrefix,
          ownFolder: environment.ownFolder,
          allowPackagedClient,
          isContained: environment.isContained(),
          ...(runtimeDir === undefined ? {} : { runtimeDir }),
          ...(slot === undefined ? {} : { slot }),
        },
        handshake: { applicationId: options.applicationId, encoding, sdkVersion },
        policy: { reconnect: reconnect !== false, backoff: { ...DEFAULT_BACKOFF, ...(reconnect === false ? {} : reconnect) } },
        requireBridge,
      },
      environment,
      session,
    )
    this.#connection.onState((state) => {
      session.onState(state)
      // Before the listeners of the game: their calls are newer, and may change the user.
      this.#connection.repeatHeld()
    })
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

  /** The state of the sign-in. Kept while disconnected; the reconnect updates it. */
  get account(): AccountState {
    return this.#session.account
  }

  /** The signed-in user; undefined before sign-in, after sign-out, and while disconnected. */
  get currentUser(): CurrentUser | undefined {
    return this.#session.currentUser as CurrentUser | undefined
  }

  get server(): Server | undefined {
    return this.#connection.server
  }

  /**
   * Searches for a server for at most `timeoutMs` and connects. From then on the client reconnects until `close`.
   * Rejects with ServerNotFoundError, or with ServerClosedError if a server refused. An aborted signal closes the client.
   */
  connect(options: ConnectOptions = {}): Promise<Server> {
    return this.#connection.connect(options)
  }

  /** Resolves when the client is ready, now or after a reconnect. Rejects if the client is offline or closed, or with CallTimeoutError. */
  whenReady(options: WaitOptions = {}): Promise<Server> {
    return this.#connection.whenReady(options)
  }

  /**
   * Makes one call. Rejects with CallError (the server refused it), CallTimeoutError, NotSentError (no connection), ConnectionLostError (it ended
   * before the response; the server may or may not have executed the call), or the signal's reason. A call of a command that takes a key is repeated
   * after a reconnect, until its timeout, and takes effect at most once. After UNKNOWN_OUTCOME it may have, and the client does not repeat it.
   */
  call<Name extends CallableCommand>(command: Name, ...[args, options]: CallParameters<Name>): Promise<CallResult<Name>> {
    return this.request(command, args, options) as Promise<CallResult<Name>>
  }

  /** `call` without types: any command, any arguments. `event` is the `evt` of SUBSCRIBE and UNSUBSCRIBE; prefer `on` for those. */
  request(command: string, args?: unknown, { event, ...options }: CallOptions & { readonly event?: string } = {}): Promise<unknown> {
    const { name } = this.state
    if (name === 'ready') return this.#session.call(command, args, event, options)
    this.#session.onCallNotSent(command, args)
    return Promise.reject(new NotSentError(`${command} was not sent: the client is ${name}; await whenReady() first`))
  }

  /** Adds a listener for an event, across reconnects. Listeners of the same event and arguments share one subscription. */
  on<Name extends EventName>(event: Name, listener: (data: EventDataOf<Name>) => void): Subscription
  on<Name extends EventName>(event: Name, args: EventArgsOf<Name>, listener: (data: EventDataOf<Name>) => void): Subscription
  on(event: string, ...rest: readonly unknown[]): Subscription {
    const [args, listener] = rest.length > 1 ? rest : [undefined, rest[0]]
    return this.#session.listen(event, args as object | undefined, listener as (data: unknown) => void)
  }

  /** Adds a listener for the player's request to link their account to this game; the game should then sign in. Restored first after a reconnect. */
  onAuthorizeRequest(listener: () => void): Subscription {
    return this.on('AUTHORIZE_REQUEST', () => listener())
  }

  /** Calls the listener on every change of `state`; returns a function that removes it. */
  onState(listener: StateListener): () => void {
    return this.#connection.onState(listener)
  }

  /** Calls the listener on every change of `account`; returns a function that removes it. */
  onAccount(listener: AccountListener): () => void {
    return this.#session.onAccount(listener)
  }

  /**
   * Calls the listener once for a presence that was set or cleared without a connection: when it is shown, or refused. Not for one that the game
   * replaced before. Returns a function that removes the listener.
   */
  onPresence(listener: PresenceListener): () => void {
    return this.#session.onPresence(listener)
  }

  /**
   * Signs in with the stored grant of this program, and asks the player for the scopes only if nothing valid is stored. Rejects without a question
   * for a rate limit, an unreachable platform and a refusal; for the errors see sign-in.ts.
   */
  signIn(options: SignInOptions): Promise<SignedIn> {
    return signIn(this.#calls, this.#applicationId, options) as Promise<SignedIn>
  }

  /** Asks the player for the scopes in any case, for example for more than before, and signs in with a proof key. */
  askToSignIn(options: SignInOptions): Promise<SignedIn> {
    return askToSignIn(this.#calls, this.#applicationId, options) as Promise<SignedIn>
  }

  /** Ends the sign-in of this program: the bridge forgets its tokens, and no reconnect restores it. */
  async signOut(options: CallOptions = {}): Promise<void> {
    await this.call('FORGET_TOKENS', {}, options)
  }

  /** Signs in with the stored grant of this program. Rejects with CallError INVALID_TOKEN if there is none. */
  signInSilently(options: CallOptions = {}): Promise<SignedIn> {
    return this.call('AUTHENTICATE', {}, options)
  }

  /**
   * Sets the presence of this process, now and on later connections. Resolves with it as the server shows it; with undefined without a connection:
   * the client then keeps it, shows it on the next connection, and reports it to `onPresence`. Otherwise rejects as `call` does.
   */
  setActivity(activity: Activity, options: CallOptions = {}): Promise<CallResult<'SET_ACTIVITY'> | undefined> {
    return this.#show({ pid: process.pid, activity }, options)
  }

  /** Clears the presence, now or, without a connection, on the next one, as `setActivity` sets it. */
  async clearActivity(options: CallOptions = {}): Promise<void> {
    await this.#show({ pid: process.pid }, options)
  }

  /** Closes the client; resolves when the sent data is written. Pending calls reject with ConnectionLostError. */
  close(): Promise<void> {
    return this.#connection.close()
  }

  /** Resolves with undefined without a connection: a game sets its presence in passing, so that one that is kept is no error. */
  #show(args: ArgsOf<'SET_ACTIVITY'>, options: CallOptions): Promise<CallResult<'SET_ACTIVITY'> | undefined> {
    const { name } = this.state
    if (name === 'ready' || name === 'closed') return this.call('SET_ACTIVITY', args, options)
    this.#session.onCallNotSent('SET_ACTIVITY', args)
    return Promise.resolve(undefined)
  }
}
