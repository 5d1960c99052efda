/** Splits a Windows command line into arguments by the rules of CommandLineToArgvW. Pure. */

/** The first argument ends at its quote or at the first blank; backslashes have no special meaning. */
const FIRST = /^(?:"([^"]*)"?|(\S*))/
/** Backslashes up to a quote; other backslashes; blanks; anything else. */
const PARTS = /\\*"|\\+|\s+|[^\\"\s]+/g

export function wordsOfLine(line: string): readonly string[] {
  const first = FIRST.exec(line)
  const words = [first?.[1] ?? first?.[2] ?? '']
  let word: string | undefined
  let isQuoted = false
  /** A quote directly after a closing quote is literal, and the text stays quoted. */
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
