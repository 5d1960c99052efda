/** The text of arguments, the same for equal ones in any order of their members. Pure. */

/** A list has its order; the members of an object have none. Not JSON: only to be compared. */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  let members = ''
  for (const [name, member] of Object.entries(value).toSorted(byName))
    if (member !== undefined) members += `${JSON.stringify(name)}:${canonicalText(member)},`
  return `{${members}}`
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1)
