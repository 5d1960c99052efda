/**
 * Interpreters: users know the script, not the interpreter. The table defines how to find the script on the command line. A program can
 * overwrite its own command line, so this separates honest programs only (daemon/docs/design/grants.md). Pure.
 */

interface Interpreter {
  /** Pattern of the whole file name. */
  readonly name: RegExp
  /** Options that take the next argument as their value. */
  readonly valued?: readonly string[]
  /** Options that pass code directly, or name something other than a file. */
  readonly inline?: readonly string[]
  /** Subcommands before the file. */
  readonly verbs?: readonly string[]
  /** The option whose value is the file; positional arguments are then ignored. */
  readonly option?: string
  /** The script file when the argument is a folder. */
  readonly inFolder?: string
  /** The first argument is the file, as a Windows path. */
  readonly isWine?: true
}

const WINE_LOADER = /^wine(?:64)?(?:-preloader)?$/

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
  { name: WINE_LOADER, isWine: true },
]

/** The argument that names the script. */
export interface ScriptWord {
  /** As on the command line. */
  readonly word: string
  /** The script file within the folder, when the argument is a folder. */
  readonly inFolder?: string
  readonly isWindowsPath: boolean
}

/** Whether a program file is Wine, by its name. */
export const isWineLoader = (name: string): boolean => WINE_LOADER.test(name)

/** Whether a program file is an interpreter, by its name. */
export const isInterpreter = (name: string): boolean => INTERPRETERS.some((row) => row.name.test(name))

/** `name`: of the program file. `argv`: its command line. Undefined when it names no file: inline code, a module, an interactive shell. */
export function scriptWordOf(name: string, argv: readonly string[]): ScriptWord | undefined {
  const row = INTERPRETERS.find((one) => one.name.test(name))
  if (row === undefined) return undefined
  const word = row.isWine ? wineWord(argv) : row.option === undefined ? firstPlainWord(row, argv) : valueOf(row.option, argv)
  if (word === undefined || word === '') return undefined
  return { word, isWindowsPath: row.isWine === true, ...(row.inFolder === undefined ? {} : { inFolder: row.inFolder }) }
}

/** Wine replaces its own name with the Windows program; its loaders may still precede it. */
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
