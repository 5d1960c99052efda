/** What the check of a tolerant command dropped from its arguments. */

type Path = readonly PropertyKey[]

/** More names are noise of a library, not of its user. */
const MAX_DROPPED = 32

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/**
 * The paths that `given` has and `kept`, its parsed form, has not. Absent values are not dropped, because they mean nothing. Undefined for
 * none: this runs for each activity and allocates nothing then.
 */
export function droppedFrom(given: unknown, kept: unknown): readonly Path[] | undefined {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return undefined
  let found: Path[] | undefined
  for (const key in given) {
    const inner = (given as Record<string, unknown>)[key]
    const step = Array.isArray(given) ? Number(key) : key
    if (!Object.hasOwn(kept, key)) {
      if (isGiven(inner)) (found ??= []).push([step])
    } else if (typeof inner === 'object') {
      const below = droppedFrom(inner, (kept as Record<string, unknown>)[key])
      if (below !== undefined) (found ??= []).push(...below.map((path) => [step, ...path]))
    }
    if (found !== undefined && found.length >= MAX_DROPPED) return found.slice(0, MAX_DROPPED)
  }
  return found
}
