/** The load: games that play by the schedule of the seed, and what happens at the platform and beside them meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../e2e/support/seeded-random.ts'
import { ACTION_KINDS, ACTIONS, type ActionKind, type Scene } from './actions.ts'
import { ClientGame } from './client-game.ts'
import { Deliveries } from './deliveries.ts'
import { FramedGame } from './framed-game.ts'
import { LONGEST_HALF_MS, PASSER_KINDS, type PasserKind, PASSERS } from './passers.ts'
import { type GamePlan, type Occurrence, occurrences, turns } from './plan.ts'
import { type Ground, Player } from './player.ts'
import type { Tally } from './tally.ts'
import { type Account, TROUBLE_KINDS, type TroubleKind, Troubles } from './trouble.ts'
import type { World } from './world.ts'

export interface LoadOptions {
  readonly seed: number
  /** Turns of all games together. */
  readonly perSecond: number
  /** How long the games play before all of them leave for a moment. */
  readonly roundMs: number
}

/** What happens from outside goes on over the rounds, so that each kind comes as often as the others. */
interface Happenings {
  readonly passers: Iterator<Occurrence<PasserKind>, never, void>
  readonly troubles: Iterator<Occurrence<TroubleKind>, never, void>
}

const TROUBLE_EVERY_MS = 12_000
const PASSER_EVERY_MS = 2_000
const EVENT_EVERY_MS = 10_000
const ARRIVAL_MS = 20
/** Longer than any call takes. */
const LAST_ANSWERS_MS = 60_000
const LOOK_MS = 100
/** Streams of random numbers that do not depend on each other. */
const STREAMS = { passers: 1, troubles: 2, rounds: 1_000 } as const
/** The daemon collects its garbage when it was quiet for five seconds after the last game left. */
const ABSENCE_MS = 9_000

const markOf = (event: string, data: unknown): string | undefined =>
  event === 'GUILD_STATUS'
    ? (data as { readonly guild?: { readonly name?: string } }).guild?.name
    : event === 'LOBBY_MESSAGE_CREATE'
      ? (data as { readonly content?: string }).content
      : undefined

const FLOOR: GamePlan = { name: 'floor', kind: 'plain', encoding: 'json', applicationId: '42', user: 'ada', isListening: false }

export class Load {
  readonly players: readonly Player[]
  readonly #world: World
  readonly #tally: Tally
  readonly #ground: Ground
  readonly #troubles = new Troubles()
  readonly #deliveries: Deliveries
  readonly #floor: FramedGame
  /** What is not over yet, by name. */
  readonly #underWay = new Map<Promise<void>, string>()

  constructor(world: World, plans: readonly GamePlan[], tally: Tally) {
    this.#world = world
    this.#tally = tally
    this.#ground = {
      tally,
      troubles: this.#troubles,
      tokenOf: (account) => world.tokens.of(account),
      gameOf: (plan, listener) =>
        plan.kind === 'client' ? new ClientGame(plan, world.runtimeDir, listener) : new FramedGame(plan, world.socket, listener),
      onEvent: (player, event, data) => {
        const mark = markOf(event, data)
        if (mark !== undefined) this.#deliveries.note(player, mark)
      },
      topics: [
        ['GUILD_STATUS', { guild_id: world.guildId }],
        ['LOBBY_MESSAGE_CREATE', {}],
      ],
    }
    this.players = plans.map((plan) => new Player(plan, this.#ground))
    this.#deliveries = new Deliveries(this.players, tally, this.#troubles)
    this.#floor = new FramedGame(FLOOR, world.floorPath, { onEvent: () => {}, onLost: () => {}, onBroken: () => {} })
  }

  /**
   * Rounds until the time is over. In each, all games come, play and leave, each call is answered, and each connection is closed. The daemon then
   * collects its garbage, so that what is left is what it holds; `onRest` is called then.
   */
  async play(options: LoadOptions, forMs: number, onRest: () => void): Promise<void> {
    const { seed, roundMs } = options
    const happenings: Happenings = {
      passers: occurrences(seed + STREAMS.passers, PASSER_KINDS, PASSER_EVERY_MS),
      troubles: occurrences(seed + STREAMS.troubles, TROUBLE_KINDS, TROUBLE_EVERY_MS),
    }
    const endsAt = performance.now() + forMs
    for (let round = 0; performance.now() < endsAt; round++) {
      await this.#round({ ...options, seed: seed + round * STREAMS.rounds }, Math.min(roundMs, endsAt - performance.now()), happenings)
      await pause(ABSENCE_MS)
      onRest()
    }
  }

  async #round({ seed, perSecond }: LoadOptions, forMs: number, { passers, troubles }: Happenings): Promise<void> {
    const over = new AbortController()
    await this.#floor.open()
    for (const player of this.players) {
      await player.arrive()
      await pause(ARRIVAL_MS)
    }
    const endsAt = performance.now() + forMs
    const attending = this.players.map((player) => player.attend(over.signal))
    await Promise.all([
      this.#takeTurns(seed, perSecond, endsAt),
      this.#raiseEvents(endsAt),
      this.#repeat(passers, endsAt - LONGEST_HALF_MS, (kind, random) => {
        // They go on while the next one comes.
        this.#track(kind, PASSERS[kind](this.#world.socket, this.#ground, random))
        return Promise.resolve()
      }),
      this.#repeat(troubles, endsAt, (kind, random) => {
        this.#tally.count(`trouble: ${kind}`)
        const upstream = {
          platform: this.#world.platform,
          accounts: this.#world.tokens.accounts,
          expire: (account: Account, began: () => void) => this.#expire(account, began),
        }
        return this.#troubles.run(kind, upstream, random)
      }),
    ])
    await this.#lastAnswers()
    over.abort()
    await Promise.all(attending)
    for (const [index, player] of this.players.entries()) await player.leave(index % 2 === 0)
    await this.#floor.leave(false)
  }

  async #takeTurns(seed: number, perSecond: number, endsAt: number): Promise<void> {
    const from = performance.now()
    for (const turn of turns({ seed, kinds: ACTION_KINDS, games: this.players.length, perSecond })) {
      const wait = from + turn.atMs - performance.now()
      if (from + turn.atMs > endsAt) return
      if (wait > 1) await pause(wait)
      const player = this.players[turn.game]
      if (player?.isPlaying === true) this.#act(player, turn.kind, turn.seed)
      else this.#tally.count('turns of a game that was away')
    }
  }

  #act(player: Player, kind: ActionKind, seed: number): void {
    this.#tally.count(`turn: ${kind}`)
    const scene: Scene = { tally: this.#tally, deliveries: this.#deliveries, floor: this.#floor, lobbies: this.#world.lobbies }
    this.#track(`${player.name} ${kind}`, ACTIONS[kind].run(player, scene, seededRandom(seed)))
  }

  #track(what: string, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#tally.unexpected(`${what}: ${String(error)}`))
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.set(tracked, what)
  }

  async #raiseEvents(endsAt: number): Promise<void> {
    const { platform, guildId } = this.#world
    while (performance.now() < endsAt) {
      const name = this.#deliveries.mark('Harbour')
      this.#deliveries.raise(name, () => true)
      await platform.control('guilds', { guild: guildId, name })
      await pause(EVENT_EVERY_MS)
      this.#deliveries.judge()
    }
  }

  async #repeat<Kind extends string>(
    happenings: Iterator<Occurrence<Kind>, never, void>,
    endsAt: number,
    happen: (kind: Kind, random: () => number) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const { kind, afterMs, seed } = happenings.next().value
      if (performance.now() + afterMs > endsAt) return
      await pause(afterMs)
      await happen(kind, seededRandom(seed))
    }
  }

  async #expire(account: Account, began: () => void): Promise<void> {
    const { platform, tokens } = this.#world
    began()
    const { users } = await platform.state()
    const userId = users.find(({ username }) => username === account.user)?.id
    await platform.control('revoke', { application_id: account.applicationId, user_id: userId })
    await tokens.renew(account)
    const isOf = ({ account: own }: Player): boolean => own.applicationId === account.applicationId && own.user === account.user
    for (const player of this.players) if (isOf(player)) player.signInAgain()
  }

  /** Nothing new begins; what is under way ends. What does not is unexpected. */
  async #lastAnswers(): Promise<void> {
    const giveUpAt = performance.now() + LAST_ANSWERS_MS
    const unanswered = (): readonly Player[] => this.players.filter(({ pending }) => pending > 0)
    while (this.#underWay.size > 0 || unanswered().length > 0) {
      if (performance.now() > giveUpAt) {
        for (const { name, pending } of unanswered()) this.#tally.unexpected(`${name} has no answer to ${pending} calls`)
        for (const what of this.#underWay.values()) this.#tally.unexpected(`${what}: it does not end`)
        return
      }
      await pause(LOOK_MS)
    }
    this.#deliveries.judge()
  }
}
