/** The help texts, generated from the tables of commands and options. */
import { OPTIONS, type OptionRow } from '../config/schema.ts'
import type { Command, CommandTable } from './command.ts'

const INDENT = '  '

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `${INDENT}${left.padEnd(width)}  ${right}`).join('\n')
}

/** The flags of a command, without --help. */
export const flagRows = (command: Command): readonly OptionRow[] =>
  ([...command.flags, 'json'] as const).map((key): OptionRow => OPTIONS[key]).filter(({ flag }) => flag !== undefined)

/** The text of `sallyport --help`. */
export async function overview(table: CommandTable): Promise<string> {
  const commands = await Promise.all([...table.values()].map((load) => load()))
  return [
    'sallyport: a local bridge between native games and a platform',
    '',
    'Usage: sallyport COMMAND [operands] [flags]',
    '',
    'Commands',
    columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'For details: sallyport COMMAND --help. Every command accepts --json.',
  ].join('\n')
}

/** The text of `sallyport COMMAND --help`. */
export function commandHelp(command: Command): string {
  const flags = flagRows(command).map(({ flag, placeholder, default: fallback, doc }): [string, string] => [
    placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`,
    placeholder === undefined || fallback === undefined ? doc : `${doc} (${fallback})`,
  ])
  return [
    command.summary,
    '',
    `Usage: sallyport ${command.name} ${command.usage}`.trimEnd(),
    '',
    'Flags',
    columns([...flags, ['--help', 'Show this help.']]),
    '',
    'Unless noted, each flag is also an environment variable (--log-level: SALLYPORT_LOG_LEVEL) and a key of the settings file (logLevel).',
  ].join('\n')
}

/** The help of a command as JSON data. */
export const commandHelpData = (command: Command): object => ({
  name: command.name,
  summary: command.summary,
  usage: `sallyport ${command.name} ${command.usage}`.trimEnd(),
  flags: flagRows(command).map(({ flag, env, fileKey, placeholder, default: fallback, doc }) => ({
    flag: `--${flag}`,
    env: env ?? null,
    fileKey: fileKey ?? null,
    placeholder: placeholder ?? null,
    default: fallback ?? null,
    doc,
  })),
})
