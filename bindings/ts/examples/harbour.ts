/** The rules of Dockside, independent of the bridge. Pure, so that every run plays the same. */

export interface Ship {
  readonly name: string
  readonly cargo: string
  readonly crates: number
}

export interface Landing {
  readonly ship: Ship
  /** Crates that made it ashore before the tide turned. */
  readonly landed: number
  readonly story: string
}

const NAMES = ['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum', 'Second Breakfast'] as const
const CARGOES = ['oranges', 'piano keys', 'umbrellas', 'printing ink', 'snow globes', 'bicycle bells'] as const

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

export const shipOf = (round: number): Ship => ({
  name: at(NAMES, round),
  cargo: at(CARGOES, round * 5 + 2),
  crates: 8 + ((round * 7) % 9),
})

/** What the crew lands in this round: the tide swallows a few crates every third time. */
export function land(round: number): Landing {
  const ship = shipOf(round)
  const lost = round % 3 === 2 ? 1 + (round % 4) : 0
  const landed = ship.crates - lost
  const story =
    lost === 0
      ? `all ${landed} crates of ${ship.cargo} ashore`
      : `${landed} of ${ship.crates} crates of ${ship.cargo} ashore, the tide took the rest`
  return { ship, landed, story }
}

export const crane = (landed: number): string => '▣'.repeat(landed)

export const rankOf = (score: number, rounds: number): string =>
  score >= rounds * 11 ? 'harbour master' : score >= rounds * 9 ? 'first mate' : 'deckhand'
