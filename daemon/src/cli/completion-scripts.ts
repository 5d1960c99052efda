/** The completion scripts of the shells, from the tables of commands and options. Pure. */
import type { OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { flagRows } from './help.ts'

/** How a value of a flag is completed. */
type Value = { readonly kind: 'none' | 'text' | 'path' } | { readonly kind: 'choice'; readonly choices: readonly string[] }

const CHOICES = /^[a-z-]+(?:\|[a-z-]+)+$/
const PATH = /\b(?:FILE|DIR)\b/
const LEVELS = 'debug|info|warn|error|silent'

/** By the placeholder in the help. */
function valueOf({ placeholder }: OptionRow): Value {
  if (placeholder === undefined) return { kind: 'none' }
  const shown = placeholder === 'LEVEL' ? LEVELS : placeholder
  if (CHOICES.test(shown)) return { kind: 'choice', choices: shown.split('|') }
  return { kind: PATH.test(shown) ? 'path' : 'text' }
}

const flagsOf = (command: Command): readonly string[] => [...flagRows(command).map(({ flag }) => `--${flag}`), '--help']

const WORD = /^[a-z-]+$/

/** Words that a command takes as its first operand: each alternative of its usage begins with one. None for a path, an address or free text. */
function operandChoices({ usage }: Command): readonly string[] {
  const words = usage.split('|').map((one) => one.trim().replace(/^\[/, '').split(/[ \]]/, 1)[0] ?? '')
  return words.length > 1 && words.every((word) => WORD.test(word)) ? words : []
}

/** Each flag once, with how its value is completed. */
function valuesByFlag(commands: readonly Command[]): ReadonlyMap<string, Value> {
  return new Map(commands.flatMap((command) => flagRows(command).map((row) => [`--${row.flag}`, valueOf(row)] as const)))
}

function bash(commands: readonly Command[]): string {
  const values = [...valuesByFlag(commands)]
  const paths = values.filter(([, { kind }]) => kind === 'path').map(([flag]) => flag)
  const texts = values.filter(([, { kind }]) => kind === 'text').map(([flag]) => flag)
  const choices = values.flatMap(([flag, value]) => (value.kind === 'choice' ? [{ flag, words: value.choices.join(' ') }] : []))
  return `# bash completion of sallyport
_sallyport() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word"))
    return
  fi
  case "$before" in
    ${paths.join(' | ')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${texts.join(' | ')}) COMPREPLY=(); return ;;
${choices.map(({ flag, words }) => `    ${flag}) COMPREPLY=($(compgen -W '${words}' -- "$word")); return ;;`).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) words='${[...operandChoices(command), ...flagsOf(command)].join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$word" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$word")) ;; esac
}
complete -o filenames -F _sallyport sallyport`
}

/** In single quotes of zsh and fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`'\''`)}'`
/** A description within a specification of zsh. */
const zshText = (text: string): string => text.replaceAll(/[[\]:]/g, String.raw`\$&`)

function zshFlag(row: OptionRow): string {
  const value = valueOf(row)
  const head = `--${row.flag}[${zshText(row.doc)}]`
  if (value.kind === 'none') return quoted(head)
  if (value.kind === 'choice') return quoted(`${head}:value:(${value.choices.join(' ')})`)
  return quoted(`${head}:${zshText(row.placeholder ?? '')}:${value.kind === 'path' ? '_files' : ' '}`)
}

function zsh(commands: readonly Command[]): string {
  const flagLines = (command: Command) => {
    const words = operandChoices(command)
    const operand = words.length === 0 ? '*: :_files' : `1: :(${words.join(' ')})`
    return [...flagRows(command).map(zshFlag), quoted('--help[Show this help.]'), quoted(operand)]
      .map((line) => `        ${line}`)
      .join(' \\\n')
  }
  return `#compdef sallyport
_sallyport() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', String.raw`\:`)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${commands.map((command) => `    ${command.name})\n      _arguments \\\n${flagLines(command)} ;;`).join('\n')}
  esac
}
# As a file that zsh loads, it is called at once; after eval, it is registered.
if [ "\${funcstack[1]}" = _sallyport ]; then _sallyport "$@"; else compdef _sallyport sallyport; fi`
}

function fishFlag(command: Command, row: OptionRow): string {
  const value = valueOf(row)
  const more = { none: '', text: ' -x', path: ' -r -F', choice: value.kind === 'choice' ? ` -x -a ${quoted(value.choices.join(' '))}` : '' }
  return `complete -c sallyport -n '__fish_seen_subcommand_from ${command.name}' -l ${row.flag}${more[value.kind]} -d ${quoted(row.doc)}`
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const words = operandChoices(command)
    const when = `-n '__fish_seen_subcommand_from ${command.name}'`
    return [
      `complete -c sallyport -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.summary)}`,
      ...(words.length === 0 ? [] : [`complete -c sallyport ${when} -f -a ${quoted(words.join(' '))}`]),
      ...flagRows(command).map((row) => fishFlag(command, row)),
      `complete -c sallyport ${when} -l help -d 'Show this help.'`,
    ]
  })
  return ['# fish completion of sallyport', ...lines].join('\n')
}

export const COMPLETIONS = { bash, zsh, fish } as const satisfies Record<string, (commands: readonly Command[]) => string>

export const isShell = (name: string): name is keyof typeof COMPLETIONS => Object.hasOwn(COMPLETIONS, name)
