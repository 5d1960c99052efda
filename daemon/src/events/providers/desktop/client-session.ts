/**
 * One application at a client that runs now: everything it wants is brought there, in this order, and kept as it changes. What needs no user
 * waits for no user; what could not be had for the moment is asked for again.
 *
 *   AUTHORIZE_REQUEST ─▶ events for anybody ─▶ presence ─▶ AUTHENTICATE ─▶ events of users ─▶ voice settings
 */
import { COMMANDS, type CommandRow, ERRORS, satisfies } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { Presence } from '../../../presence/sink.ts'
import { needsUser } from './client-events.ts'
import type { Connection } from '../../../platform/desktop/connection.ts'
import { Retry } from '../../../platform/desktop/retry.ts'
import { ShownActivity } from './shown-activity.ts'
import { SignIn } from './sign-in.ts'
import { changesVoice, type VoiceArgs, type VoiceHold } from './voice-hold.ts'
import type { Wish } from './wishes.ts'

export interface ClientSessionParts {
  readonly applicationId: string
  readonly clock: Clock
  readonly log: Logger
  readonly hold: VoiceHold
  /** The token that stands for the user of a session now. Rejects with BridgeError. */
  readonly tokenOf: (caller: Session) => Promise<Secret<string>>
  /** A session of the application that is signed in with scopes for this command, the newest. */
  readonly speakerFor: (applicationId: string, row: CommandRow) => Session | undefined
}

/** What is to be there. */
export interface Wanted {
  readonly wishes: ReadonlyMap<string, Wish>
  readonly presence: Presence | undefined
}

const FIRST = 'AUTHORIZE_REQUEST'
/** For what no game waits for. */
const ANSWER_MS = 10_000
const LOCAL: ReadonlySet<string> = new Set(['rpc.local'])

/** Whether what it is about cannot be subscribed at all, now or later. */
const isHopeless = (failure: unknown): boolean =>
  failure instanceof BridgeError && (failure.error === 'INVALID_GUILD' || failure.error === 'INVALID_CHANNEL')

/** Whether the same may be had a while later: the client or the platform was too slow, or not there. */
const isForNow = (failure: unknown): boolean => failure instanceof BridgeError && ERRORS[failure.error].retryable

export class ClientSession {
  readonly #connection: Connection
  readonly #parts: ClientSessionParts
  readonly #signIn: SignIn
  readonly #retry: Retry
  readonly #activity: ShownActivity
  /** Subscribed at the client, or about to be, with its answer. */
  readonly #subscribed = new Map<string, { readonly wish: Wish; readonly answered: Promise<unknown> }>()
  /** Refused, and who asked with which sign-in: another one may be given it. */
  readonly #refused = new Map<string, { readonly signedIn: object | undefined; readonly isForNow: boolean }>()
  #wishes: ReadonlyMap<string, Wish> = new Map()
  #isVoiceDue = true
  #work: Promise<void> = Promise.resolve()

  constructor(connection: Connection, parts: ClientSessionParts) {
    this.#connection = connection
    this.#parts = parts
    this.#signIn = new SignIn(connection)
    this.#retry = new Retry(parts.clock)
    this.#activity = new ShownActivity(connection, (failure) => this.#wasRefused('SET_ACTIVITY', failure))
  }

  /** It takes presence, and answers nothing else. */
  get isPresenceOnly(): boolean {
    return this.#connection.isPresenceOnly
  }

  /** Whose token the client accepted last. */
  get authenticated(): string | undefined {
    return this.#signIn.userId
  }

  /** Brings back all that is wanted. */
  restore({ wishes, presence }: Wanted): void {
    this.#wishes = wishes
    this.#followForAnybody()
    this.#activity.show(presence)
    this.#followForUsers()
  }

  /** These events are wanted now. */
  want(wishes: ReadonlyMap<string, Wish>): void {
    this.#wishes = wishes
    this.#follow()
  }

  /** Resolves when the client has answered for this one, or will not; rejects when it says that there is no such thing to subscribe. */
  async answered(key: string): Promise<void> {
    try {
      if (!this.#subscribed.has(key)) await this.#work
      // Nobody answers there; should it change, the wish is kept.
      if (!this.#connection.isPresenceOnly) await this.#subscribed.get(key)?.answered
    } catch (failure) {
      if (isHopeless(failure)) throw failure
    }
  }

  show(presence: Presence | undefined): void {
    this.#activity.show(presence)
  }

  /** As the game of this session called. Rejects with what the client answers. */
  async call(caller: Session, row: CommandRow, args: unknown, stop?: CancelSignal): Promise<unknown> {
    const { applicationId, hold, tokenOf } = this.#parts
    const cmd = row.name
    const send = () => this.#connection.call(cmd, args, stop === undefined ? {} : { stop })
    const { signedIn } = caller
    const sendAsUser = async () =>
      signedIn === undefined || satisfies(row.requires, LOCAL) || this.#connection.isPresenceOnly
        ? send()
        : this.#signIn.with(await tokenOf(caller), signedIn.userId, send, stop)
    if (!changesVoice(cmd)) return sendAsUser()
    return hold.change(applicationId, cmd, args as VoiceArgs, async () => {
      // Else what was set before the client went away could arrive after this, and undo it.
      if (this.#isVoiceDue) this.#follow()
      await this.#work
      return sendAsUser()
    })
  }

  /** Its connection is over, or is to be. */
  close(): void {
    this.#retry.stop()
    this.#connection.close()
  }

  // --- what is wanted, and is not there --------------------------------------------------------------------------------------------

  #follow(): void {
    this.#followForAnybody()
    this.#followForUsers()
  }

  #followForAnybody(): void {
    for (const [key, { wish }] of this.#subscribed) if (!this.#wishes.has(key)) this.#unsubscribe(wish)
    for (const key of this.#refused.keys()) if (!this.#wishes.has(key)) this.#refused.delete(key)
    const forAnybody = this.#missing().filter(({ name }) => !needsUser(name))
    for (const wish of forAnybody) if (wish.name === FIRST) this.#subscribe(wish)
    for (const wish of forAnybody) if (wish.name !== FIRST) this.#subscribe(wish)
  }

  #followForUsers(): void {
    this.#work = this.#work.then(() => this.#bringForUsers())
  }

  async #bringForUsers(): Promise<void> {
    // No token is shown to one that does nothing with it.
    if (!this.#connection.isOpen || this.#connection.isPresenceOnly) return
    const missing = this.#missing().filter(({ name }) => needsUser(name))
    // Those who are asked for in the name of the same session need one sign-in together.
    for (const speaker of new Set(missing.map((wish) => wish.speaker))) {
      if (speaker !== undefined)
        await this.#subscribeAs(
          speaker,
          missing.filter((wish) => wish.speaker === speaker),
        )
    }
    if (this.#isVoiceDue) await this.#restoreVoice()
  }

  #missing(): Wish[] {
    return [...this.#wishes.values()].filter((wish) => !this.#subscribed.has(wish.key) && !this.#isRefused(wish))
  }

  #isRefused({ key, speaker }: Wish): boolean {
    const refused = this.#refused.get(key)
    return refused !== undefined && refused.signedIn === speaker?.signedIn
  }

  async #subscribeAs(speaker: Session, wishes: readonly Wish[]): Promise<void> {
    const { signedIn } = speaker
    if (signedIn === undefined) return
    try {
      const token = await this.#parts.tokenOf(speaker)
      await this.#signIn.with(token, signedIn.userId, async () => {
        // Withdrawn meanwhile, or asked for by now.
        for (const wish of wishes) if (this.#wishes.has(wish.key) && !this.#subscribed.has(wish.key)) this.#subscribe(wish)
      })
    } catch (failure) {
      for (const { key } of wishes) this.#refused.set(key, { signedIn, isForNow: isForNow(failure) })
      this.#wasRefused('AUTHENTICATE', failure)
    }
  }

  #subscribe(wish: Wish): void {
    const { key, name, args } = wish
    const answered = this.#connection.call('SUBSCRIBE', args, { evt: name, withinMs: ANSWER_MS })
    this.#subscribed.set(key, { wish, answered })
    answered.catch((failure: unknown) => {
      if (!this.#connection.isOpen || this.#subscribed.get(key)?.answered !== answered) return
      this.#subscribed.delete(key)
      this.#refused.set(key, { signedIn: wish.speaker?.signedIn, isForNow: isForNow(failure) })
      this.#wasRefused(name, failure)
    })
  }

  #unsubscribe({ key, name, args }: Wish): void {
    this.#subscribed.delete(key)
    this.#connection
      .call('UNSUBSCRIBE', args, { evt: name, withinMs: ANSWER_MS })
      .catch((failure: unknown) => this.#refusedLine(name, failure))
  }

  /** Gives whether it was only for the moment; then all that was is asked for again. */
  #wasRefused(what: string, failure: unknown): boolean {
    this.#refusedLine(what, failure)
    // One that answers nothing is asked again when it turns out that it does, or when another one is there.
    if (this.#connection.isOpen && !this.#connection.isPresenceOnly && isForNow(failure)) this.#retry.afterRefusal(() => this.again())
    return isForNow(failure)
  }

  /** Asks once more for what was refused for the moment. */
  again(): void {
    for (const [key, refused] of this.#refused) if (refused.isForNow) this.#refused.delete(key)
    this.#followForAnybody()
    this.#activity.again()
    this.#followForUsers()
  }

  #refusedLine(what: string, failure: unknown): void {
    const { applicationId, log } = this.#parts
    const error = failure instanceof BridgeError ? failure.error : 'UNKNOWN_ERROR'
    if (this.#connection.isOpen) log.info('desktop-client-refused', { application: applicationId, what, error })
  }

  // --- voice --------------------------------------------------------------------------------------------------------------------

  async #restoreVoice(): Promise<void> {
    const { applicationId, hold, speakerFor, tokenOf } = this.#parts
    this.#isVoiceDue = false
    for (const { cmd, args } of hold.replay(applicationId)) {
      const speaker = speakerFor(applicationId, COMMANDS[cmd as keyof typeof COMMANDS])
      if (speaker?.signedIn === undefined) {
        this.#isVoiceDue = true
        continue
      }
      try {
        const token = await tokenOf(speaker)
        await this.#signIn.with(token, speaker.signedIn.userId, () => this.#connection.call(cmd, args, { withinMs: ANSWER_MS }))
      } catch (failure) {
        this.#isVoiceDue = this.#wasRefused(cmd, failure) || this.#isVoiceDue
      }
    }
  }
}
