/**
 * Finds the platform's own desktop client among all that may listen where games look: the first that runs, is no bridge of this kind, and
 * serves the same platform as this daemon. What is something else is remembered, so that nobody knocks there twice.
 */
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import type { Dialling, Door } from '../../transport/dial.ts'
import { Connection } from './connection.ts'
import type { Places } from './places.ts'

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

export type Ready = Readonly<Record<string, unknown>>

/** `refused`: a socket is there, and nobody listens on it (yet). `silent`: somebody listens, and does not say what a client says (yet). */
export type NotFound = 'nobody' | 'refused' | 'silent'
export interface FoundClient {
  readonly connection: Connection
  readonly ready: Ready
}
export type Found = FoundClient | NotFound

/** How long READY may take; longer where a client was before, since one that was asked often lately delays it. */
const READY_MS = 5_000
const READY_AGAIN_MS = 60_000
/** Sockets that are remembered as something else; old ones are long gone. */
const OTHERS_MAX = 64

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

export class Finder {
  readonly #parts: FinderParts
  /** Path of the client that was found last: where one application is linked, the others should be too. */
  #last: string | undefined
  readonly #others = new Map<string, string>()

  constructor(parts: FinderParts) {
    this.#parts = parts
  }

  /** Never rejects. */
  async find(applicationId: string): Promise<Found> {
    let outcome: NotFound = 'nobody'
    for (const door of this.#doors()) {
      const found = await this.#try(door, applicationId)
      if (typeof found === 'object') return found
      if (found === 'silent' || (found === 'refused' && outcome === 'nobody')) outcome = found
    }
    return outcome
  }

  #doors(): Door[] {
    const { places, dialling, ownAddresses } = this.#parts
    const own = new Set(ownAddresses())
    const paths = places.paths.filter((path) => !own.has(path))
    const ordered = this.#last !== undefined && paths.includes(this.#last) ? [this.#last, ...paths] : paths
    return [...new Set(ordered)].flatMap((path) => {
      const door = dialling.doorAt(path)
      return door === undefined || (door.file !== undefined && this.#others.get(path) === door.file) ? [] : [door]
    })
  }

  async #try(door: Door, applicationId: string): Promise<Found> {
    const { dialling, clock, log, apiEndpoint } = this.#parts
    let connection: Connection | undefined
    try {
      await dialling.dial(door, (link) => (connection = new Connection(link, { applicationId, clock })))
    } catch {
      return 'refused'
    }
    if (connection === undefined) return 'refused'
    const opened: Connection = connection
    const cancelTimer = clock.after(door.path === this.#last ? READY_AGAIN_MS : READY_MS, () => opened.close())
    try {
      const ready = await opened.ready
      const reason = objection(ready, apiEndpoint)
      if (reason === undefined) {
        this.#last = door.path
        return { connection: opened, ready }
      }
      opened.close()
      log.info('desktop-client-passed-over', { path: door.path, reason })
      if (door.file !== undefined) {
        if (this.#others.size >= OTHERS_MAX) this.#others.clear()
        this.#others.set(door.path, door.file)
      }
      return 'nobody'
    } catch (failure) {
      log.debug('desktop-client-silent', { path: door.path, reason: (failure as Error).message })
      return 'silent'
    } finally {
      cancelTimer()
    }
  }
}
