/**
 * Finds the platform's own desktop client among all that may listen where games look: the first that runs, is no bridge of this kind, and
 * serves the same platform as this daemon. What is something else is remembered, so that nobody knocks there twice; what takes presence and
 * answers nothing else comes last.
 */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Dialling, Door } from '../../ipc/transport/dial.ts'
import { Connection } from './connection.ts'
import type { Places } from './places.ts'
import { type Found, type Knock, type Ready, search } from './search.ts'

export interface FinderParts {
  readonly places: Pick<Places, 'paths'>
  readonly dialling: Dialling
  readonly clock: Clock
  readonly log: Logger
  /** Where this daemon itself listens. */
  readonly ownAddresses: () => readonly string[]
  /** What READY of a client of our platform says: `//host/path`, without version. */
  readonly apiEndpoint: string
}

export interface FindOptions {
  /** One that takes presence only is there already. */
  readonly isBetterWanted?: boolean
  /** Nobody waits for it any more. */
  readonly stop?: CancelSignal
}

/** How long READY may take; longer where a client was before, since one that was asked often lately delays it. */
const READY_MS = 5_000
const READY_AGAIN_MS = 60_000
/** How long it holds up the next door; longer where a client was before, since another one may be another user's. */
const PATIENCE_MS = 500
const PATIENCE_AGAIN_MS = 5_000
/** Sockets of which something is remembered; old ones are long gone. */
const KNOWN_MAX = 64

const partsOf = (endpoint: string): { host: string; path: string } => {
  const [host = '', ...path] = endpoint
    .toLowerCase()
    .replace(/^([a-z]+:)?\/\//, '')
    .replace(/(\/v\d+)?\/*$/, '')
    .split('/')
  return { host, path: path.join('/') }
}

/** The same platform: test builds of its client ask a host below the usual one. */
export function isSamePlatform(theirs: unknown, ours: string): boolean {
  if (typeof theirs !== 'string') return false
  const one = partsOf(theirs)
  const other = partsOf(ours)
  return one.path === other.path && (one.host === other.host || one.host.endsWith(`.${other.host}`))
}

const asObject = (value: unknown): Ready => (typeof value === 'object' && value !== null ? (value as Ready) : {})

/** Why the server behind a READY is none for us; undefined when it is one. */
function objection({ bridge, config }: Ready, apiEndpoint: string): string | undefined {
  if (asObject(bridge)['name'] !== undefined) return 'another bridge of this kind'
  if (!isSamePlatform(asObject(config)['api_endpoint'], apiEndpoint)) return 'a client of another platform'
  return undefined
}

const isSameDoor = (one: Door | undefined, other: Door): boolean => one?.path === other.path && one.file === other.file

export class Finder {
  readonly #parts: FinderParts
  /** Of the client that was found last: where one application is linked, the others should be too. */
  #last: Door | undefined
  /** By path, what the socket there was found to be; another socket may be anything. */
  readonly #known = new Map<string, { readonly file: string; readonly is: 'other' | 'presence-only' }>()

  constructor(parts: FinderParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  find(applicationId: string, { isBetterWanted = false, stop }: FindOptions = {}): Promise<Found> {
    const doors = this.#doors()
    const better = doors.filter((door) => this.#knownOf(door) === undefined)
    const last = isBetterWanted ? [] : doors.filter((door) => this.#knownOf(door) === 'presence-only')
    return search(this.#parts.clock, [...better, ...last], (door) => this.#knock(door, applicationId), stop)
  }

  /** It turned out to take presence only, or to answer after all. A pipe looks like the one that took its place: of those nothing is kept. */
  know({ path, file }: Door, isPresenceOnly: boolean): void {
    if (!isPresenceOnly) this.#known.delete(path)
    else if (file !== undefined) this.#keep(path, file, 'presence-only')
  }

  #keep(path: string, file: string, is: 'other' | 'presence-only'): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(path, { file, is })
  }

  #knownOf({ path, file }: Door): 'other' | 'presence-only' | undefined {
    const known = this.#known.get(path)
    return known !== undefined && known.file === file ? known.is : undefined
  }

  #doors(): Door[] {
    const { places, dialling, ownAddresses } = this.#parts
    const own = new Set(ownAddresses())
    const paths = places.paths.filter((path) => !own.has(path))
    const last = this.#last?.path
    const ordered = last !== undefined && paths.includes(last) ? [last, ...paths] : paths
    return [...new Set(ordered)].flatMap((path) => dialling.doorAt(path) ?? [])
  }

  #knock(door: Door, applicationId: string): Knock {
    const { dialling, clock, log } = this.#parts
    let connection: Connection | undefined
    let isGivenUp = false
    const without = Promise.withResolvers<Found>()
    const giveUp = (): void => {
      isGivenUp = true
      connection?.close()
      // Also while the system is still at it: opening a pipe may take its time.
      without.resolve('silent')
    }
    const isPresenceOnly = this.#knownOf(door) === 'presence-only'
    const isAgain = isSameDoor(this.#last, door)
    const cancelTimer = clock.after(isAgain ? READY_AGAIN_MS : READY_MS, giveUp)
    const asked = async (): Promise<Found> => {
      try {
        await dialling.dial(door, (link) => (connection = new Connection(link, { applicationId, clock, isPresenceOnly })))
      } catch {
        return 'refused'
      }
      if (connection === undefined) return 'refused'
      if (isGivenUp) connection.close()
      try {
        return this.#judged(door, connection, await connection.ready)
      } catch (failure) {
        const { isTurnedAway } = connection
        log.debug('desktop-client-silent', { path: door.path, reason: (failure as Error).message })
        return isTurnedAway ? 'turned-away' : 'silent'
      }
    }
    const outcome = Promise.race([asked(), without.promise]).finally(cancelTimer)
    return { outcome, giveUp, patienceMs: isAgain ? PATIENCE_AGAIN_MS : PATIENCE_MS }
  }

  #judged(door: Door, connection: Connection, ready: Ready): Found {
    const { log, apiEndpoint } = this.#parts
    const reason = objection(ready, apiEndpoint)
    if (reason === undefined) {
      this.#last = door
      return { door, connection, ready }
    }
    connection.close()
    log.info('desktop-client-passed-over', { path: door.path, reason })
    if (door.file !== undefined) this.#keep(door.path, door.file, 'other')
    return 'nobody'
  }
}
