/** Makes untrusted text safe to display: escapes invisible characters and truncates long text. Pure; the dashboard's page runs it too. */

/**
 * The escaped characters: control, format and bidirectional marks, line and paragraph separators, lone surrogates, private and unassigned
 * characters, invisible letters, every space except U+0020, a leading space, the third and later of a run of spaces, and the fifth and later
 * mark on one letter.
 */
const INVISIBLE_CHARACTERS = /^ |(?<= {2}) |(?<=\p{M}{4})\p{M}|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Replaces such characters by `\u{202e}`. */
export const escapeInvisible = (text: string): string =>
  text.replace(INVISIBLE_CHARACTERS, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)

/** Of those characters, all but what lays out text of several lines. */
const UNSEEN = /(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Most texts have nothing else, and the log escapes each line. */
const PLAIN = /^[\n\t\x20-\x7e]*$/

const jsonEscape = (mark: string): string =>
  Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Replaces such characters by `\u202e`. JSON has them inside of its texts only, so it parses to the same value. */
export const escapeUnseen = (text: string): string => (PLAIN.test(text) ? text : text.replace(UNSEEN, jsonEscape))

/** Limits, in displayed characters. */
const NAME_CHARACTERS = 64
const PATH_CHARACTERS = 256

/** Truncates before escaping to limit the work; escaping never shortens a text. */
function ends(text: string, max: number): { readonly start: readonly string[]; readonly end: readonly string[]; readonly omitted: number } {
  if (text.length <= 2 * max) return { start: Array.from(escapeInvisible(text)), end: [], omitted: 0 }
  const [start, end] = [Array.from(escapeInvisible(text.slice(0, max))), Array.from(escapeInvisible(text.slice(-max)))]
  return { start, end, omitted: text.length - 2 * max }
}

/** Truncates at the end. */
export function toDisplayName(text: string, max = NAME_CHARACTERS): string {
  const { start, omitted } = ends(text, max)
  return start.length <= max && omitted === 0 ? start.join('') : `${start.slice(0, max - 1).join('')}…`
}

/** Nothing in such a text is escaped: most paths are one, and the log has one for each connection. */
const VISIBLE = /^[!-~]*$/

/** Truncates in the middle, because start and end identify a path. Includes the number of omitted characters. */
export function toDisplayPath(path: string, max = PATH_CHARACTERS): string {
  if (path.length <= max && VISIBLE.test(path)) return path
  const { start, end, omitted } = ends(path, max)
  if (start.length <= max && omitted === 0) return start.join('')
  const all = omitted === 0 ? start : [...start, ...end]
  const half = Math.floor((max - ELLIPSIS_CHARACTERS) / 2)
  return `${all.slice(0, half).join('')}…(${all.length - 2 * half + omitted} more)…${all.slice(-half).join('')}`
}

/** Room for the text between both ends. */
const ELLIPSIS_CHARACTERS = 20
