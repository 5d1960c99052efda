/** What the game wants of every connection, kept while connections come and go: the account, the subscriptions, the presence. */
import type { ArgsOf } from '@sallyport/protocol'
import { CLOSE_CODES } from '@sallyport/protocol/errors'
import type { AccountListener, AccountState, CallOptions, Subscription } from './api.ts'
import type { Restored } from './server.ts'
import { type BackOff, DEFAULT_BACK_OFF, delayBefore } from './backoff.ts'
import type { ConnectionOwner } from './connection.ts'
import { CallError, ServerClosed } from './errors.ts'
import type { ConnectionState } from './machine.ts'
import { notify } from './notify.ts'
import type { Ports } from './ports.ts'
import { mayPass } from './refusal.ts'
import { restore, signInAgain } from './restore.ts'
import { type Ask, type Entry, SubscriptionBook } from './subscriptions.ts'
import { type Credential, credentialOf, Wishes } from './wishes.ts'

/** Sends at once on the present connection. */
export type Send = (command: string, args: unknown, event?: string, options?: CallOptions) => Promise<unknown>

/** Commands that bind the connection to a user, and answer who it is. */
const SIGN_INS: readonly string[] = ['AUTHENTICATE', 'UPDATE_TOKEN']

/** A subscription that was refused for a reason that may pass: often enough to be there soon, seldom enough to bother nobody. */
const REFUSED_BACK_OFF: BackOff = { ...DEFAULT_BACK_OFF, firstMs: 1_000, earlyCapMs: 60_000, capMs: 60_000 }

export class SessionKeeper implements ConnectionOwner {
  readonly #ports: Pick<Ports, 'clock' | 'random'>
  readonly #send: Send
  readonly #subscriptions = new SubscriptionBook()
  readonly #wishes = new Wishes()
  readonly #accountListeners = new Set<AccountListener>()
  #account: AccountState = 'signed-out'
  /** As the last sign-in gave it. */
  #user: unknown
  #ready = false
  #cancelSignIn = () => {}
  #refusedAttempt = 0
  #cancelRefused: (() => void) | undefined

  constructor(ports: Pick<Ports, 'clock' | 'random'>, send: Send) {
    this.#ports = ports
    this.#send = async (command, ...rest) => {
      const data = await send(command, ...rest)
      if (SIGN_INS.includes(command)) this.#user = (data as { readonly user?: unknown } | null)?.user
      return data
    }
  }

  get account(): AccountState {
    return this.#account
  }

  /** How long the server may take for a call, as far as the game has said so. */
  get callMs(): number | undefined {
    return this.#wishes.callMs
  }

  /** Undefined unless calls can be made in the name of a user now. */
  get currentUser(): unknown {
    return this.#ready && this.#account === 'signed-in' ? this.#user : undefined
  }

  onAccount(listener: AccountListener): () => void {
    this.#accountListeners.add(listener)
    return () => this.#accountListeners.delete(listener)
  }

  listen(event: string, args: object | undefined, listener: (data: unknown) => void): Subscription {
    const announce = () => {
      if (this.#ready) this.#subscribePending()
    }
    // A connection on which things are still being put back has it subscribed as well.
    const retract = (entry: Entry) => void this.#subscribe('UNSUBSCRIBE', entry).catch(() => {})
    return this.#subscriptions.add(event, args, listener, announce, retract)
  }

  /** A call of the game, with a note of what it changes for later connections. */
  async call(command: string, args: unknown, event: string | undefined, options: CallOptions): Promise<unknown> {
    const takeBack = isPresence(command, args) ? this.#wishes.rememberPresence(args) : () => {}
    try {
      const data = await this.#send(command, args, event, options)
      if (SIGN_INS.includes(command)) this.#signedIn(credentialOf(args, data))
      if (command === 'FORGET_TOKENS') this.#signedOut('signed-out')
      if (command === 'SET_HTTP_REQUEST_TIMEOUT') this.#wishes.callMs = (args as ArgsOf<typeof command>).timeout_ms
      return data
    } catch (error) {
      if (error instanceof CallError) takeBack()
      throw error
    }
  }

  /** A call of the game that could not be sent: a presence is wished for all the same. */
  noteUnsent(command: string, args: unknown): void {
    if (isPresence(command, args)) this.#wishes.rememberUnsent(args)
  }

  async restore(): Promise<Restored> {
    const restored = await restore({
      wishes: this.#wishes,
      subscriptions: this.#subscriptions,
      send: this.#send,
      subscribe: this.#subscribe,
      onSubscribed: () => this.#reconsiderLater(),
      clock: this.#ports.clock,
    })
    if (restored.signIn === 'done') this.#setAccount('signed-in')
    else if (this.#account === 'signed-in') this.#setAccount('signed-out')
    return restored
  }

  onState(state: ConnectionState): void {
    this.#ready = state.name === 'ready'
    this.#cancelSignIn()
    this.#forgetRefused()
    if (state.name === 'closed') this.#subscriptions.close()
    if (state.name === 'waiting' || state.name === 'offline') this.#subscriptions.forgetConnection()
    if (state.name !== 'ready') return
    // What was wished for while the rest was being restored.
    this.#refusedAttempt = 0
    this.#subscribePending()
    const { unsent } = this.#wishes
    if (unsent !== undefined) this.call('SET_ACTIVITY', unsent, undefined, {}).catch(() => {})
    if (state.restored.signIn === 'failed') this.#signInLater(0)
  }

  onEvent(event: string, data: unknown): void {
    if (event === 'TOKEN_REVOKED') this.#signedOut('revoked')
    this.#subscriptions.deliver(event, data)
  }

  onLost(error: Error): void {
    if (error instanceof ServerClosed && error.closeCode === CLOSE_CODES.TOKEN_REVOKED.code) this.#signedOut('revoked')
  }

  readonly #subscribe: Ask = (command, { event, args }) => this.#send(command, args, event)

  #subscribePending(): void {
    // A lost connection subscribes everything again when it is back.
    this.#subscriptions.apply(this.#subscribe).then(
      () => this.#reconsiderLater(),
      () => {},
    )
  }

  /** What was refused for a reason that may pass is asked for again, less and less often, until nothing is. */
  #reconsiderLater(): void {
    if (!this.#ready || !this.#subscriptions.hasPassingRefusals) return this.#forgetRefused()
    // Other subscriptions that come meanwhile put it off no further.
    if (this.#cancelRefused !== undefined) return
    const again = () => {
      this.#cancelRefused = undefined
      this.#refusedAttempt += 1
      this.#subscriptions.reconsider(mayPass)
      this.#subscribePending()
    }
    const delayMs = delayBefore(this.#refusedAttempt, 0, this.#ports.random(), REFUSED_BACK_OFF)
    this.#cancelRefused = this.#ports.clock.after(delayMs, again, true)
  }

  #forgetRefused(): void {
    this.#cancelRefused?.()
    this.#cancelRefused = undefined
  }

  #signedIn(credential: Credential): void {
    this.#wishes.credential = credential
    this.#cancelSignIn()
    this.#setAccount('signed-in')
    this.#subscriptions.reconsider()
    this.#subscribePending()
  }

  #signedOut(account: 'signed-out' | 'revoked'): void {
    this.#wishes.credential = undefined
    this.#cancelSignIn()
    this.#setAccount(account)
  }

  /** The platform may be away although the daemon is here: the sign-in is tried again while there is something to sign in with. */
  #signInLater(attempt: number): void {
    const { credential } = this.#wishes
    if (credential === undefined) return
    const delayMs = delayBefore(attempt + 3, DEFAULT_BACK_OFF.earlyMs, this.#ports.random(), DEFAULT_BACK_OFF)
    const again = async () => {
      const outcome = await signInAgain({ wishes: this.#wishes, send: this.#send }).catch(() => 'none' as const)
      if (!this.#ready || this.#account === 'signed-in') return
      if (outcome === 'done') this.#signedIn(credential)
      else if (outcome === 'failed') this.#signInLater(attempt + 1)
    }
    this.#cancelSignIn = this.#ports.clock.after(delayMs, () => void again(), true)
  }

  #setAccount(account: AccountState): void {
    if (account === this.#account) return
    this.#account = account
    for (const listener of Array.from(this.#accountListeners)) notify(listener, account)
  }
}

const isPresence = (command: string, args: unknown): args is object =>
  command === 'SET_ACTIVITY' && typeof args === 'object' && args !== null
