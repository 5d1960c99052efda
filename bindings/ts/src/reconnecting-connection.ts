/** A connection that reconnects: performs the effects of the state machine and matches responses to calls. Its owner restores the desired state. */
import type { ConnectOptions, StateListener, WaitOptions } from './api.ts'
import type { Restored, Server } from './server.ts'
import { callKeyFor } from './call-keys.ts'
import { PendingCalls, type CallLimits } from './pending-calls.ts'
import { type DiscoveryInput, type SocketCandidate, socketCandidates, watchedDirectories } from './discovery.ts'
import { ConnectionLostError, errorFrom, ServerClosedError } from './errors.ts'
import { findServer } from './find.ts'
import { leftOut, refused } from './packaged-client.ts'
import { type HandshakeOptions, type ServerConnection, openServerConnection } from './server-connection.ts'
import { type ConnectionState, type Effect, type Input, type Policy, step } from './machine.ts'
import { notify } from './notify.ts'
import type { Environment } from './environment.ts'
import { readiness } from './readiness.ts'
import { RetryWait } from './retry-wait.ts'
import type { Message } from './wire/message.ts'

export interface ConnectionSettings {
  readonly discovery: DiscoveryInput
  readonly handshake: HandshakeOptions
  readonly policy: Policy
  readonly requireBridge: boolean
}

/** `key`: the game's own. */
interface SendOptions extends CallLimits {
  readonly key?: string | undefined
}

export interface ConnectionOwner {
  /** Restores the desired state; may send calls at once. */
  restore(): Promise<Restored>
  onEvent(event: string, data: unknown): void
  /** The user for whom the server makes calls; undefined without one. */
  userId(): string | undefined
  /** Whether no answer that is still to come can change that user. */
  isUserCertain(): boolean
  /** Whether the client signs in again by itself. */
  maySignIn(): boolean
  onLost(error: Error): void
}

/** Milliseconds for which the client waits for a lost bridge to return before it accepts another server. */
const BRIDGE_RETURN_MS = 10_000

/** Milliseconds between handshakes with a server that is not a bridge, because each one delays the handshakes of games there. */
const NON_BRIDGE_RETRY_MS = 60_000

export class ReconnectingConnection {
  readonly #settings: ConnectionSettings
  readonly #environment: Environment
  readonly #owner: ConnectionOwner
  readonly #calls: PendingCalls
  readonly #wait: RetryWait
  readonly #listeners = new Set<StateListener>()
  #state: ConnectionState = { name: 'offline' }
  readonly #pendingStates: ConnectionState[] = []
  #isNotifying = false
  #connection: ServerConnection | undefined
  #search: AbortController | undefined
  #wasBridge = false
  /** Paths of servers that are not a bridge, with the time of the last handshake. */
  readonly #nonBridges = new Map<string, number>()
  #closing = Promise.resolve()

  constructor(settings: ConnectionSettings, environment: Environment, owner: ConnectionOwner) {
    this.#settings = settings
    this.#environment = environment
    this.#owner = owner
    this.#calls = new PendingCalls(environment.clock)
    this.#wait = new RetryWait(environment, () => watchedDirectories(settings.discovery), settings.discovery.ipcPrefix)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** The server of the connection that is ready or being restored. */
  get server(): Server | undefined {
    return this.#connection?.server
  }

  onState(listener: StateListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async connect({ timeoutMs = 0, signal }: ConnectOptions): Promise<Server> {
    signal?.throwIfAborted()
    this.#feed({ type: 'connect', nowMs: this.#environment.clock.now(), timeoutMs })
    try {
      return await this.whenReady(signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted === true) void this.close()
      throw error
    }
  }

  whenReady(options: WaitOptions): Promise<Server> {
    return readiness(this, options, this.#environment.clock)
  }

  /**
   * Sends a call on the current connection in any state. Rejects with ConnectionLostError if there is no connection or it ends. A call with a key
   * waits for the next connection instead, and is sent again.
   */
  send(command: string, args: unknown, event: string | undefined, { key: given, ...limits }: SendOptions): Promise<unknown> {
    const connection = this.#connection
    if (connection === undefined) return Promise.reject(new ConnectionLostError(`${command} was not sent: there is no connection`))
    const message = { cmd: command, args: args ?? {}, evt: event }
    const key = callKeyFor(command, connection.server, this.#settings.policy.reconnect, given)
    if (key instanceof Error) return Promise.reject(key)
    if (key === undefined) return this.#calls.open(command, limits, (nonce) => connection.send(command, { ...message, nonce }))
    // A repeat for another user would be another call, so one that may be of either is not repeated.
    const keyed = this.#owner.isUserCertain() ? { userId: this.#owner.userId(), madeAtMs: this.#environment.clock.now() } : undefined
    const { codec } = connection
    let sent: Uint8Array | undefined
    const send = (nonce: string): void => {
      // The same arguments again, which the game may have changed since; and perhaps in another encoding.
      const first = sent === undefined ? { ...message, key } : (codec.decode(sent) as object)
      const payload = this.#connection?.send(command, { ...first, nonce })
      sent ??= payload
    }
    return this.#calls.open(command, limits, send, keyed)
  }

  /** Sends calls with a key again, if the client is ready. To be called whenever the user, or what is known of it, may have changed. */
  repeatHeld(): void {
    if (this.#state.name !== 'ready') return
    const callKeys = this.#connection?.server.callKeys === true
    this.#calls.repeatHeld({
      callKeys,
      userId: this.#owner.userId(),
      isUserCertain: this.#owner.isUserCertain(),
      maySignIn: this.#owner.maySignIn(),
      nowMs: this.#environment.clock.now(),
    })
  }

  /** Resolves when the sent data is written. */
  close(): Promise<void> {
    this.#feed({ type: 'close' })
    return this.#closing
  }

  #feed(input: Input): void {
    const [state, effects] = step(this.#state, input, this.#settings.policy)
    if (state === this.#state) return
    this.#state = state
    this.#pendingStates.push(state)
    if (state.name !== 'waiting') this.#wait.cancel()
    for (const effect of effects) this.#perform(effect)
    if (!this.#isNotifying) this.#notifyListeners()
  }

  /** Notifies all listeners of one state before the next, so that every listener receives the states in order. */
  #notifyListeners(): void {
    this.#isNotifying = true
    for (let state = this.#pendingStates.shift(); state !== undefined; state = this.#pendingStates.shift()) {
      for (const listener of Array.from(this.#listeners)) if (this.#listeners.has(listener)) notify(listener, state)
    }
    this.#isNotifying = false
  }

  #fail(error: Error): void {
    this.#feed({ type: 'failed', error, nowMs: this.#environment.clock.now(), random: this.#environment.random() })
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'find':
        return this.#find()
      case 'restore':
        void this.#restore()
        return
      case 'wait':
        return this.#wait.start(effect.delayMs, (hasAppeared) => {
          // A bridge may have replaced another server.
          if (hasAppeared) this.#nonBridges.clear()
          this.#feed({ type: 'retry' })
        })
      case 'disconnect':
        return this.#disconnect()
    }
  }

  #find(): void {
    const search = new AbortController()
    this.#search = search
    const { discovery, handshake, requireBridge } = this.#settings
    const { clock } = this.#environment
    const acceptOthers = !requireBridge && !this.#isWaitingForBridge()
    const isSkipped = ({ path }: SocketCandidate): boolean =>
      !acceptOthers && clock.now() - (this.#nonBridges.get(path) ?? -NON_BRIDGE_RETRY_MS) < NON_BRIDGE_RETRY_MS
    const all = socketCandidates(discovery)
    const candidates = all.filter((candidate) => !isSkipped(candidate))
    findServer({
      candidates,
      skipped: all.length - candidates.length,
      open: async (candidate, signal) => {
        if (candidate.isPackaged && !(acceptOthers && discovery.allowPackagedClient)) throw leftOut(candidate, this.#environment)
        const connection = await openServerConnection(candidate, handshake, this.#environment, signal)
        if (connection.server.bridge === undefined) this.#nonBridges.set(candidate.path, clock.now())
        else if (candidate.isPackaged) throw refused(connection)
        return connection
      },
      acceptOthers,
      clock,
      signal: search.signal,
    }).then(
      (connection) => (search.signal.aborted ? void connection.close() : this.#adopt(connection)),
      (error: unknown) => search.signal.aborted || this.#fail(errorFrom(error)),
    )
  }

  /** Whether the client accepts only a bridge for now, because a lost bridge usually returns soon. */
  #isWaitingForBridge(): boolean {
    const state = this.#state
    return this.#wasBridge && state.name === 'connecting' && this.#environment.clock.now() - state.sinceMs < BRIDGE_RETURN_MS
  }

  #adopt(connection: ServerConnection): void {
    this.#connection = connection
    this.#nonBridges.clear()
    this.#wasBridge = connection.server.bridge !== undefined
    connection.attach({
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => this.#connection === connection && this.#onEnd(error),
    })
    if (this.#connection !== connection) return
    this.#owner.onEvent('READY', connection.ready)
    this.#feed({ type: 'connected' })
  }

  #receive(message: Message): void {
    if (message.kind === 'event') this.#owner.onEvent(message.event, message.data)
    else if (message.kind === 'error' && message.nonce === undefined) this.#owner.onEvent('ERROR', message.data)
    else this.#calls.settle(message)
  }

  async #restore(): Promise<void> {
    const connection = this.#connection
    try {
      const restored = await this.#owner.restore()
      if (connection === undefined || this.#connection !== connection) return
      this.#feed({ type: 'restored', server: connection.server, restored, nowMs: this.#environment.clock.now() })
    } catch (error) {
      // A lost connection was already reported.
      if (this.#connection === connection) this.#fail(errorFrom(error))
    }
  }

  #onEnd(error: Error): void {
    this.#owner.onLost(error)
    this.#fail(error)
  }

  #disconnect(): void {
    this.#search?.abort()
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) this.#closing = connection.close()
    const why = this.#state.name === 'closed' ? 'the client was closed' : 'the connection was lost'
    const cause = 'error' in this.#state ? this.#state.error : undefined
    const detail = cause instanceof ServerClosedError ? `: ${cause.message}` : ''
    const error = new ConnectionLostError(`${why} before the response${detail}`, { cause })
    if (this.#state.name === 'waiting') this.#calls.hold(error)
    else this.#calls.rejectAll(error)
  }
}
