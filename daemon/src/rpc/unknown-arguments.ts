/**
 * Arguments that no table knows. The platform may know them, so a forwarded row takes them out before the check and puts them back after it.
 * Pure.
 */
import { ENDPOINTS, type EndpointRow, type Parser } from '@sallyport/protocol'
import { once } from '@sallyport/core/once'
import type { CallWarning } from '@sallyport/protocol/wire'
import type * as z from 'zod'
import { pathOf } from './validate.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** More in one call are no new fields of the platform, and their names would fill the response. */
const MAX_UNKNOWN = 32
/** Levels of objects in the deepest arguments: an unknown name may hide others below it. */
const MAX_ROUNDS = 16

/** Names that mean something to the bridge on some row. They are refused elsewhere, because the game means the bridge and not the platform. */
const reservedNames = once((): ReadonlySet<PropertyKey> => {
  const rows = Object.values<EndpointRow>(ENDPOINTS)
  const names = rows.flatMap(({ asBotArgument, reasonArgument, upload }) => [
    asBotArgument,
    reasonArgument,
    upload?.argument,
    upload?.limitArgument,
  ])
  return new Set([...names.filter((name) => name !== undefined), 'payload_json'])
})

/** The unknown names among the issues of a check. Of a union, those of the branch that has no other problem. */
export function unknownIn(issues: readonly Issue[], at: Path = []): readonly Path[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...at, ...issue.path, key])
    if (issue.code !== 'invalid_union') return []
    const branches = issue.errors.filter((branch) => branch.length > 0 && branch.every(isAboutNames))
    return branches.map((branch) => unknownIn(branch, [...at, ...issue.path])).toSorted((a, b) => a.length - b.length)[0] ?? []
  })
}

const isAboutNames = (issue: Issue): boolean =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_union' && issue.errors.some((branch) => branch.length > 0 && branch.every(isAboutNames)))

const isFields = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null

/** A copy without what the paths name. */
export function without(value: unknown, paths: readonly Path[]): unknown {
  if (!isFields(value)) return value
  const below = Map.groupBy(paths, ([key]) => key)
  const copyOf = (key: PropertyKey, inner: unknown): unknown => {
    const rest = below.get(key)
    return rest === undefined
      ? inner
      : without(
          inner,
          rest.map((path) => path.slice(1)),
        )
  }
  if (Array.isArray(value)) return value.map((inner: unknown, index) => copyOf(index, inner))
  const isRemoved = (key: string): boolean => below.get(key)?.some(({ length }) => length === 1) === true
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isRemoved(key))
      .map(([key, inner]) => [key, copyOf(key, inner)]),
  )
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), root)

/** Writes what the paths name in `given` into `target`, which has the same shape. */
function putBack(target: unknown, given: unknown, paths: readonly Path[]): void {
  for (const path of paths) {
    const owner = valueAt(target, path.slice(0, -1))
    const name = path.at(-1)
    // A plain assignment to `__proto__` would change the object's prototype.
    if (isFields(owner) && name !== undefined)
      Object.defineProperty(owner, name, { value: valueAt(given, path), enumerable: true, writable: true, configurable: true })
  }
}

export interface TolerantArguments<Output> {
  readonly args: Output
  readonly warnings: readonly CallWarning[]
}

const warningOf = (path: Path): CallWarning => ({
  path: pathOf(path),
  reason: 'This bridge does not know the argument. It passed it to the platform, which may ignore it.',
})

/**
 * The arguments with unknown ones unchecked, and a warning for each of these; else the problems of another kind, such as a name that the
 * bridge reserves. `strict`: the result of the check of all arguments.
 */
export function parseTolerantly<Schema extends z.ZodType>(
  parse: Parser<Schema>,
  given: unknown,
  strict: z.ZodSafeParseError<z.output<Schema>>,
): TolerantArguments<z.output<Schema>> | z.ZodSafeParseError<z.output<Schema>> {
  const paths: Path[] = []
  let refused = strict
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = unknownIn(refused.error.issues).filter((path) => !isReserved(path))
    if (found.length === 0) return refused
    paths.push(...found)
    if (paths.length > MAX_UNKNOWN) return strict
    const parsed = parse(without(given, paths))
    if (parsed.success) {
      putBack(parsed.data, given, paths)
      return { args: parsed.data, warnings: paths.map(warningOf) }
    }
    refused = parsed
  }
  return strict
}

const isReserved = (path: Path): boolean => path.includes('__proto__') || (path.length === 1 && reservedNames().has(path[0] ?? ''))
