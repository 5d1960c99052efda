/** The words of a Windows command line, which is one text there: by the rules of CommandLineToArgvW. Pure. */

/** The first word ends at its own quote or at the first blank; backslashes mean nothing in it. */
const FIRST = /^(?:"([^"]*)"?|(\S*))/
/** Backslashes up to a quote; other backslashes; blanks; anything else. */
const PARTS = /\\*"|\\+|\s+|[^\\"\s]+/g

export function wordsOfLine(line: string): readonly string[] {
  const first = FIRST.exec(line)
  const words = [first?.[1] ?? first?.[2] ?? '']
  let word: string | undefined
  let isQuoted = false
  /** A second quote behind one that closed stands for itself, and nothing was closed. */
  let hasJustClosed = false
  for (const [part] of line.slice(first?.[0].length).matchAll(PARTS)) {
    if (part.endsWith('"')) {
      const slashes = part.length - 1
      word = (word ?? '') + '\\'.repeat(slashes >> 1)
      const isLiteral: boolean = slashes % 2 === 1 || (hasJustClosed && slashes === 0)
      if (isLiteral) word += '"'
      hasJustClosed = !isLiteral && isQuoted
      if (slashes % 2 === 0) isQuoted = !isQuoted
      continue
    }
    hasJustClosed = false
    if (isQuoted || part.trim() !== '') {
      word = (word ?? '') + part
    } else {
      if (word !== undefined) words.push(word)
      word = undefined
    }
  }
  if (word !== undefined) words.push(word)
  return words
}
