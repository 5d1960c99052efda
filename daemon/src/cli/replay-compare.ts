/** Compares what a bridge sent in a recording with what it sends now. Pure. */

import { BoundedMap } from '@sallyport/core/bounded-map'

/** A place where they differ. */
export interface Difference {
  readonly path: string
  readonly recorded: unknown
  readonly now: unknown
}

const SNOWFLAKE = /^\d{16,20}$/
/** A made-up id: a UUID or hexadecimal digits. */
const MADE_UP_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,})$/i
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
/** Later times are in seconds or milliseconds since 1970; 2001 in seconds. */
const FIRST_TIME = 1_000_000_000
/** Servers of this machine take any free port. */
const LOCAL_PORT = /\b(127\.0\.0\.1|localhost|\[::1\]):\d+/g
/** Facts about the process and its moment. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['pid', 'uptime_s', 'connections'])

/** Numbers connections and messages of one bridge; recordings of older ones lack it. */
const CALL_ID = 'call_id'

const withoutPorts = (value: unknown): unknown => (typeof value === 'string' ? value.replace(LOCAL_PORT, '$1') : value)

const isId = (value: unknown): value is string => typeof value === 'string' && (SNOWFLAKE.test(value) || MADE_UP_ID.test(value))

const isTime = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) && value >= FIRST_TIME : typeof value === 'string' && ISO_TIME.test(value)

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** Every value below an object that is no object itself. */
function leavesOf(value: unknown): readonly unknown[] {
  return isBranch(value) ? Object.values(value).flatMap(leavesOf) : [value]
}

/** Pairs that are remembered: a long recording forgets the oldest. */
const MAX_PAIRS = 65_536

/** Ids that the platform makes anew: which one of the recording is which one now. Each has exactly one counterpart. */
export class IdPairs {
  readonly #now = new BoundedMap<string, string>(MAX_PAIRS)
  readonly #recorded = new BoundedMap<string, string>(MAX_PAIRS)

  /** Whether these are counterparts; two ids without one become counterparts. */
  pair(recorded: string, now: string): boolean {
    const known = this.#now.get(recorded)
    if (known !== undefined || this.#recorded.has(now)) return known === now
    this.#now.set(recorded, now)
    this.#recorded.set(now, recorded)
    return true
  }

  /** Whether these were counterparts before. */
  isPair(recorded: unknown, now: unknown): boolean {
    return typeof recorded === 'string' && this.#now.has(recorded) && this.#now.get(recorded) === now
  }

  /** What the game sends now instead of what it sent: with the ids of now. */
  translated(sent: unknown): unknown {
    if (typeof sent === 'string') return this.#now.get(sent) ?? sent
    if (Array.isArray(sent)) return sent.map((one) => this.translated(one))
    if (!isBranch(sent)) return sent
    return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, this.translated(value)]))
  }
}

/**
 * The differences that are not in the nature of a second run: times, ids that the platform makes anew, ports of this machine, and facts
 * about the process may differ. What the game itself sent (`sent`) may not.
 */
export function compare(recorded: unknown, now: unknown, sent: unknown, ids: IdPairs): readonly Difference[] {
  const own = new Set(leavesOf(sent))
  const at = (before: unknown, after: unknown, path: string, name: string): readonly Difference[] => {
    if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
      const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      return names.flatMap((inner) => at(before[inner], after[inner], path === '' ? inner : `${path}.${inner}`, inner))
    }
    if (Object.is(before, after)) {
      if (isId(before)) ids.pair(before, before)
      return []
    }
    const isNatural =
      name === CALL_ID ||
      // The game sent the id of now in place of this one.
      ids.isPair(before, after) ||
      (!own.has(before) &&
        (withoutPorts(before) === withoutPorts(after) ||
          (isId(before) && isId(after) && ids.pair(before, after)) ||
          (isTime(before) && isTime(after)) ||
          (OF_THE_MOMENT.has(name) && typeof before === typeof after)))
    return isNatural ? [] : [{ path, recorded: before, now: after }]
  }
  return at(recorded, now, '', '')
}
