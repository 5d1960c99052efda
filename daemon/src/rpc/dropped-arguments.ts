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
  if (!isObject(given) || !isObject(kept)) return undefined
  return Array.isArray(given) ? droppedFromList(given, kept) : droppedFromObject(given, kept)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function droppedFromList(given: readonly unknown[], kept: Record<string, unknown>): readonly Path[] | undefined {
  let found: Path[] | undefined
  for (let index = 0; index < given.length; index += 1) {
    const inner = given[index]
    if (isObject(inner)) found = joined(found, index, droppedFrom(inner, kept[index]))
  }
  return found
}

function droppedFromObject(given: Record<string, unknown>, kept: Record<string, unknown>): readonly Path[] | undefined {
  let found: Path[] | undefined
  for (const key in given) {
    const inner = given[key]
    // No own property is undefined, and a look at the value is cheaper than one for its owner.
    if (kept[key] === undefined) {
      if (isGiven(inner)) (found ??= []).push([key])
    } else if (isObject(inner)) found = joined(found, key, droppedFrom(inner, kept[key]))
    if (found !== undefined && found.length >= MAX_DROPPED) return found.slice(0, MAX_DROPPED)
  }
  return found
}

function joined(found: Path[] | undefined, step: PropertyKey, below: readonly Path[] | undefined): Path[] | undefined {
  return below === undefined ? found : [...(found ?? []), ...below.map((path) => [step, ...path])]
}
