/**
 * Signs that a program in no row of the interpreter table runs a file of its command line, which may be any file. They are few, because a
 * native game that has one is not recognised: `game --level map.lua` is none. A program can overwrite its own command line. Pure.
 */

/** Wine replaces its own name by that of the Windows program. */
const WINDOWS_PATH = /^[a-z]:\\/i
/** Whole programs in one file: no other kind of argument is one. */
const PACKED = /\.(?:jar|love|pck|pyz|asar|swf|exe)$/i
const SCRIPT = /\.(?:pyc?|lua[cjx]?|[cm]?[jt]s|rb|p[lm]|tcl|php|(?:ba|z|k)?sh|class|dll|wasm|scm|gd|awk|nes|sfc|smc|gb[ac]?)$/i
/** Bytes at the start of scripts, of programs of Linux and Windows, and of compiled Lua and Java. */
const HEADS = ['#!', '\u007fELF', 'MZ', '\u001bLua', '\u001bLJ', '\u00ca\u00fe\u00ba\u00be']
/** The length of the longest. */
export const HEAD_BYTES = 4

/** Further arguments are those of a script. Each of these may cost a look at a file. */
const MAX_WORDS = 8

/** The first arguments that are no options, nor values of long ones. */
function plainWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  const isValue = (at: number): boolean => /^--[^=]+$/.test(options[at - 1] ?? '')
  const plain = options.filter((word, at) => word !== '' && !word.startsWith('-') && !isValue(at))
  return [...plain, ...(end < 0 ? [] : words.slice(end + 1))].slice(0, MAX_WORDS)
}

/**
 * The argument that names the file. `headOf`: the first HEAD_BYTES of a file as Latin-1; an empty text when the argument names none. Undefined
 * without a sign.
 */
export function unlistedScript(argv: readonly string[], headOf: (word: string) => string): string | undefined {
  const [started = '', ...words] = argv
  if (WINDOWS_PATH.test(started)) return started
  // Most games have no arguments.
  if (words.length === 0) return undefined
  const packed = words.find((word) => PACKED.test(word))
  if (packed !== undefined) return packed
  const plain = plainWords(words)
  // By its name too, because the process may have left the folder where the file is.
  return plain.find((word) => SCRIPT.test(word)) ?? plain.find((word) => hasHead(headOf(word)))
}

const hasHead = (head: string): boolean => HEADS.some((start) => head.startsWith(start))
