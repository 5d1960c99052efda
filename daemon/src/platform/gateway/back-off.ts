/** How long to wait before the next try. Pure. */

const FIRST_MS = 1000
const MOST_MS = 60_000
/** A connection that lived so long was a good one: what failed before it counts no more. */
const HEALTHY_MS = 10_000
/** A gateway that lets us in and then breaks again and again is up: it is asked every few seconds, not every minute. */
const FLAPPING_FAILURES = 4

/** `livedMs`: how long the connection was live; undefined: it never was. */
export function failuresAfter(failures: number, livedMs: number | undefined): number {
  if (livedMs === undefined) return failures + 1
  return livedMs >= HEALTHY_MS ? 0 : Math.min(failures + 1, FLAPPING_FAILURES)
}

/** `chance`, a number from 0 to 1, spreads those that lost their connections at the same moment. */
export const pauseMs = (failures: number, chance: number): number =>
  failures === 0 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS) * (0.5 + chance / 2)
