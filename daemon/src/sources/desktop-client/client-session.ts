/**
 * One application at a client that runs now: everything it wants is brought there, in this order, and kept as it changes.
 *
 *   AUTHORIZE_REQUEST ─▶ AUTHENTICATE ─▶ other events ─▶ presence ─▶ voice settings
 */
import { COMMANDS, type CommandRow, satisfies } from '@sallyport/protocol'
import { BridgeError } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import type { Secret } from '../../core/secret.ts'
import type { StopSignal } from '../../core/stop.ts'
import type { Caller } from '../../dispatch/caller.ts'
import type { Presence } from '../../presence/sink.ts'
import { needsUser } from './client-events.ts'
import type { Connection } from './connection.ts'
import { settableActivity } from './settable-activity.ts'
import { SignIn } from './sign-in.ts'
import { changesVoice, type VoiceArgs, type VoiceHold } from './voice-hold.ts'
import type { Wish } from './wishes.ts'

export interface ClientSessionParts {
  readonly applicationId: string
  readonly log: Logger
  readonly hold: VoiceHold
  /** The token that stands for the user of a session now. Rejects with BridgeError. */
  readonly tokenOf: (caller: Caller) => Promise<Secret<string>>
  /** A session of the application that is signed in with scopes for this command, the newest. */
  readonly speakerFor: (applicationId: string, row: CommandRow) => Caller | undefined
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

export class ClientSession {
  readonly #connection: Connection
  readonly #parts: ClientSessionParts
  readonly #signIn: SignIn
  /** Subscribed at the client, or about to be, with its answer. */
  readonly #subscribed = new Map<string, { readonly wish: Wish; readonly answered: Promise<unknown> }>()
  /** Refused, and who asked with which sign-in: another one may be given it. */
  readonly #refused = new Map<string, object | undefined>()
  #wishes: ReadonlyMap<string, Wish> = new Map()
  #presence: Presence | undefined
  #shownPid: number | undefined
  #isRestored = false
  #work: Promise<void> = Promise.resolve()

  constructor(connection: Connection, parts: ClientSessionParts) {
    this.#connection = connection
    this.#parts = parts
    this.#signIn = new SignIn(connection)
  }

  /** Whose token the client accepted last. */
  get authenticated(): string | undefined {
    return this.#signIn.userId
  }

  /** Brings back all that is wanted. Resolves when it has been sent. Never rejects. */
  async restore({ wishes, presence }: Wanted): Promise<void> {
    this.#presence = presence
    await this.want(wishes)
    this.#isRestored = true
    if (this.#presence !== undefined) this.#sendPresence(this.#presence)
    await this.#restoreVoice()
  }

  /** These events are wanted now. Resolves when the client has been asked for them. Never rejects. */
  want(wishes: ReadonlyMap<string, Wish>): Promise<void> {
    this.#wishes = wishes
    this.#work = this.#work.then(() => this.#follow())
    return this.#work
  }

  /** Resolves when the client has answered for this one; rejects when it says that there is no such thing to subscribe. */
  async answered(key: string): Promise<void> {
    try {
      await this.#subscribed.get(key)?.answered
    } catch (failure) {
      if (isHopeless(failure)) throw failure
    }
  }

  show(presence: Presence | undefined): void {
    this.#presence = presence
    if (this.#isRestored) this.#sendPresence(presence)
  }

  /** As the game of this session called. Rejects with what the client answers. */
  async call(caller: Caller, row: CommandRow, args: unknown, stop?: StopSignal): Promise<unknown> {
    const { applicationId, hold, tokenOf } = this.#parts
    const cmd = row.name
    const send = () => this.#connection.call(cmd, args, stop === undefined ? {} : { stop })
    const { signedIn } = caller
    const sendAsUser = async () =>
      signedIn === undefined || satisfies(row.requires, LOCAL) ? send() : this.#signIn.with(await tokenOf(caller), signedIn.userId, send)
    return changesVoice(cmd) ? hold.change(applicationId, cmd, args as VoiceArgs, sendAsUser) : sendAsUser()
  }

  close(): void {
    this.#connection.close()
  }

  // --- events ------------------------------------------------------------------------------------------------------------------

  async #follow(): Promise<void> {
    for (const [key, { wish }] of this.#subscribed) if (!this.#wishes.has(key)) this.#unsubscribe(wish)
    for (const key of this.#refused.keys()) if (!this.#wishes.has(key)) this.#refused.delete(key)
    const missing = [...this.#wishes.values()].filter((wish) => !this.#subscribed.has(wish.key) && !this.#isRefused(wish))
    for (const wish of missing) if (wish.name === FIRST) this.#subscribe(wish)
    const ofUsers = missing.filter(({ name }) => needsUser(name))
    // Those who are asked for in the name of the same session need one sign-in together.
    for (const speaker of new Set(ofUsers.map((wish) => wish.speaker))) {
      if (speaker !== undefined)
        await this.#subscribeAs(
          speaker,
          ofUsers.filter((wish) => wish.speaker === speaker),
        )
    }
    for (const wish of missing) if (wish.name !== FIRST && !needsUser(wish.name)) this.#subscribe(wish)
  }

  #isRefused({ key, speaker }: Wish): boolean {
    return this.#refused.has(key) && this.#refused.get(key) === speaker?.signedIn
  }

  async #subscribeAs(speaker: Caller, wishes: readonly Wish[]): Promise<void> {
    const { signedIn } = speaker
    if (signedIn === undefined) return
    try {
      const token = await this.#parts.tokenOf(speaker)
      await this.#signIn.with(token, signedIn.userId, async () => {
        for (const wish of wishes) this.#subscribe(wish)
      })
    } catch (failure) {
      for (const { key } of wishes) this.#refused.set(key, signedIn)
      this.#refusedLine('AUTHENTICATE', failure)
    }
  }

  #subscribe(wish: Wish): void {
    const { key, name, args } = wish
    const answered = this.#connection.call('SUBSCRIBE', args, { evt: name, withinMs: ANSWER_MS })
    this.#subscribed.set(key, { wish, answered })
    answered.catch((failure: unknown) => {
      if (!this.#connection.isOpen || this.#subscribed.get(key)?.answered !== answered) return
      this.#subscribed.delete(key)
      this.#refused.set(key, wish.speaker?.signedIn)
      this.#refusedLine(name, failure)
    })
  }

  #unsubscribe({ key, name, args }: Wish): void {
    this.#subscribed.delete(key)
    this.#connection
      .call('UNSUBSCRIBE', args, { evt: name, withinMs: ANSWER_MS })
      .catch((failure: unknown) => this.#refusedLine(name, failure))
  }

  #refusedLine(what: string, failure: unknown): void {
    const { applicationId, log } = this.#parts
    const error = failure instanceof BridgeError ? failure.error : 'UNKNOWN_ERROR'
    if (this.#connection.isOpen) log.info('desktop-client-refused', { application: applicationId, what, error })
  }

  // --- presence and voice --------------------------------------------------------------------------------------------------------

  #sendPresence(presence: Presence | undefined): void {
    const pid = presence === undefined ? this.#shownPid : (presence.claimedPid ?? process.pid)
    if (pid === undefined) return
    this.#shownPid = presence === undefined ? undefined : pid
    const activity = presence === undefined ? {} : { activity: settableActivity(presence.stored) }
    this.#connection
      .call('SET_ACTIVITY', { pid, ...activity }, { withinMs: ANSWER_MS })
      .catch((failure: unknown) => this.#refusedLine('SET_ACTIVITY', failure))
  }

  async #restoreVoice(): Promise<void> {
    const { applicationId, hold, speakerFor, tokenOf } = this.#parts
    for (const { cmd, args } of hold.replay(applicationId)) {
      const speaker = speakerFor(applicationId, COMMANDS[cmd as keyof typeof COMMANDS])
      if (speaker?.signedIn === undefined) continue
      try {
        const token = await tokenOf(speaker)
        await this.#signIn.with(token, speaker.signedIn.userId, () => this.#connection.call(cmd, args, { withinMs: ANSWER_MS }))
      } catch (failure) {
        this.#refusedLine(cmd, failure)
      }
    }
  }
}
