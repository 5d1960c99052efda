/** Checks after a break that everything games set up is back, each event comes once, and AUTHORIZE_REQUEST comes in time. */
import { setTimeout as pause } from 'node:timers/promises'
import { LISTENERS, type Game } from './game.ts'
import { isOfClient, type Probe } from './probes.ts'
import type { World } from './world.ts'

export interface Bounds {
  /** Longest time from a recovery to AUTHORIZE_REQUEST at every game, milliseconds. */
  readonly authorizeMs: number
  /** Longest time to everything else. */
  readonly liveMs: number
}

/** Where the user requests AUTHORIZE_REQUEST: on our dashboard, or in the platform's desktop client. */
export const REQUESTERS = ['link', 'client'] as const
export type Requester = (typeof REQUESTERS)[number]

export interface Recovery {
  /** Where the first request came from, and the time until AUTHORIZE_REQUEST reached the last game. */
  readonly requester: Requester
  readonly authorizeMs: number
  /** Until every game was signed in and subscribed. */
  readonly wholeMs: number
  /** By probe, until its event reached every subscribed game. */
  readonly liveMs: Readonly<Record<string, number>>
}

/** The promise that was broken, as a sentence. */
export class Broken extends Error {}

const LOOK_MS = 10
/** The desktop client allows an application so many connections; the daemon does not try it more often. */
const CONNECTIONS_PER_MINUTE = 2
const MINUTE_MS = 60_000
/** A look at the dashboard is a connection. A hundred of them a second are more than any user makes, and would be what grows. */
const DASHBOARD_LOOK_MS = 250
/** A probe that was not received after this time is raised again, because events during an outage may be lost. */
const PROBE_MS = 500
/** What comes once too often comes a moment later. */
const ECHO_MS = 150
const FIRST_MARK = 8_000_000_000_000_000_000n

async function until(
  what: () => string | undefined | Promise<string | undefined>,
  since: number,
  boundMs: number,
  lookMs = LOOK_MS,
): Promise<void> {
  for (;;) {
    const missing = await what()
    if (missing === undefined) return
    if (performance.now() - since > boundMs) throw new Broken(`after ${boundMs} ms: ${missing}`)
    await pause(lookMs)
  }
}

/** What the probe's mark has not reached yet; undefined when it reached all. */
function unreached(world: World, expected: readonly string[], mark: string): string | undefined {
  const received = world.ledger.listenersOf(mark)
  const missing = expected.filter((listener) => !received.has(listener))
  return missing.length === 0 ? undefined : missing.join(' and ')
}

export class Recoveries {
  readonly #world: World
  readonly #probes: readonly Probe[]
  readonly #requesters: readonly Requester[]
  readonly #bounds: Bounds
  #marks = 0
  /** How often AUTHORIZE_REQUEST reached a game of each application in this check. */
  readonly #raised = new Map<string, number>()

  constructor(world: World, probes: readonly Probe[], requesters: readonly Requester[], bounds: Bounds) {
    this.#world = world
    this.#probes = probes
    this.#requesters = requesters
    this.#bounds = bounds
  }

  /** `since`: when everything was healed. Rejects with Broken. */
  async check(since: number, first: Requester): Promise<Recovery> {
    const { liveMs: boundMs } = this.#bounds
    const { games } = this.#world
    const asked = new Map(games.map((game) => [game, game.authorizeRequests]))
    this.#raised.clear()
    const authorizeMs = await this.#authorize(first, since)
    if (authorizeMs > this.#bounds.authorizeMs) {
      throw new Broken(`AUTHORIZE_REQUEST by ${first} took ${Math.round(authorizeMs)} ms to reach every game`)
    }
    for (const requester of this.#requesters) if (requester !== first) await this.#authorize(requester, since)
    for (const game of games) {
      await until(() => prefixed(game, game.missing()), since, boundMs)
    }
    const wholeMs = performance.now() - since
    const liveMs = Object.fromEntries(await Promise.all(this.#probes.map(async (probe) => [probe.name, await this.#live(probe, since)])))
    const surplus = this.#surplus(asked)
    if (surplus !== undefined) throw new Broken(surplus)
    await this.#once()
    await until(() => this.#sessionsMissing(), since, boundMs)
    return { requester: first, authorizeMs, wholeMs, liveMs: liveMs as Record<string, number> }
  }

  /** The presences are seen outside as they were set last. Rejects with Broken. */
  checkPresences(): Promise<void> {
    return until(() => this.#presenceMissing(), performance.now(), this.#bounds.liveMs, DASHBOARD_LOOK_MS)
  }

  /** Asks again and again until the last game was asked; gives when that was, from the time on at which it could be asked. */
  async #authorize(requester: Requester, since: number): Promise<number> {
    const byApplication = Map.groupBy(this.#world.games, ({ plan }) => plan.applicationId)
    const times = await Promise.all(
      [...byApplication].map(async ([applicationId, games]) => {
        const before = new Map(games.map((game) => [game, game.authorizeRequests]))
        const unasked = (): readonly Game[] => games.filter((game) => game.authorizeRequests === before.get(game))
        const ask = async (): Promise<string | undefined> => {
          if (unasked().length > 0) await this.#raise(requester, applicationId)
          const names = unasked().map(({ plan }) => plan.name)
          return names.length === 0 ? undefined : `${names.join(' and ')} was not asked by ${requester}`
        }
        await until(ask, since, this.#bounds.liveMs)
        const askedAt = performance.now()
        return askedAt - (requester === 'link' ? since : await this.#reachableSince(applicationId, since))
      }),
    )
    return Math.max(...times)
  }

  /** When the daemon could reach the desktop client: at once, or as soon as it might connect again. A daemon that starts counts anew. */
  async #reachableSince(applicationId: string, since: number): Promise<number> {
    const ages = (await this.#world.client.order('ages', applicationId)) as readonly number[]
    const now = performance.now()
    const connectedAt = now - (ages.at(-1) ?? now)
    const before = ages.at(-1 - CONNECTIONS_PER_MINUTE)
    const allowedAt = before === undefined ? since : now - before + MINUTE_MS
    // The daemon counts a connection a moment before the client has its handshake.
    return allowedAt - this.#bounds.authorizeMs <= connectedAt ? Math.max(since, Math.min(allowedAt, connectedAt)) : since
  }

  async #raise(requester: Requester, applicationId: string): Promise<void> {
    const { operator, client } = this.#world
    const isDelivered =
      requester === 'link'
        ? await operator.link(applicationId).catch(() => false)
        : Number(await client.order('authorizeRequest', applicationId)) > 0
    if (isDelivered) this.#raised.set(applicationId, (this.#raised.get(applicationId) ?? 0) + 1)
  }

  /** A game that got AUTHORIZE_REQUEST more often than it was raised. */
  #surplus(asked: ReadonlyMap<Game, number>): string | undefined {
    for (const [game, before] of asked) {
      const raised = this.#raised.get(game.plan.applicationId) ?? 0
      if (game.authorizeRequests - before > raised)
        return `${game.plan.name} was asked ${game.authorizeRequests - before} times, but there were only ${raised}`
    }
    return undefined
  }

  #nextId(): string {
    this.#marks += 1
    return String(FIRST_MARK + BigInt(this.#marks))
  }

  #listenersOf({ isSubscribedBy, isFor = () => true }: Probe): readonly string[] {
    const games = this.#world.games.filter((game) => isSubscribedBy(game, this.#world) && isFor(game))
    return games.flatMap((game) => LISTENERS.map((which) => game.listenerName(which)))
  }

  /** Until a probe reaches all that it is for. */
  async #live(probe: Probe, since: number): Promise<number> {
    const expected = this.#listenersOf(probe)
    for (;;) {
      const mark = await probe.raise(this.#world, this.#nextId())
      const raisedAt = performance.now()
      while (performance.now() - raisedAt < PROBE_MS) {
        if (unreached(this.#world, expected, mark) === undefined) return performance.now() - since
        await pause(LOOK_MS)
      }
      if (performance.now() - since > this.#bounds.liveMs) {
        throw new Broken(`${probe.name} does not reach ${unreached(this.#world, expected, mark)}`)
      }
    }
  }

  /** Everything works again: now each probe reaches exactly those that it is for, and each of them once. */
  async #once(): Promise<void> {
    const { ledger, games } = this.#world
    // Requests made during the recovery have arrived by then.
    await pause(ECHO_MS)
    ledger.setWhole(true)
    const asked = games.map((game) => game.authorizeRequests)
    const raisedAt = performance.now()
    for (const requester of this.#requesters) {
      for (const applicationId of new Set(games.map(({ plan }) => plan.applicationId))) await this.#raise(requester, applicationId)
    }
    await Promise.all(
      this.#probes.map(async (probe) => {
        const expected = this.#listenersOf(probe)
        const mark = await probe.raise(this.#world, this.#nextId())
        await until(() => named(probe, unreached(this.#world, expected, mark)), raisedAt, this.#bounds.liveMs)
        await pause(ECHO_MS)
        const unexpected = [...ledger.listenersOf(mark)].filter((listener) => !expected.includes(listener))
        if (unexpected.length > 0) throw new Broken(`${probe.name} reached ${unexpected.join(' and ')} without a subscription`)
      }),
    )
    const [duplicate] = ledger.duplicates
    if (duplicate !== undefined)
      throw new Broken(`${duplicate.listener} received ${duplicate.event} ${duplicate.mark} twice on one connection`)
    for (const [index, game] of games.entries()) {
      const times = game.authorizeRequests - (asked[index] ?? 0)
      if (times !== this.#requesters.length)
        throw new Broken(`${game.plan.name} was asked ${times} times by ${this.#requesters.length} who asked once each`)
    }
  }

  /** Presences that are missing where they leave this machine. They are sent out at a limited rate, so this may take some time. */
  async #presenceMissing(): Promise<string | undefined> {
    const { operator, client, games } = this.#world
    const { presences } = await operator.state()
    const connections = this.#requesters.includes('client') ? (await client.state()).connections : undefined
    for (const [applicationId, own] of Map.groupBy(games, ({ plan }) => plan.applicationId)) {
      const here = presences.filter((one) => one.application_id === applicationId).map(({ details }) => details ?? '')
      const there = connections?.filter(({ application }) => application === applicationId).map(({ activity }) => detailsOf(activity))
      const missing = unshown('the daemon', here, own) ?? (there && unshown('the desktop client', there, own.filter(isOfClient)))
      if (missing !== undefined) return `${missing} for ${applicationId}`
    }
    return undefined
  }

  /** Every game has one session and, since each is of another player, one presence, and no dead one has any. */
  async #sessionsMissing(): Promise<string | undefined> {
    const { games, operator } = this.#world
    const { games: connected, presences } = await operator.state()
    const isWhole = connected.length === games.length && presences.length === games.length
    return isWhole ? undefined : `there are ${connected.length} sessions and ${presences.length} presences of ${games.length} games`
  }
}

const prefixed = ({ plan }: Game, missing: string | undefined): string | undefined =>
  missing === undefined ? undefined : `${plan.name}: ${missing}`
const named = ({ name }: Probe, missing: string | undefined): string | undefined =>
  missing === undefined ? undefined : `${name} does not reach ${missing}`

/** What a place shows that these games did not set last, or the other way round. */
function unshown(where: string, shown: readonly string[], games: readonly Game[]): string | undefined {
  const set = games.map(({ details }) => details)
  const isSame = shown.toSorted().join('\n') === set.toSorted().join('\n')
  return isSame ? undefined : `${where} shows "${shown.join()}", not "${set.join()}"`
}

const detailsOf = (shown: unknown): string => {
  const { activity } = (shown ?? {}) as { readonly activity?: { readonly details?: string } }
  return activity?.details ?? ''
}
