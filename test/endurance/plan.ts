/** The games of a run and what they do when, as a pure function of the seed: nothing that happens in a run changes it. */
import { seededRandom } from '../e2e/support/seeded-random.ts'
import { below, pick, type Random, weighted } from '../soak/schedule.ts'

/** `client`: on `bindings/ts`. The others write frames: `plain` as every existing client does, `contract` as our bindings do. */
export type GameKind = 'client' | 'plain' | 'contract'

export interface GamePlan {
  readonly name: string
  readonly kind: GameKind
  readonly encoding: 'json' | 'msgpack'
  readonly applicationId: string
  /** Who plays. */
  readonly user: string
  /** Whether it is subscribed to the events of the platform. */
  readonly isListening: boolean
}

const FIRST_APPLICATION = 9_102_000_000_000_000_000n
const APPLICATIONS = 5
/** The users who share a guild. */
const USERS = ['ada', 'grace', 'linus'] as const
const KINDS = ['client', 'plain', 'contract'] as const satisfies readonly GameKind[]

/** Each kind as often as the others; two of three games listen. */
export function gamesOf(count: number): readonly GamePlan[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? 'plain'
    return {
      name: `${kind} ${index + 1}`,
      kind,
      encoding: kind === 'client' && index % 2 === 0 ? 'msgpack' : 'json',
      applicationId: String(FIRST_APPLICATION + BigInt(index % APPLICATIONS)),
      user: USERS[Math.floor(index / APPLICATIONS) % USERS.length] ?? 'ada',
      isListening: Math.floor(index / KINDS.length) % KINDS.length !== 0,
    }
  })
}

/** One thing that one game does. */
export interface Turn<Kind extends string> {
  /** From the start of the load. */
  readonly atMs: number
  /** Index of the game. */
  readonly game: number
  readonly kind: Kind
  /** What the action draws its own choices from. */
  readonly seed: number
}

export interface PaceOptions<Kind extends string> {
  readonly seed: number
  readonly kinds: readonly { readonly kind: Kind; readonly weight: number }[]
  readonly games: number
  /** In the mean, of all games together. */
  readonly perSecond: number
}

const SEED_RANGE = 4_294_967_296
const MS_PER_S = 1000

/** Time to the next of many independent calls, which come `perSecond` in the mean. */
const gap = (random: Random, perSecond: number): number => (-Math.log(1 - random()) / perSecond) * MS_PER_S

/** Endless; first each kind once, so that a short run has all. */
export function* turns<Kind extends string>({ seed, kinds, games, perSecond }: PaceOptions<Kind>): Generator<Turn<Kind>, never, void> {
  const random = seededRandom(seed)
  const first = kinds.map(({ kind }) => kind)
  for (let atMs = 0; ; ) {
    atMs += gap(random, perSecond)
    yield { atMs, game: below(random, games), kind: first.pop() ?? weighted(random, kinds), seed: below(random, SEED_RANGE) }
  }
}

export interface Occurrence<Kind extends string> {
  readonly kind: Kind
  /** Since the one before. */
  readonly afterMs: number
  readonly seed: number
}

/** Endless: what happens from outside, every so often and a little irregularly. Each kind once before one comes again. */
export function* occurrences<Kind extends string>(
  seed: number,
  kinds: readonly Kind[],
  everyMs: number,
): Generator<Occurrence<Kind>, never, void> {
  const random = seededRandom(seed)
  for (let left: Kind[] = []; ; ) {
    if (left.length === 0) left = [...kinds]
    const kind = pick(random, left)
    left = left.filter((other) => other !== kind)
    yield { kind, afterMs: everyMs * (0.5 + random()), seed: below(random, SEED_RANGE) }
  }
}
