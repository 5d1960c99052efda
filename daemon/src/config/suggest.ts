/** Finds the name somebody probably meant. */

/** Number of letters to insert, delete, replace or swap with their neighbour to get from one text to the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let least = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) least = Math.min(least, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(least)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}

/** The nearest of the names when it is near enough to be a slip, as ` Did you mean …?`; else nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}
