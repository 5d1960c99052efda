/**
 * Table of interpreters, under the names that their own releases and Debian 12 and 13 give to the program file. Pure.
 *
 * A name ends where its version ends: a game may be called `godotquest`.
 */

export interface Interpreter {
  /** Pattern of the whole file name. */
  readonly name: RegExp
  /** Options that take the next argument as their value. */
  readonly valued?: readonly string[]
  /** Options that pass code directly, or name something other than a file. */
  readonly inline?: readonly string[]
  /** Subcommands before the file. */
  readonly verbs?: readonly string[]
  /** Options whose value is the file, or a folder with `inFolder`; positional arguments are then ignored. The first one given counts. */
  readonly options?: readonly { readonly name: string; readonly inFolder?: string }[]
  /** The script file when the argument is a folder. */
  readonly inFolder?: string
  /** The first argument is the file, as a Windows path. */
  readonly isWine?: true
  /** Its command line does not say which file it runs. */
  readonly isOpaque?: true
}

/** Also interactive ones, and those that a program starts for one line. */
export const SHELL = /^(?:r?(?:ba|da|z|k|mk|lk|fi|a|po|ya)?sh(?:[0-9.]+|-static|93)?|(?:t|bsd-)?csh|nu|elvish|pwsh(?:-preview)?)$/

export const WINE_LOADER = /^wine(?:64)?(?:-preloader)?$/

/** Loaders and emulators of processors run any program, and other interpreters too. Players of games find their game by a name or a core. */
const OPAQUE: readonly RegExp[] = [
  /^ld(?:-linux[\w-]*|-musl-[\w-]+|64|-[0-9.]+)?\.so(?:\.[0-9]+)?$/,
  /^busybox(?:[.-](?:static|musl|extras))?$/,
  /^box(?:64|86|32)(?:-[\w-]+)?$/,
  /^qemu-(?!img$|io$|nbd$|ga$|system-)[a-z0-9_]+(?:-static)?$/,
  /^FEX(?:Interpreter|Loader)?$/,
  /^scummvm$/,
  /^retroarch$/,
  /^(?:dosbox(?:-x)?|mednafen)$/,
  /^(?:beam(?:\.smp)?|erl|escript)$/,
  /^(?:expect|[gm]awk|original-awk|guile(?:-[0-9.]+)?|Rscript|octave-cli(?:-[0-9.]+)?|sbcl)$/,
]

export const INTERPRETERS: readonly Interpreter[] = [
  {
    name: /^(?:node|nodejs)[0-9.]*(?:\.exe)?$/,
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
    name: /^(?:pythonw?|pypy)[0-9.]*(?:t|d|-dbg|-c)?(?:\.exe)?$/,
    valued: ['-W', '-X', '--check-hash-based-pycs'],
    inline: ['-c', '-m', '-'],
    inFolder: '__main__.py',
  },
  { name: /^j?ruby[0-9.]*(?:\.exe)?$/, valued: ['-I', '-r', '-C', '-E'], inline: ['-e'] },
  { name: /^perl(?:[0-9.]+(?:-[\w-]+)?)?(?:\.exe)?$/, valued: ['-I'], inline: ['-e', '-E'] },
  {
    name: SHELL,
    valued: ['-O', '-o', '--rcfile', '--init-file'],
    inline: ['-c', '-s', '-i', '-Command'],
  },
  { name: /^(?:lua|luajit)[0-9.-]*(?:beta[0-9]+)?(?:\.exe)?$/, valued: ['-l', '-j', '-O'], inline: ['-e', '-i', '-'] },
  { name: /^(?:tclsh|wish)[0-9.]*$/ },
  { name: /^php(?:-cgi)?[0-9.]*$/, valued: ['-c', '-d', '-z', '-t'], inline: ['-r', '-a', '-S'] },
  { name: /^javaw?(?:\.exe)?$/, options: [{ name: '-jar' }] },
  { name: /^mono(?:-sgen|-boehm)?(?:64|32)?(?:-[0-9.]+)?$/, valued: ['--config'], inline: ['--interpreter-repl'] },
  {
    name: /^dotnet(?:\.exe)?$/,
    valued: ['--depsfile', '--runtimeconfig', '--additionalprobingpath', '--fx-version', '--roll-forward'],
    verbs: ['exec'],
  },
  {
    name: /^gjs(?:-console)?$/,
    valued: ['-I', '--include-path', '-C', '--coverage-prefix', '--coverage-output'],
    inline: ['-c', '--command'],
  },
  { name: /^love(?:-?[0-9.]+)?(?:\.exe)?$/, inFolder: 'main.lua' },
  {
    name: /^godot(?:[0-9.]*(?:-(?:runner|server|headless))?|_v[0-9][\w.-]*)(?:\.exe)?$/i,
    options: [{ name: '--main-pack' }, { name: '--path', inFolder: 'project.godot' }],
  },
  { name: /^electron[0-9]*(?:\.exe)?$/, valued: ['-r', '--require'], inline: ['-i', '-e'], inFolder: 'package.json' },
  { name: WINE_LOADER, isWine: true },
  ...OPAQUE.map((name) => ({ name, isOpaque: true as const })),
]
