/** The manual page `sallyport(1)`, from the tables of the command line. Pure. */
import { OPTION_KEYS, OPTIONS, type OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { flagsOfAll } from './completion-places.ts'
import { FILES, VARIABLES } from './environment.ts'
import { EXAMPLES } from './examples.ts'
import { EXIT } from './exit-codes.ts'
import { EXIT_MEANINGS } from './exit-meanings.ts'
import { flagGroups, usageText } from './help.ts'
import { type Group, GROUP_OF, GROUPS } from './option-groups.ts'

/** Text in roff: hyphens, quotes and carets as such, and no line that begins with a control character. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll('`', String.raw`\(ga`)
    .replaceAll('^', String.raw`\(ha`)
    .replaceAll('~', String.raw`\(ti`)
    .replaceAll('\u2026', '...')
    .replaceAll(/^([.'])/gm, String.raw`\&$1`)

const bold = (text: string): string => `\\fB${roff(text)}\\fR`
const section = (title: string, ...lines: readonly string[]): readonly string[] => [`.SH ${title}`, ...lines]
const item = (head: string, text: string): readonly string[] => ['.TP', head, roff(text)]
const items = (rows: readonly (readonly [string, string])[]): readonly string[] => rows.flatMap(([name, text]) => item(bold(name), text))

function flagItem({ flag, placeholder, default: preset, doc, env, fileKey }: OptionRow): readonly string[] {
  const names = [...(env === undefined ? [] : [`variable ${env}`]), ...(fileKey === undefined ? [] : [`key ${fileKey}`])]
  const value = placeholder === undefined ? '' : ` \\fI${roff(placeholder)}\\fR`
  const fallback = placeholder === undefined || preset === undefined ? '' : ` Default: ${preset}.`
  const text = `${doc}${fallback}${names.length === 0 ? '' : ` (${names.join(', ')})`}`
  return item(`${bold(`--${flag}`)}${value}`, text)
}

/** A quote would end the title. */
const title = (text: string): string => `"${roff(text).replaceAll('"', '')}"`

/** The flags only by name, because each is described once below. */
const commandLines = (command: Command): readonly string[] => {
  const flags = flagGroups(command).flatMap(({ rows }) => rows.map(({ flag }) => `--${flag}`))
  return [`.SS ${title(usageText(command))}`, roff(command.summary), '.PP', `Flags: ${flags.map(bold).join(', ')}`]
}

const exampleLines = (command: Command): readonly string[] =>
  (EXAMPLES[command.name] ?? []).flatMap(({ line, does }) => item(bold(`sallyport ${line}`), does))

/** Each flag once, in the groups of the help. */
function optionLines(commands: readonly Command[]): readonly string[] {
  const used = new Set(flagsOfAll(commands))
  return (Object.keys(GROUPS) as Group[]).flatMap((group) => {
    const rows = OPTION_KEYS.filter((key) => GROUP_OF[key] === group && used.has(OPTIONS[key])).map((key) => OPTIONS[key])
    return [`.SS ${title(GROUPS[group])}`, ...rows.flatMap(flagItem)]
  })
}

const exitRows = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [String(EXIT[name]), `${EXIT_MEANINGS[name]}.`] as const)

const DESCRIPTION =
  'Sallyport runs in the background for one user. Games that speak the local protocol of the platform connect to it, and it passes their calls on to the HTTP API of the platform, as far as the user has allowed it. Every command accepts --help and --json. A flag wins over its variable, that over its key of the settings file. Data goes to stdout, messages to stderr.'

export const manualPage = (commands: readonly Command[], version: string): string =>
  [
    `.TH SALLYPORT 1 "" "sallyport ${version}" "User Commands"`,
    // Flags are not broken at their hyphens.
    '.nh',
    ...section('NAME', String.raw`sallyport \- local bridge between native games and a platform`),
    ...section('SYNOPSIS', `${bold('sallyport')} \\fICOMMAND\\fR [operands] [flags]`, '.br', `${bold('sallyport help')} [\\fICOMMAND\\fR]`),
    ...section('DESCRIPTION', roff(DESCRIPTION)),
    ...section('COMMANDS', ...commands.flatMap(commandLines)),
    ...section('OPTIONS', ...item(`${bold('--help')}, ${bold('-h')}`, 'Show the help of the command.'), ...optionLines(commands)),
    ...section('EXIT STATUS', ...items(exitRows)),
    ...section('FILES', ...items(FILES)),
    ...section('ENVIRONMENT', ...items(VARIABLES)),
    ...section('EXAMPLES', ...commands.flatMap(exampleLines)),
    ...section('SEE ALSO', `${bold('systemctl')}(1), ${bold('systemd.socket')}(5), ${bold('secret-tool')}(1)`),
    '',
  ].join('\n')
