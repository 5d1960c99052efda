/** Text that others wrote, fit to be shown: what cannot be seen is spelled out, and what is long is cut. Pure. */

/**
 * What is spelled out, as the source of a regular expression with the flag `u`; the page of the dashboard is given the same. Control, format
 * and bidirectional marks, separators of lines and paragraphs, halves of pairs, private and unassigned characters, letters that show nothing,
 * every space but the ordinary one, a space at the beginning, the third and later of a run of spaces, and marks that pile up on one letter.
 */
export const UNSEEN = String.raw`^ |(?<= {2}) |(?<=\p{M}{4})\p{M}|(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`

const UNSEEN_MARKS = new RegExp(UNSEEN, 'gu')

/** The same text with such characters as `\u{202e}`. */
export const spelled = (text: string): string => text.replace(UNSEEN_MARKS, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)

/** Greatest lengths, in characters as they are shown. */
const NAME_CHARACTERS = 64
const PATH_CHARACTERS = 256

/** Bounds the work before anything is spelled out: no text grows shorter by that. */
function ends(text: string, most: number): { readonly start: readonly string[]; readonly end: readonly string[]; readonly left: number } {
  if (text.length <= 2 * most) return { start: Array.from(spelled(text)), end: [], left: 0 }
  const [start, end] = [Array.from(spelled(text.slice(0, most))), Array.from(spelled(text.slice(-most)))]
  return { start, end, left: text.length - 2 * most }
}

/** Cut at its end. */
export function shownName(text: string, most = NAME_CHARACTERS): string {
  const { start, left } = ends(text, most)
  return start.length <= most && left === 0 ? start.join('') : `${start.slice(0, most - 1).join('')}…`
}

/** Cut in its middle: where it begins and how it ends are what a path is known by. How much is missing is said. */
export function shownPath(path: string, most = PATH_CHARACTERS): string {
  const { start, end, left } = ends(path, most)
  if (start.length <= most && left === 0) return start.join('')
  const all = left === 0 ? start : [...start, ...end]
  const half = Math.floor((most - MARK_CHARACTERS) / 2)
  return `${all.slice(0, half).join('')}…(${all.length - 2 * half + left} more)…${all.slice(-half).join('')}`
}

/** Room for the words between both ends. */
const MARK_CHARACTERS = 20
