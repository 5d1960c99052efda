/**
 * What a report has of the message of a call: its form without what a user wrote. Each letter is an `a` and each digit a `1`, so that a text keeps its
 * length in every way to count it, and breaks the same rules. Pure.
 */
import { REDACTED, UNKNOWN } from '@sallyport/core/redacted'
import { schemaOf } from '../rpc/masked-arguments.ts'
import { withTextsIn } from '../rpc/known-names.ts'

/** A message as traces have it. */
export interface TracedMessage {
  readonly cmd: string
  readonly evt?: unknown
  readonly args?: unknown
}

/** By the bytes of a character in UTF-8. */
const LETTERS = ['', 'a', '\u00e9', '\u5b57', '\u{20000}']
/** What says how a text is read: the scheme of an address, the type of data. */
const START = /^(?:data:[a-z]+\/[\w.+-]+;base64,|[a-z][a-z0-9+.-]*:\/\/)/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/
const PUNCTUATION = /[\s!-/:-@[-`{-~]/
const DIGIT = /[0-9]/

function letterFor(character: string): string {
  if (PUNCTUATION.test(character)) return character
  return DIGIT.test(character) ? '1' : (LETTERS[Buffer.byteLength(character)] ?? 'a')
}

/** A text of the same form. Markers of secrets stay, and times, which no user wrote. */
export function sameForm(text: string): string {
  if (text === REDACTED || text === UNKNOWN || TIME.test(text)) return text
  const start = START.exec(text)?.[0] ?? ''
  return start + Array.from(text.slice(start.length), letterFor).join('')
}

/** Values that the tables of the protocol list stay. */
export const withoutTexts = ({ cmd, evt, args }: TracedMessage): TracedMessage => ({
  cmd,
  ...(evt === undefined ? {} : { evt }),
  ...(args === undefined ? {} : { args: withTextsIn(args, schemaOf(cmd, evt), sameForm) }),
})
