/** The text of arguments, the same for equal ones in any order of their members. Pure. */

/** A list has its order; the members of an object have none. */
const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

export const canonicalText = (args: unknown): string => JSON.stringify(args, sorted)
