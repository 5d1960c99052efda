/** Reads the usage line of a command as what it is: a grammar of its operands. Pure. */

export interface Operand {
  /** A word to type as it is, or a name such as FILE for what the user chooses. */
  readonly text: string
  readonly isWord: boolean
  readonly isRepeated: boolean
}

/** Operands in their order. */
export type Alternative = readonly Operand[]

const FLAGS = /\[flags\]|--[a-z-]+ [A-Z]+/g
const BRACKETS = /[[\]]/g
const DOTS = /(?:\u2026|\.\.\.)$/
const WORD = /^[a-z-]+$/

function operandOf(shown: string): Operand {
  const text = shown.replace(DOTS, '')
  return { text, isWord: WORD.test(text), isRepeated: text !== shown }
}

/** What the operands of a command can be. `[pause|resume] [flags]` has two alternatives of one word. */
export const alternativesOf = (usage: string): readonly Alternative[] =>
  usage
    .replaceAll(FLAGS, '')
    .replaceAll(BRACKETS, '')
    .split('|')
    .map((one) => one.split(/\s+/).filter(Boolean).map(operandOf))

/** The words of which a command takes one as its first operand; empty if it also takes another text there. */
export function firstWords(usage: string): readonly string[] {
  const first = alternativesOf(usage).map(([operand]) => operand)
  return first.every((operand) => operand?.isWord === true) ? first.map((operand) => operand?.text ?? '') : []
}
