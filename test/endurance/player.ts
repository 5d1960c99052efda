/** One game with its player: keeps it connected, signed in and subscribed, and judges every answer that it gets. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Game, type GameListener, Lost } from './game.ts'
import type { GamePlan } from './plan.ts'
import type { Tally } from './tally.ts'
import type { Account, Troubles } from './trouble.ts'

/** What a call may be answered. */
export interface Expected {
  /** Undefined: it succeeds. */
  readonly codes: readonly (number | undefined)[]
  /** The daemon asks the platform, so what is wrong there may show. */
  readonly isForwarded?: boolean
}

export const SUCCESS: Expected = { codes: [undefined] }
export const FORWARDED: Expected = { codes: [undefined], isForwarded: true }

/** What every player shares. */
export interface Ground {
  readonly tally: Tally
  readonly troubles: Troubles
  readonly tokenOf: (account: Account) => string
  readonly gameOf: (plan: GamePlan, listener: GameListener) => Game
  /** An event reached a game. */
  readonly onEvent: (player: Player, event: string, data: unknown) => void
  /** Events to subscribe to, with arguments. */
  readonly topics: readonly (readonly [event: string, args: object])[]
}

const LOOK_MS = 500
/** A game that is not back after this time stays away for ever, as far as its player cares. */
const RETURN_MS = 90_000

export class Player {
  readonly game: Game
  readonly account: Account
  readonly #ground: Ground
  #isSignedIn = false
  /** When it was subscribed on this connection, and misses nothing since. */
  #listeningSince: number | undefined
  /** It has left, or reads nothing, and will be back. */
  #isAway = true
  #missingSince: number | undefined
  #pending = 0
  /** One at a time: two would open two connections. */
  #mending: Promise<void> | undefined

  constructor(plan: GamePlan, ground: Ground) {
    this.#ground = ground
    this.account = { applicationId: plan.applicationId, user: plan.user }
    this.game = ground.gameOf(plan, {
      onEvent: (event, data) => this.#take(event, data),
      onLost: (why) => this.#lost(why),
      onBroken: (why) => ground.tally.unexpected(`${plan.name}: ${why}`),
    })
  }

  get name(): string {
    return this.game.plan.name
  }

  /** Whether it can be asked to do something. */
  get isPlaying(): boolean {
    return !this.#isAway && this.game.isOpen && this.#isSignedIn
  }

  get listeningSince(): number | undefined {
    return this.#listeningSince
  }

  /** Calls without an answer. */
  get pending(): number {
    return this.#pending
  }

  /** Connects, signs in and subscribes. What fails by a trouble of the platform is tried again by `attend`. */
  async arrive(): Promise<void> {
    this.#isAway = false
    await this.#mend()
  }

  async leave(politely: boolean): Promise<void> {
    this.#goAway()
    await this.#mending
    this.#isSignedIn = false
    await this.game.leave(politely)
  }

  /** For a time in which it takes no bytes. */
  async away<Result>(what: () => Promise<Result>): Promise<Result> {
    this.#goAway()
    // Else a return under way would wait for answers that are not read, and a leave for that return.
    await this.#mending
    try {
      return await what()
    } finally {
      if (this.game.isOpen) {
        this.#isAway = false
        if (this.game.plan.isListening) this.#listeningSince = performance.now()
      }
    }
  }

  /** Its token is no longer valid, and there is another. */
  signInAgain(): void {
    this.#isSignedIn = false
  }

  /** Brings back what a trouble of the platform took, until the signal. */
  async attend(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!this.#isAway) await this.#mend()
      await pause(LOOK_MS)
    }
  }

  /** Makes a call and judges its answer. Undefined when the connection ended before, which `onLost` judges. */
  async ask(what: string, expected: Expected, call: (game: Game) => Promise<Answer>): Promise<Answer | undefined> {
    const { tally, troubles } = this.#ground
    const beganAt = performance.now()
    this.#pending += 1
    tally.count('calls')
    try {
      const answer = await call(this.game)
      const { code } = answer
      if (expected.codes.includes(code)) tally.count(code === undefined ? 'answers' : 'errors that had to come')
      else if (code !== undefined && expected.isForwarded === true && troubles.excuses(code, this.account, beganAt))
        tally.count('errors by a trouble of the platform')
      else tally.unexpected(`${this.name}: ${what} was answered ${code ?? 'with success'}: ${messageOf(answer)}`)
      return answer
    } catch (error) {
      if (error instanceof Lost) tally.count('calls that lost their connection')
      else tally.unexpected(`${this.name}: ${what} failed: ${String(error)}`)
      return undefined
    } finally {
      this.#pending -= 1
    }
  }

  #mend(): Promise<void> {
    this.#mending ??= this.#bringBack().finally(() => (this.#mending = undefined))
    return this.#mending
  }

  async #bringBack(): Promise<void> {
    const { plan } = this.game
    if (!this.game.isOpen) await this.#open()
    if (this.game.isOpen && !this.#isSignedIn) await this.#signIn()
    if (this.isPlaying && plan.isListening && this.#listeningSince === undefined) await this.#listen()
    const isWhole = this.isPlaying && (!plan.isListening || this.#listeningSince !== undefined)
    if (isWhole || this.#isAway) this.#missingSince = undefined
    else {
      this.#missingSince ??= performance.now()
      if (performance.now() - this.#missingSince > RETURN_MS) {
        this.#ground.tally.unexpected(`${this.name} did not come back`)
        this.#isAway = true
      }
    }
  }

  async #open(): Promise<void> {
    this.#isSignedIn = false
    this.#listeningSince = undefined
    try {
      await this.game.open()
      this.#ground.tally.count('connections')
    } catch (error) {
      this.#ground.tally.unexpected(`${this.name} could not connect: ${(error as Error).message}`)
    }
  }

  async #signIn(): Promise<void> {
    const token = this.#ground.tokenOf(this.account)
    const answer = await this.ask('AUTHENTICATE', FORWARDED, (game) => game.call('AUTHENTICATE', { access_token: token }))
    // Meanwhile there may be another token.
    this.#isSignedIn = answer !== undefined && answer.code === undefined && token === this.#ground.tokenOf(this.account)
  }

  async #listen(): Promise<void> {
    const answers = await Promise.all(
      this.#ground.topics.map(([event, args]) => this.ask(`SUBSCRIBE ${event}`, FORWARDED, (game) => game.subscribe(event, args))),
    )
    if (answers.every((answer) => answer !== undefined && answer.code === undefined)) this.#listeningSince = performance.now()
  }

  #goAway(): void {
    this.#isAway = true
    this.#listeningSince = undefined
  }

  #take(event: string, data: unknown): void {
    if (event === 'TOKEN_REVOKED') {
      if (!this.#ground.troubles.endsTokens(this.account, performance.now()))
        this.#ground.tally.unexpected(`${this.name} got TOKEN_REVOKED without a reason`)
      this.#isSignedIn = false
    } else this.#ground.onEvent(this, event, data)
  }

  #lost(why: string): void {
    const isExcused = this.#isAway || this.#ground.troubles.endsTokens(this.account, performance.now())
    if (isExcused) this.#ground.tally.count('connections ended by a trouble of the platform')
    else this.#ground.tally.unexpected(`${this.name} lost its connection: ${why}`)
    this.#isSignedIn = false
    this.#listeningSince = undefined
  }
}

function messageOf({ data }: Answer): string {
  const message = (data as { readonly message?: unknown } | null)?.message
  return typeof message === 'string' ? message : ''
}
