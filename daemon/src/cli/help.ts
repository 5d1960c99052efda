/** The help texts, generated from the tables of commands, options and examples. Pure. */
import { type OptionKey, OPTIONS, type OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { EXAMPLES } from './examples.ts'
import { type Group, GROUP_OF, GROUPS } from './option-groups.ts'
import type { Paint } from './paint.ts'
import { asColumns, indented, wrapped } from './wrap.ts'

/** How it looks where it is shown. */
export interface Look {
  readonly columns: number
  readonly paint: Paint
}

const EXAMPLE_INDENT = '  '
const DOES_INDENT = '      '

/** Columns that even a narrow window gets; it breaks the lines itself. */
const MIN_COLUMNS = 40

const keysOf = (command: Command): readonly OptionKey[] =>
  ([...command.flags, 'json'] as const).filter((key) => OPTIONS[key].flag !== undefined)

/** The flags of a command, without --help. */
export const flagRows = (command: Command): readonly OptionRow[] => keysOf(command).map((key): OptionRow => OPTIONS[key])

/** The flags in the order of the help, by group. Every command has --json and so a group for its output. */
export function flagGroups(command: Command): readonly { readonly title: string; readonly rows: readonly OptionRow[] }[] {
  const keys = keysOf(command)
  return (Object.keys(GROUPS) as Group[])
    .map((group) => ({ title: GROUPS[group], rows: keys.filter((key) => GROUP_OF[key] === group).map((key): OptionRow => OPTIONS[key]) }))
    .filter(({ rows }) => rows.length > 0)
}

export const flagText = ({ flag, placeholder }: OptionRow): string => (placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`)

const docText = ({ placeholder, default: preset, doc }: OptionRow): string =>
  placeholder === undefined || preset === undefined ? doc : `${doc} Default: ${preset}.`

export const usageText = ({ name, usage }: Command): string => `sallyport ${name} ${usage}`.trimEnd()

const HELP_FLAG = ['--help, -h', 'Show this help.'] as const

/** The text of `sallyport --help`. */
export function overview(commands: readonly Command[], { columns: given, paint }: Look): string {
  const columns = Math.max(given, MIN_COLUMNS)
  return [
    ...wrapped('sallyport: a local bridge between native games and a platform', columns),
    '',
    'Usage: sallyport COMMAND [operands] [flags]',
    '',
    paint('bold', 'Commands'),
    asColumns(
      commands.map(({ name, summary }) => [name, summary]),
      columns,
    ),
    '',
    ...wrapped('For details: sallyport help COMMAND. Every command accepts --json.', columns),
  ].join('\n')
}

/** The text of `sallyport COMMAND --help`. */
export function commandHelp(command: Command, { columns: given, paint }: Look): string {
  const columns = Math.max(given, MIN_COLUMNS)
  const examples = EXAMPLES[command.name] ?? []
  const groups = flagGroups(command).map(({ title, rows }, at, all) => {
    const flags = rows.map((row) => [flagText(row), docText(row)] as const)
    return ['', paint('bold', title), asColumns(at === all.length - 1 ? [...flags, HELP_FLAG] : flags, columns)].join('\n')
  })
  const shownExamples = examples.flatMap(({ line, does }) => [`${EXAMPLE_INDENT}sallyport ${line}`, indented(does, columns, DOES_INDENT)])
  return [
    ...wrapped(command.summary, columns),
    '',
    ...wrapped(`Usage: ${usageText(command)}`, columns),
    ...(examples.length === 0 ? [] : ['', paint('bold', 'Examples'), ...shownExamples]),
    ...groups,
    '',
    ...wrapped(
      'Unless noted, each flag is also an environment variable (--log-level: SALLYPORT_LOG_LEVEL) and a key of the settings file (logLevel).',
      columns,
    ),
  ].join('\n')
}

/** The overview as JSON data. */
export const overviewData = (commands: readonly Command[]): object => ({
  usage: 'sallyport COMMAND [operands] [flags]',
  commands: commands.map((command) => ({ name: command.name, summary: command.summary, usage: usageText(command) })),
})

/** The help of a command as JSON data. */
export const commandHelpData = (command: Command): object => ({
  name: command.name,
  summary: command.summary,
  usage: usageText(command),
  examples: (EXAMPLES[command.name] ?? []).map(({ line, does }) => ({ line: `sallyport ${line}`, does })),
  flags: flagGroups(command).flatMap(({ title, rows }) =>
    rows.map(({ flag, env, fileKey, placeholder, default: fallback, doc }) => ({
      flag: `--${flag}`,
      group: title,
      env: env ?? null,
      fileKey: fileKey ?? null,
      placeholder: placeholder ?? null,
      default: fallback ?? null,
      doc,
    })),
  ),
})
