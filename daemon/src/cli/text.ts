/** Tables for people. */
import { escapeInvisible } from '@sallyport/core/display-text'

const GAP = '  '

/** A table with aligned columns. */
export function asTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows].map((cells) => cells.map(escapeInvisible))
  const widths = heads.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}
