/** After a break: everything that games wished for is there again, each thing once, and the first of all in time. */
import { setTimeout as pause } from 'node:timers/promises'
import { EARS, type Game } from './game.ts'
import { isOfClient, type Probe } from './probes.ts'
import type { World } from './world.ts'

export interface Bounds {
  /** Longest time from a recovery to AUTHORIZE_REQUEST at every game, milliseconds. */
  readonly authorizeMs: number
  /** Longest time to everything else. */
  readonly liveMs: number
}

/** Who raises AUTHORIZE_REQUEST: the user at our own entry, or at that of the platform's desktop client. */
export const ASKERS = ['link', 'client'] as const
export type Asker = (typeof ASKERS)[number]

export interface Recovery {
  /** Who asked first this time, and how long it took until the last game was asked. */
  readonly asker: Asker
  readonly authorizeMs: number
  /** Until every game was signed in and subscribed. */
  readonly wholeMs: number
  /** By probe, until its event reached every game that wished for it. */
  readonly liveMs: Readonly<Record<string, number>>
}

/** The promise that was broken, as a sentence. */
export class Broken extends Error {}

const LOOK_MS = 10
/** A probe that is not heard after this long is raised again: what was raised while a link was down may be lost. */
const PROBE_MS = 500
/** What comes once too often comes a moment later. */
const ECHO_MS = 150
const FIRST_MARK = 8_000_000_000_000_000_000n

async function until(what: () => string | undefined | Promise<string | undefined>, since: number, boundMs: number): Promise<void> {
  for (;;) {
    const missing = await what()
    if (missing === undefined) return
    if (performance.now() - since > boundMs) throw new Broken(`after ${boundMs} ms: ${missing}`)
    await pause(LOOK_MS)
  }
}

/** What the probe's mark has not reached yet; undefined when it reached all. */
function unheard(world: World, expected: readonly string[], mark: string): string | undefined {
  const heard = world.ledger.heard(mark)
  const missing = expected.filter((ear) => !heard.has(ear))
  return missing.length === 0 ? undefined : missing.join(' and ')
}

export class Recoveries {
  readonly #world: World
  readonly #probes: readonly Probe[]
  readonly #askers: readonly Asker[]
  readonly #bounds: Bounds
  #marks = 0
  /** How often somebody of each application was told AUTHORIZE_REQUEST in this check. */
  readonly #raised = new Map<string, number>()

  constructor(world: World, probes: readonly Probe[], askers: readonly Asker[], bounds: Bounds) {
    this.#world = world
    this.#probes = probes
    this.#askers = askers
    this.#bounds = bounds
  }

  /** `since`: when everything was healed. Rejects with Broken. */
  async check(since: number, first: Asker): Promise<Recovery> {
    const { liveMs: boundMs } = this.#bounds
    const { games } = this.#world
    const asked = new Map(games.map((game) => [game, game.asked]))
    this.#raised.clear()
    const authorizeMs = await this.#authorize(first, since)
    if (authorizeMs > this.#bounds.authorizeMs) {
      throw new Broken(`AUTHORIZE_REQUEST by ${first} took ${Math.round(authorizeMs)} ms to reach every game`)
    }
    for (const asker of this.#askers) if (asker !== first) await this.#authorize(asker, since)
    for (const game of games) {
      await until(() => prefixed(game, game.missing()), since, boundMs)
    }
    const wholeMs = performance.now() - since
    const liveMs = Object.fromEntries(await Promise.all(this.#probes.map(async (probe) => [probe.name, await this.#live(probe, since)])))
    const greedy = this.#greedy(asked)
    if (greedy !== undefined) throw new Broken(greedy)
    await this.#once()
    await until(() => this.#sessionsMissing(), since, boundMs)
    return { asker: first, authorizeMs, wholeMs, liveMs: liveMs as Record<string, number> }
  }

  /** The presences are seen outside as they were set last. Rejects with Broken. */
  checkPresences(): Promise<void> {
    return until(() => this.#presenceMissing(), performance.now(), this.#bounds.liveMs)
  }

  /** Asks again and again until the last game was asked; gives when that was, from `since` on. */
  async #authorize(asker: Asker, since: number): Promise<number> {
    const byApplication = Map.groupBy(this.#world.games, ({ plan }) => plan.applicationId)
    const times = await Promise.all(
      [...byApplication].map(async ([applicationId, games]) => {
        const before = new Map(games.map((game) => [game, game.asked]))
        const unasked = (): readonly Game[] => games.filter((game) => game.asked === before.get(game))
        const ask = async (): Promise<string | undefined> => {
          if (unasked().length > 0) await this.#raise(asker, applicationId)
          const names = unasked().map(({ plan }) => plan.name)
          return names.length === 0 ? undefined : `${names.join(' and ')} was not asked by ${asker}`
        }
        await until(ask, since, this.#bounds.liveMs)
        return performance.now() - since
      }),
    )
    return Math.max(...times)
  }

  async #raise(asker: Asker, applicationId: string): Promise<void> {
    const { operator, client } = this.#world
    const isTold =
      asker === 'link'
        ? await operator.link(applicationId).catch(() => false)
        : Number(await client.order('authorizeRequest', applicationId)) > 0
    if (isTold) this.#raised.set(applicationId, (this.#raised.get(applicationId) ?? 0) + 1)
  }

  /** A game that was asked more often than anybody asked. */
  #greedy(asked: ReadonlyMap<Game, number>): string | undefined {
    for (const [game, before] of asked) {
      const raised = this.#raised.get(game.plan.applicationId) ?? 0
      if (game.asked - before > raised) return `${game.plan.name} was asked ${game.asked - before} times, but there were only ${raised}`
    }
    return undefined
  }

  #nextId(): string {
    this.#marks += 1
    return String(FIRST_MARK + BigInt(this.#marks))
  }

  #listenersOf({ isWishedBy, isFor = () => true }: Probe): readonly string[] {
    const games = this.#world.games.filter((game) => isWishedBy(game, this.#world) && isFor(game))
    return games.flatMap((game) => EARS.map((which) => game.ear(which)))
  }

  /** Until a probe reaches all that it is for. */
  async #live(probe: Probe, since: number): Promise<number> {
    const expected = this.#listenersOf(probe)
    for (;;) {
      const mark = await probe.raise(this.#world, this.#nextId())
      const raisedAt = performance.now()
      while (performance.now() - raisedAt < PROBE_MS) {
        if (unheard(this.#world, expected, mark) === undefined) return performance.now() - since
        await pause(LOOK_MS)
      }
      if (performance.now() - since > this.#bounds.liveMs) {
        throw new Broken(`${probe.name} does not reach ${unheard(this.#world, expected, mark)}`)
      }
    }
  }

  /** Everything works again: now each probe reaches exactly those that it is for, and each of them once. */
  async #once(): Promise<void> {
    const { ledger, games } = this.#world
    // What was asked while things came back has arrived by then.
    await pause(ECHO_MS)
    ledger.setWhole(true)
    const asked = games.map((game) => game.asked)
    const raisedAt = performance.now()
    for (const asker of this.#askers) {
      for (const applicationId of new Set(games.map(({ plan }) => plan.applicationId))) await this.#raise(asker, applicationId)
    }
    await Promise.all(
      this.#probes.map(async (probe) => {
        const expected = this.#listenersOf(probe)
        const mark = await probe.raise(this.#world, this.#nextId())
        await until(() => named(probe, unheard(this.#world, expected, mark)), raisedAt, this.#bounds.liveMs)
        await pause(ECHO_MS)
        const strangers = [...ledger.heard(mark)].filter((ear) => !expected.includes(ear))
        if (strangers.length > 0) throw new Broken(`${probe.name} was told to ${strangers.join(' and ')}, whom it does not concern`)
      }),
    )
    const [twice] = ledger.twice
    if (twice !== undefined) throw new Broken(`${twice.listener} was told ${twice.event} ${twice.mark} twice by one connection`)
    for (const [index, game] of games.entries()) {
      const times = game.asked - (asked[index] ?? 0)
      if (times !== this.#askers.length)
        throw new Broken(`${game.plan.name} was asked ${times} times by ${this.#askers.length} who asked once each`)
    }
  }

  /** What of the presences is not where it leaves this machine. They leave it a few times in a while, so this may take that while. */
  async #presenceMissing(): Promise<string | undefined> {
    const { operator, client, games } = this.#world
    const { presences } = await operator.snapshot()
    const connections = this.#askers.includes('client') ? (await client.state()).connections : undefined
    for (const [applicationId, own] of Map.groupBy(games, ({ plan }) => plan.applicationId)) {
      const here = presences.filter((one) => one.applicationId === applicationId).map(({ details }) => details ?? '')
      const there = connections?.filter(({ application }) => application === applicationId).map(({ activity }) => detailsOf(activity))
      const missing = unshown('the daemon', here, own) ?? (there && unshown('the desktop client', there, own.filter(isOfClient)))
      if (missing !== undefined) return `${missing} for ${applicationId}`
    }
    return undefined
  }

  /** Every game has one session and, since each is of another player, one presence, and no dead one has any. */
  async #sessionsMissing(): Promise<string | undefined> {
    const { games } = this.#world
    const [one] = games
    const { connections, presences } = (await one?.client.call('GET_BRIDGE_STATUS')) ?? { connections: 0, presences: 0 }
    const isWhole = connections === games.length && presences === games.length
    return isWhole ? undefined : `there are ${connections} sessions and ${presences} presences of ${games.length} games`
  }
}

const prefixed = ({ plan }: Game, missing: string | undefined): string | undefined =>
  missing === undefined ? undefined : `${plan.name}: ${missing}`
const named = ({ name }: Probe, missing: string | undefined): string | undefined =>
  missing === undefined ? undefined : `${name} does not reach ${missing}`

/** What a place shows that these games did not set last, or the other way round. */
function unshown(where: string, shown: readonly string[], games: readonly Game[]): string | undefined {
  const wanted = games.map(({ details }) => details)
  const isSame = shown.toSorted().join('\n') === wanted.toSorted().join('\n')
  return isSame ? undefined : `${where} shows "${shown.join()}", not "${wanted.join()}"`
}

const detailsOf = (shown: unknown): string => {
  const { activity } = (shown ?? {}) as { readonly activity?: { readonly details?: string } }
  return activity?.details ?? ''
}
