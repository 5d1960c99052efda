/** Formats plain data for people: one `name: value` per line, nested data indented. */
import { escapeInvisible } from '@sallyport/core/display-text'

const INDENT = '  '

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

function leaf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'string' ? escapeInvisible(value) : JSON.stringify(value)
}

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

/** The lines, without a final line break. Arrays of plain values are on one line. */
export function asText(data: unknown, indent = ''): string {
  if (!isBranch(data)) return `${indent}${leaf(data)}`
  const entries = Array.isArray(data) ? data.map((value: unknown) => ['-', value] as const) : Object.entries(data)
  if (entries.length === 0) return `${indent}none`
  return entries
    .map(([name, value]) => {
      const label = `${indent}${name === '-' ? '-' : `${escapeInvisible(name)}:`}`
      if (!isBranch(value)) return `${label} ${leaf(value)}`
      if (Array.isArray(value) && !value.some(isBranch)) return `${label} ${value.length === 0 ? 'none' : value.map(leaf).join(', ')}`
      return `${label}\n${asText(value, indent + INDENT)}`
    })
    .join('\n')
}
