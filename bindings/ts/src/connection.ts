/** The shell around the state machine: searches, waits, holds the link, and matches answers to calls. What is restored is its owner's business. */
import type { ConnectOptions, StateListener, WaitOptions } from './api.ts'
import type { Restored, Server } from './server.ts'
import { CallBook, type CallLimits } from './calls.ts'
import { type DiscoveryInput, type Place, placesToTry, watchedDirectories } from './discovery.ts'
import { ConnectionLost, errorFrom, ServerClosed } from './errors.ts'
import { findServer } from './find.ts'
import { type Greeting, type Link, openLink } from './link.ts'
import { type ConnectionState, type Effect, type Input, type Policy, step } from './machine.ts'
import { notify } from './notify.ts'
import type { Ports } from './ports.ts'
import { readiness } from './readiness.ts'
import { RetryWait } from './retry-wait.ts'
import type { Message } from './wire/message.ts'

export interface ConnectionSettings {
  readonly discovery: DiscoveryInput
  readonly greeting: Greeting
  readonly policy: Policy
  readonly requireBridge: boolean
}

export interface ConnectionOwner {
  /** Puts back what the game wants; calls may be sent from its first moment. */
  restore(): Promise<Restored>
  onEvent(event: string, data: unknown): void
  onLost(error: Error): void
}

/** After a bridge went away its place is kept this long, before a server of another kind is taken instead. Milliseconds. */
const LOYALTY_MS = 10_000

/** Where only a bridge will do, a server of another kind is not greeted again for so long: that is work for it, and it delays greetings of games. */
const SPARED_MS = 60_000

export class Connection {
  readonly #settings: ConnectionSettings
  readonly #ports: Ports
  readonly #owner: ConnectionOwner
  readonly #calls: CallBook
  readonly #wait: RetryWait
  readonly #listeners = new Set<StateListener>()
  #state: ConnectionState = { name: 'offline' }
  readonly #untold: ConnectionState[] = []
  #isTelling = false
  #link: Link | undefined
  #search: AbortController | undefined
  #knewBridge = false
  /** Where servers of another kind answered, and when. */
  readonly #others = new Map<string, number>()
  #farewell = Promise.resolve()

  constructor(settings: ConnectionSettings, ports: Ports, owner: ConnectionOwner) {
    this.#settings = settings
    this.#ports = ports
    this.#owner = owner
    this.#calls = new CallBook(ports.clock)
    this.#wait = new RetryWait(ports, () => watchedDirectories(settings.discovery), settings.discovery.ipcPrefix)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Of the link that is ready or being restored. */
  get server(): Server | undefined {
    return this.#link?.server
  }

  onState(listener: StateListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async connect({ waitMs = 0, signal }: ConnectOptions): Promise<Server> {
    signal?.throwIfAborted()
    this.#feed({ type: 'connect', nowMs: this.#ports.clock.now(), waitMs })
    try {
      return await this.whenReady(signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted === true) void this.close()
      throw error
    }
  }

  whenReady(options: WaitOptions): Promise<Server> {
    return readiness(this, options, this.#ports.clock)
  }

  /** Sends a call on the present link, in any state that has one. Rejects with ConnectionLost when there is none or it goes away. */
  send(command: string, args: unknown, event: string | undefined, limits: CallLimits): Promise<unknown> {
    const link = this.#link
    if (link === undefined) return Promise.reject(new ConnectionLost(`${command} was not sent: there is no connection`))
    return this.#calls.open(command, limits, (nonce) => link.send(command, { cmd: command, args: args ?? {}, evt: event, nonce }))
  }

  /** Resolves when what was sent has gone out. */
  close(): Promise<void> {
    this.#feed({ type: 'close' })
    return this.#farewell
  }

  #feed(input: Input): void {
    const [state, effects] = step(this.#state, input, this.#settings.policy)
    if (state === this.#state) return
    this.#state = state
    this.#untold.push(state)
    if (state.name !== 'waiting') this.#wait.cancel()
    for (const effect of effects) this.#perform(effect)
    if (!this.#isTelling) this.#tell()
  }

  /** What a listener brings about is told when all have heard of what came before. */
  #tell(): void {
    this.#isTelling = true
    for (let state = this.#untold.shift(); state !== undefined; state = this.#untold.shift()) {
      for (const listener of Array.from(this.#listeners)) if (this.#listeners.has(listener)) notify(listener, state)
    }
    this.#isTelling = false
  }

  #fail(error: Error): void {
    this.#feed({ type: 'failed', error, nowMs: this.#ports.clock.now(), random: this.#ports.random() })
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
          // Where another server was there may be a bridge now.
          if (hasAppeared) this.#others.clear()
          this.#feed({ type: 'retry' })
        })
      case 'drop':
        return this.#drop()
    }
  }

  #find(): void {
    const search = new AbortController()
    this.#search = search
    const { discovery, greeting, requireBridge } = this.#settings
    const { clock } = this.#ports
    const acceptOthers = !requireBridge && !this.#isLoyal()
    const isSpared = ({ path }: Place): boolean => !acceptOthers && clock.now() - (this.#others.get(path) ?? -SPARED_MS) < SPARED_MS
    const all = placesToTry(discovery)
    const places = all.filter((place) => !isSpared(place))
    findServer({
      places,
      spared: all.length - places.length,
      open: async (place, signal) => {
        const link = await openLink(place, greeting, this.#ports, signal)
        if (link.server.bridge === undefined) this.#others.set(place.path, clock.now())
        return link
      },
      acceptOthers,
      clock,
      signal: search.signal,
    }).then(
      (link) => (search.signal.aborted ? void link.close() : this.#adopt(link)),
      (error: unknown) => search.signal.aborted || this.#fail(errorFrom(error)),
    )
  }

  /** Whether only a bridge will do for now: the one that went away is likely to be back in a moment. */
  #isLoyal(): boolean {
    const state = this.#state
    return this.#knewBridge && state.name === 'connecting' && this.#ports.clock.now() - state.sinceMs < LOYALTY_MS
  }

  #adopt(link: Link): void {
    this.#link = link
    this.#others.clear()
    this.#knewBridge = link.server.bridge !== undefined
    link.attach({
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => this.#link === link && this.#lose(error),
    })
    if (this.#link !== link) return
    this.#owner.onEvent('READY', link.ready)
    this.#feed({ type: 'greeted' })
  }

  #receive(message: Message): void {
    if (message.kind === 'event') this.#owner.onEvent(message.event, message.data)
    else if (message.kind === 'error' && message.nonce === undefined) this.#owner.onEvent('ERROR', message.data)
    else this.#calls.settle(message)
  }

  async #restore(): Promise<void> {
    const link = this.#link
    try {
      const restored = await this.#owner.restore()
      if (link === undefined || this.#link !== link) return
      this.#feed({ type: 'restored', server: link.server, restored, nowMs: this.#ports.clock.now() })
    } catch (error) {
      // A lost link has reported itself already.
      if (this.#link === link) this.#fail(errorFrom(error))
    }
  }

  #lose(error: Error): void {
    this.#owner.onLost(error)
    this.#fail(error)
  }

  #drop(): void {
    this.#search?.abort()
    const link = this.#link
    this.#link = undefined
    if (link !== undefined) this.#farewell = link.close()
    const why = this.#state.name === 'closed' ? 'the client was closed' : 'the connection was lost'
    const cause = 'error' in this.#state ? this.#state.error : undefined
    const detail = cause instanceof ServerClosed ? `: ${cause.message}` : ''
    this.#calls.rejectAll(new ConnectionLost(`${why} before the answer came${detail}`, { cause }))
  }
}
