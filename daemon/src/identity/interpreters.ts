/**
 * Programs that run what a file says: the file is what the user knows, not the interpreter. The table says how the file is found among the
 * words of the command line. A program can write over its own command line: this keeps apart programs that do not lie, as 0008 says. Pure.
 */

interface Interpreter {
  /** The whole name of its program file. */
  readonly name: RegExp
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[]
  /** Options that give the code itself, or name it in a way that is no file. */
  readonly inline?: readonly string[]
  /** Words before the file that say what is to be done with it. */
  readonly verbs?: readonly string[]
  /** The option whose value is the file; the first plain word does not count then. */
  readonly option?: string
  /** What is the file when the word names a folder. */
  readonly inFolder?: string
  /** The first word of the command line is the file, in the spelling of Windows. */
  readonly isWine?: true
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^(?:node|nodejs)(?:\.exe)?$/,
    valued: [
      '-r',
      '--require',
      '--import',
      '--loader',
      '--experimental-loader',
      '-C',
      '--conditions',
      '--env-file',
      '--title',
      '--icu-data-dir',
    ],
    inline: ['-e', '--eval', '-p', '--print', '-pe', '-i', '--interactive', '--run'],
    inFolder: 'index.js',
  },
  {
    name: /^bun(?:\.exe)?$/,
    valued: ['-r', '--preload', '--cwd', '-c', '--config'],
    inline: ['-e', '--eval', '-p', '--print'],
    verbs: ['run'],
  },
  {
    name: /^deno(?:\.exe)?$/,
    valued: ['-c', '--config', '--import-map', '--lock', '--cert', '--location', '--seed'],
    inline: ['eval', 'repl'],
    verbs: ['run', 'serve'],
  },
  {
    name: /^(?:pythonw?|pypy)[0-9.]*(?:\.exe)?$/,
    valued: ['-W', '-X', '--check-hash-based-pycs'],
    inline: ['-c', '-m', '-'],
    inFolder: '__main__.py',
  },
  { name: /^ruby[0-9.]*(?:\.exe)?$/, valued: ['-I', '-r', '-C', '-E'], inline: ['-e'] },
  { name: /^perl[0-9.]*(?:\.exe)?$/, valued: ['-I'], inline: ['-e', '-E'] },
  { name: /^(?:ba|da|z|k|mk|fi|a)?sh$/, valued: ['-O', '-o', '--rcfile', '--init-file'], inline: ['-c', '-s', '-i'] },
  { name: /^(?:lua|luajit)[0-9.-]*(?:\.exe)?$/, valued: ['-l', '-j', '-O'], inline: ['-e', '-i', '-'] },
  { name: /^(?:tclsh|wish)[0-9.]*$/ },
  { name: /^php[0-9.]*$/, valued: ['-c', '-d', '-z', '-t'], inline: ['-r', '-a', '-S'] },
  { name: /^javaw?(?:\.exe)?$/, option: '-jar' },
  { name: /^mono(?:-sgen|-boehm)?$/, valued: ['--config'], inline: ['--interpreter-repl'] },
  {
    name: /^dotnet(?:\.exe)?$/,
    valued: ['--depsfile', '--runtimeconfig', '--additionalprobingpath', '--fx-version', '--roll-forward'],
    verbs: ['exec'],
  },
  { name: /^love(?:\.exe)?$/, valued: [], inFolder: 'main.lua' },
  { name: /^godot.*$/i, option: '--main-pack' },
  { name: /^electron(?:\.exe)?$/, valued: ['-r', '--require'], inline: ['-i', '-e'], inFolder: 'package.json' },
  { name: /^wine(?:64)?(?:-preloader)?$/, isWine: true },
]

/** How the file of an interpreted program is found. */
export interface ScriptWord {
  /** As it stands on the command line. */
  readonly word: string
  /** The file within the folder, when the word names one. */
  readonly inFolder?: string
  readonly isWindowsPath: boolean
}

/** Whether a program file is an interpreter, by its name. */
export const isInterpreter = (name: string): boolean => INTERPRETERS.some((row) => row.name.test(name))

/** `name`: of the program file. `argv`: its command line. Undefined when it names no file: code given as text, a module, a shell that is typed into. */
export function scriptWordOf(name: string, argv: readonly string[]): ScriptWord | undefined {
  const row = INTERPRETERS.find((one) => one.name.test(name))
  if (row === undefined) return undefined
  const word = row.isWine ? wineWord(argv) : row.option === undefined ? firstPlainWord(row, argv) : valueOf(row.option, argv)
  if (word === undefined || word === '') return undefined
  return { word, isWindowsPath: row.isWine === true, ...(row.inFolder === undefined ? {} : { inFolder: row.inFolder }) }
}

/** Wine writes the Windows program over its own name; its loaders may still stand before it. */
const wineWord = (argv: readonly string[]): string | undefined => argv.find((word) => /^[a-z]:\\/i.test(word))

const valueOf = (option: string, argv: readonly string[]): string | undefined => {
  const at = argv.indexOf(option)
  return at < 0 ? undefined : argv[at + 1]
}

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
