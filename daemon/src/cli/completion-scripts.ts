/** The completion scripts of the shells. Pure. Each finds the place of the word in the same way: by the operands before it. */
import type { OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { type Candidates, flagNames, flagsOfAll, type Place, placesOf, valueCandidates } from './completion-places.ts'
import { flagRows } from './help.ts'

/** Flags with a value, and what completes it. */
const flagValues = (commands: readonly Command[]): readonly (readonly [string, Candidates])[] =>
  flagsOfAll(commands).flatMap((row) => {
    const value = valueCandidates(row)
    return value === undefined ? [] : [[`--${row.flag}`, value] as const]
  })

const placesOfAll = (commands: readonly Command[]): readonly Place[] => [
  ...commands.flatMap(placesOf),
  { at: 'help:', candidates: { words: commands.map(({ name }) => name) } },
]

const words = (list: readonly string[]): string => list.join(' ')

function bash(commands: readonly Command[]): string {
  const values = flagValues(commands)
  const branch = (pattern: string, { words: list, hasPaths, ids }: Candidates): string =>
    [
      `    ${pattern})`,
      list.length > 0 ? `COMPREPLY+=($(compgen -W '${words(list)}' -- "$word"))` : '',
      ids === undefined ? '' : `_sallyport_ids ${ids}`,
      hasPaths === true ? '_sallyport_paths' : '',
      ';;',
    ]
      .filter((part) => part !== '')
      .join(' ')
      .replaceAll(/(?<=\)\)) (?=_)/g, '; ')
  return `# bash completion of sallyport
_sallyport_ids() {
  COMPREPLY+=($(compgen -W "$("\${COMP_WORDS[0]}" completion ids "$1" 2>/dev/null | cut -f1)" -- "$word"))
}
_sallyport_paths() {
  compopt -o filenames 2>/dev/null
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$word")
}
_sallyport() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" place flags= i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${words(commands.map(({ name }) => name))} help --help --version' -- "$word"))
    return
  fi
  # Bash cuts --flag=value into three words.
  if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  case "$before" in
${values.map(([flag, value]) => branch(flag, value)).join('\n')}
    *) before= ;;
  esac
  if [ -n "$before" ]; then return; fi
  place="\${COMP_WORDS[1]}:"
  for ((i = 2; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${values.map(([flag]) => flag).join(' | ')}) if [ "\${COMP_WORDS[i + 1]}" = = ]; then ((i += 2)); else ((i += 1)); fi ;;
      -*) ;;
      *) place="$place\${COMP_WORDS[i]}:" ;;
    esac
  done
  case "$place" in
${placesOfAll(commands)
  .map(({ at, candidates }) => branch(at, candidates))
  .join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) flags='${words(flagNames(command))}' ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    '') if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -W "$flags")); fi ;;
  esac
}
complete -F _sallyport sallyport`
}

/** In single quotes of zsh and fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`'\''`)}'`
/** A description within a specification of zsh. */
const zshText = (text: string): string => text.replaceAll(/[[\]:]/g, String.raw`\$&`)

/** What zsh does at a place, as a command. */
const zshAction = ({ words: list, hasPaths, ids }: Candidates): string =>
  [
    ...(list.length > 0 ? [`compadd -- ${words(list)}`] : []),
    ...(ids === undefined ? [] : [`_sallyport_ids ${ids}`]),
    ...(hasPaths === true ? ['_files'] : []),
  ].join('; ') || ':'

function zshFlag(row: OptionRow): string {
  const value = valueCandidates(row)
  const head = `--${row.flag}[${zshText(row.doc)}]`
  // A colon ends the action of a specification.
  const plain = value?.words.filter((word) => !word.includes(':')) ?? []
  return quoted(value === undefined ? head : `${head}:${zshText(row.placeholder ?? '')}:{ ${zshAction({ ...value, words: plain })} }`)
}

function zsh(commands: readonly Command[]): string {
  const flagLines = (command: Command) =>
    [...flagRows(command).map(zshFlag), quoted('--help[Show this help.]'), quoted('*: :_sallyport_operand')]
      .map((line) => `        ${line}`)
      .join(' \\\n')
  return `#compdef sallyport
_sallyport_ids() {
  local line
  local -a found
  for line in "\${(@f)$(sallyport completion ids "$1" 2>/dev/null)}"; do found+=("\${line/$'\\t'/:}"); done
  _describe "$1" found
}
_sallyport_operand() {
  local place="\${words[1]}:"
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      ${flagValues(commands)
        .map(([flag]) => flag)
        .join('|')}) ((i++)) ;;
      -*) ;;
      *) place+="\${words[i]}:" ;;
    esac
  done
  case "$place" in
${placesOfAll(commands)
  .map(({ at, candidates }) => `    ${at}) ${zshAction(candidates)} ;;`)
  .join('\n')}
  esac
}
_sallyport() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', String.raw`\:`)}`)}`).join('\n')}
    'help:Show the help of a command.'
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
    help) _sallyport_operand ;;
  esac
}
# As a file that zsh loads, it is called at once; after eval, it is registered.
if [ "\${funcstack[1]}" = _sallyport ]; then _sallyport "$@"; else compdef _sallyport sallyport; fi`
}

/** The options of fish that complete a value or an operand. */
function fishOptions({ words: list, hasPaths, ids }: Candidates): string {
  const asked = ids === undefined ? [] : [`(sallyport completion ids ${ids} 2>/dev/null)`]
  const all = [...list, ...asked]
  return `${hasPaths === true ? ' -F' : ''}${all.length === 0 ? '' : ` -a ${quoted(words(all))}`}`
}

function fishFlag(command: Command, row: OptionRow): string {
  const value = valueCandidates(row)
  const more = value === undefined ? '' : ` ${value.hasPaths === true ? '-r' : '-x'}${fishOptions(value)}`
  return `complete -c sallyport -n '__sallyport_at ${command.name}:\\*' -l ${row.flag}${more} -d ${quoted(row.doc)}`
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c sallyport -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    ...flagRows(command).map((row) => fishFlag(command, row)),
    `complete -c sallyport -n '__sallyport_at ${command.name}:\\*' -l help -d 'Show this help.'`,
  ])
  const operands = placesOfAll(commands).map(
    ({ at, candidates }) => `complete -c sallyport -n '__sallyport_at ${at.replaceAll('*', String.raw`\*`)}'${fishOptions(candidates)}`,
  )
  return [
    `# fish completion of sallyport
function __sallyport_at
    set -l place
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else
            switch $word
                case ${words(flagValues(commands).map(([flag]) => flag))}
                    set skip 1
                case '-*'
                case '*'
                    set place "$place$word:"
            end
        end
    end
    string match -q -- $argv[1] "$place"
end
complete -c sallyport -f
complete -c sallyport -n __fish_use_subcommand -a help -d 'Show the help of a command.'`,
    ...lines,
    ...operands,
  ].join('\n')
}

export const COMPLETIONS = { bash, zsh, fish } as const satisfies Record<string, (commands: readonly Command[]) => string>

export const isShell = (name: string): name is keyof typeof COMPLETIONS => Object.hasOwn(COMPLETIONS, name)
