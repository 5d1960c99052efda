/**
 * Interpreters: users know the script, not the interpreter. The table defines how to find the script on the command line. A program can
 * overwrite its own command line, so this separates honest programs only (daemon/docs/design/grants.md). Pure.
 */
import { BoundedMap } from '@sallyport/core/bounded-map'
import { basename } from 'node:path'
import { INTERPRETERS, type Interpreter, SHELL } from './interpreter-table.ts'

/** The argument that names the script. */
export interface ScriptWord {
  /** As on the command line. */
  readonly word: string
  /** The script file within the folder, when the argument is a folder. */
  readonly inFolder?: string
  readonly isWindowsPath: boolean
}

/** Whether a program file is a shell, by its name. */
export const isShell = (name: string): boolean => SHELL.test(name)

/** Names that were looked up: a crowd of connections has few, and a name is compared with each row. */
const MAX_NAMES = 64
const known = new BoundedMap<string, Interpreter | 'none'>(MAX_NAMES)

function rowOf(name: string): Interpreter | undefined {
  const before = known.get(name)
  if (before !== undefined) return before === 'none' ? undefined : before
  const found = INTERPRETERS.find((row) => row.name.test(name))
  known.set(name, found ?? 'none')
  return found
}

/** Whether a program file is an interpreter, by its name. */
export const isInterpreter = (name: string): boolean => rowOf(name) !== undefined

/**
 * `name`: of the program file. `argv`: its command line. Undefined when it names no file: inline code, a module, an interactive shell, another
 * interpreter, which would run a file of its own.
 */
export function scriptWordOf(name: string, argv: readonly string[]): ScriptWord | undefined {
  const row = rowOf(name)
  if (row === undefined || row.isOpaque === true) return undefined
  const { word, inFolder } = wordOf(row, argv)
  if (word === undefined || word === '' || isInterpreter(basename(word))) return undefined
  return { word, isWindowsPath: row.isWine === true, ...(inFolder === undefined ? {} : { inFolder }) }
}

interface Word {
  readonly word: string | undefined
  readonly inFolder?: string | undefined
}

function wordOf(row: Interpreter, argv: readonly string[]): Word {
  if (row.isWine) return { word: wineWord(argv) }
  if (row.options === undefined) return { word: firstPlainWord(row, argv), inFolder: row.inFolder }
  const option = row.options.find(({ name }) => argv.includes(name))
  return { word: option === undefined ? undefined : argv[argv.indexOf(option.name) + 1], inFolder: option?.inFolder }
}

/** Wine replaces its own name with the Windows program; its loaders may still precede it. */
const wineWord = (argv: readonly string[]): string | undefined => argv.find((word) => /^[a-z]:\\/i.test(word))

function firstPlainWord({ valued = [], inline = [], verbs = [] }: Interpreter, argv: readonly string[]): string | undefined {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (inline.includes(word)) return undefined
    if (word === '--') return argv[at + 1]
    if (valued.includes(word)) at++
    else if (!word.startsWith('-') && !verbs.includes(word)) return word
  }
  return undefined
}
