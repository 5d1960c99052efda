/** Keeps the account, the subscriptions and the presence of a game across connections, and restores them. */
import type { ArgsOf } from '@sallyport/protocol'
import { CLOSE_CODES } from '@sallyport/protocol/errors'
import type { AccountListener, AccountState, CallOptions, PresenceListener, Subscription } from './api.ts'
import type { Restored } from './server.ts'
import { type Backoff, DEFAULT_BACKOFF, delayBefore } from './backoff.ts'
import type { ConnectionOwner } from './reconnecting-connection.ts'
import { CallError, ServerClosedError } from './errors.ts'
import type { ConnectionState } from './machine.ts'
import { notify } from './notify.ts'
import type { Environment } from './environment.ts'
import { isTransient } from './transient-errors.ts'
import { restore, restoreSignIn } from './restore.ts'
import { type SendSubscription, type Entry, Subscriptions } from './subscriptions.ts'
import { isFields } from './wire/message.ts'
import { type Credential, credentialOf, DesiredState } from './desired-state.ts'

/** Sends a call on the current connection. */
export type Send = (command: string, args: unknown, event?: string, options?: CallOptions) => Promise<unknown>

/** Commands that sign the connection in; their response names the user. */
const SIGN_IN_COMMANDS: readonly string[] = ['AUTHENTICATE', 'UPDATE_TOKEN']

/** Commands that change the user for whom the server makes calls. */
const ACCOUNT_COMMANDS: readonly string[] = [...SIGN_IN_COMMANDS, 'FORGET_TOKENS']

/** Backoff for subscriptions that were refused with a transient error. */
const RESUBSCRIBE_BACKOFF: Backoff = { ...DEFAULT_BACKOFF, firstMs: 1_000, earlyCapMs: 60_000, capMs: 60_000 }

export class SessionRestorer implements ConnectionOwner {
  readonly #environment: Pick<Environment, 'clock' | 'random'>
  readonly #send: Send
  readonly #onUser: () => void
  readonly #subscriptions = new Subscriptions()
  readonly #desired = new DesiredState()
  readonly #accountListeners = new Set<AccountListener>()
  #account: AccountState = 'signed-out'
  /** The user in the response to the last sign-in. */
  #user: unknown
  /** The user for whom the server makes calls. */
  #userId: string | undefined
  /** Account commands without an answer on this connection. The server may still execute one that timed out. */
  readonly #unanswered = new Set<object>()
  #ready = false
  #cancelSignIn = () => {}
  #resubscribeAttempt = 0
  #cancelResubscribeTimer: (() => void) | undefined

  /** `onUser` is called whenever `userId`, `isUserCertain` or `maySignIn` may have changed while the client is ready. */
  constructor(environment: Pick<Environment, 'clock' | 'random'>, send: Send, onUser: () => void) {
    this.#environment = environment
    this.#onUser = onUser
    this.#send = (command, ...rest) =>
      ACCOUNT_COMMANDS.includes(command) ? this.#changeAccount(command, send(command, ...rest)) : send(command, ...rest)
  }

  get account(): AccountState {
    return this.#account
  }

  /** The timeout of calls at the server, if the game set it. */
  get callTimeoutMs(): number | undefined {
    return this.#desired.callTimeoutMs
  }

  /** Undefined unless the client is ready and signed in. */
  get currentUser(): unknown {
    return this.#ready && this.#account === 'signed-in' ? this.#user : undefined
  }

  onAccount(listener: AccountListener): () => void {
    this.#accountListeners.add(listener)
    return () => this.#accountListeners.delete(listener)
  }

  onPresence(listener: PresenceListener): () => void {
    return this.#desired.presence.onPresence(listener)
  }

  listen(event: string, args: object | undefined, listener: (data: unknown) => void): Subscription {
    const onSubscribe = () => {
      if (this.#ready) this.#subscribePending()
    }
    // Sent even while the state is being restored, because the event may already be subscribed.
    const onUnsubscribe = (entry: Entry) => void this.#subscribe('UNSUBSCRIBE', entry).catch(() => {})
    return this.#subscriptions.add(event, args, listener, onSubscribe, onUnsubscribe)
  }

  /** Sends a call of the game and updates the desired state from it. */
  async call(command: string, args: unknown, event: string | undefined, options: CallOptions): Promise<unknown> {
    const undo = isPresence(command, args) ? this.#desired.presence.set(args) : () => {}
    try {
      const data = await this.#send(command, args, event, options)
      if (SIGN_IN_COMMANDS.includes(command)) this.#signedIn(credentialOf(args, data))
      if (command === 'FORGET_TOKENS') this.#signedOut('signed-out')
      if (command === 'SET_HTTP_REQUEST_TIMEOUT') this.#desired.callTimeoutMs = (args as ArgsOf<typeof command>).timeout_ms
      return data
    } catch (error) {
      if (error instanceof CallError) undo()
      throw error
    }
  }

  /** Keeps the presence of a call that could not be sent. */
  onCallNotSent(command: string, args: unknown): void {
    if (isPresence(command, args)) this.#desired.presence.keep(args)
  }

  async restore(): Promise<Restored> {
    const restored = await restore({
      desired: this.#desired,
      subscriptions: this.#subscriptions,
      send: this.#send,
      subscribe: this.#subscribe,
      onSubscribed: () => this.#scheduleResubscribe(),
      clock: this.#environment.clock,
    })
    if (restored.signIn === 'done') this.#setAccount('signed-in')
    else if (this.#account === 'signed-in') this.#setAccount('signed-out')
    return restored
  }

  onState(state: ConnectionState): void {
    this.#ready = state.name === 'ready'
    this.#cancelSignIn()
    this.#cancelResubscribe()
    if (state.name === 'closed') this.#subscriptions.close()
    if (state.name === 'waiting' || state.name === 'offline') this.#subscriptions.reset()
    if (state.name !== 'ready' && !(state.name === 'connecting' && state.step === 'restoring')) {
      // A new connection has no user.
      this.#userId = undefined
      this.#unanswered.clear()
    }
    if (state.name !== 'ready') return
    // Changes made while the rest was being restored.
    this.#resubscribeAttempt = 0
    this.#subscribePending()
    if (this.#desired.presence.isUnsent) this.#desired.presence.sendUnsent((args) => this.#send('SET_ACTIVITY', args))
    if (state.restored.signIn === 'failed') this.#scheduleSignIn(0)
  }

  onEvent(event: string, data: unknown): void {
    if (event === 'TOKEN_REVOKED') this.#signedOut('revoked')
    this.#subscriptions.deliver(event, data)
  }

  userId(): string | undefined {
    return this.#userId
  }

  isUserCertain(): boolean {
    return this.#unanswered.size === 0
  }

  maySignIn(): boolean {
    return this.#desired.credential !== undefined
  }

  onLost(error: Error): void {
    if (error instanceof ServerClosedError && error.closeCode === CLOSE_CODES.TOKEN_REVOKED.code) this.#signedOut('revoked')
  }

  /** Learns the user from the answer to an account command. */
  async #changeAccount(command: string, answer: Promise<unknown>): Promise<unknown> {
    const change = {}
    this.#unanswered.add(change)
    try {
      const data = await answer
      this.#unanswered.delete(change)
      const user = command === 'FORGET_TOKENS' ? undefined : (data as { readonly user?: unknown } | null)?.user
      const id = isFields(user) ? user['id'] : undefined
      this.#userId = typeof id === 'string' ? id : undefined
      if (command !== 'FORGET_TOKENS') this.#user = user
      return data
    } catch (error) {
      if (error instanceof CallError) this.#unanswered.delete(change)
      throw error
    } finally {
      this.#onUser()
    }
  }

  readonly #subscribe: SendSubscription = (command, { event, args }) => this.#send(command, args, event)

  #subscribePending(): void {
    // After a lost connection, the restore subscribes everything again.
    this.#subscriptions.subscribeAll(this.#subscribe).then(
      () => this.#scheduleResubscribe(),
      () => {},
    )
  }

  /** Retries subscriptions with transient errors, with a growing delay, until none is left. */
  #scheduleResubscribe(): void {
    if (!this.#ready || !this.#subscriptions.hasTransientErrors) return this.#cancelResubscribe()
    // New subscriptions must not postpone the retry.
    if (this.#cancelResubscribeTimer !== undefined) return
    const retry = () => {
      this.#cancelResubscribeTimer = undefined
      this.#resubscribeAttempt += 1
      this.#subscriptions.requeueRefused(isTransient)
      this.#subscribePending()
    }
    const delayMs = delayBefore(this.#resubscribeAttempt, 0, this.#environment.random(), RESUBSCRIBE_BACKOFF)
    this.#cancelResubscribeTimer = this.#environment.clock.after(delayMs, retry, true)
  }

  #cancelResubscribe(): void {
    this.#cancelResubscribeTimer?.()
    this.#cancelResubscribeTimer = undefined
  }

  #signedIn(credential: Credential): void {
    this.#desired.credential = credential
    this.#cancelSignIn()
    this.#setAccount('signed-in')
    this.#subscriptions.requeueRefused()
    this.#subscribePending()
  }

  #signedOut(account: 'signed-out' | 'revoked'): void {
    this.#userId = undefined
    this.#desired.credential = undefined
    this.#cancelSignIn()
    // Before the listeners of the game, which may sign in again.
    this.#onUser()
    this.#setAccount(account)
  }

  /** Retries the sign-in while there is a credential, because the platform may be unreachable. */
  #scheduleSignIn(attempt: number): void {
    const { credential } = this.#desired
    if (credential === undefined) return this.#onUser()
    const delayMs = delayBefore(attempt + 3, DEFAULT_BACKOFF.earlyMs, this.#environment.random(), DEFAULT_BACKOFF)
    const retry = async () => {
      const outcome = await restoreSignIn({ desired: this.#desired, send: this.#send }).catch(() => 'none' as const)
      if (!this.#ready || this.#account === 'signed-in') return
      if (outcome === 'done') this.#signedIn(credential)
      else if (outcome === 'failed') this.#scheduleSignIn(attempt + 1)
    }
    this.#cancelSignIn = this.#environment.clock.after(delayMs, () => void retry(), true)
  }

  #setAccount(account: AccountState): void {
    if (account === this.#account) return
    this.#account = account
    for (const listener of Array.from(this.#accountListeners)) notify(listener, account)
  }
}

const isPresence = (command: string, args: unknown): args is object =>
  command === 'SET_ACTIVITY' && typeof args === 'object' && args !== null
