/** Breaks text into lines for a terminal. Pure. */

/** Longer words have a line of their own. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= columns || line === '') line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

export const indented = (text: string, columns: number, indent: string): string =>
  wrapped(text, columns - indent.length)
    .map((line) => `${indent}${line}`)
    .join('\n')

const INDENT = '  '
const GAP = '  '
/** A longer name has a line of its own. */
const MAX_NAME = 26
/** With fewer, texts are below the names. */
const MIN_TEXT = 30

/** Names and texts side by side, or a text below its name in a narrow window. */
export function asColumns(rows: readonly (readonly [string, string])[], columns: number): string {
  const width = Math.min(MAX_NAME, Math.max(...rows.map(([name]) => name.length)))
  const isWide = columns - INDENT.length - width - GAP.length >= MIN_TEXT
  const indent = isWide ? ' '.repeat(INDENT.length + width + GAP.length) : INDENT.repeat(2)
  return rows
    .map(([name, text]) => {
      const body = indented(text, columns, indent)
      const isBeside = isWide && name.length <= width
      return isBeside ? `${INDENT}${name}${body.slice(INDENT.length + name.length)}` : `${INDENT}${name}\n${body}`
    })
    .join('\n')
}
