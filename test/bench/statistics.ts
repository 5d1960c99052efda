/** Statistics of repeated measurements: medians, and ratios of values measured side by side. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of the ratios turn by turn: what slows the machine down for a while slows both sides of a ratio. */
export const pairedRatio = (values: readonly number[], base: readonly number[]): number =>
  median(values.flatMap((value, turn) => (base[turn] === undefined ? [] : [value / base[turn]])))

/** Runs `measure` for each name in turn, `rounds` times. Each round begins with the next name, so that none always follows the same one. */
export async function inTurns<Name extends string, Figure = number>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Figure>,
): Promise<Record<Name, Figure[]>> {
  const measured = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Name, Figure[]>
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!
      measured[name].push(await measure(name))
    }
  }
  return measured
}
