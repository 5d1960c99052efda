/** Suggestions for misspelled names. */

/** The Damerau-Levenshtein distance (optimal string alignment). */
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

/** ` Did you mean …?` with the nearest name, or an empty text if none is near. */
export function didYouMean(given: string, names: Iterable<string>): string {
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}
