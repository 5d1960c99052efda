/** The manual page `sallyport(1)`, from the tables of commands and options. Pure. */
import type { OptionRow } from '../config/schema.ts'
import type { Command } from './command.ts'
import { flagRows } from './help.ts'

/** Text in roff: hyphens as such, and no line that begins with a control character. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^([.'])/gm, String.raw`\&$1`)

function flagText({ flag, placeholder, default: preset, doc, env, fileKey }: OptionRow): string {
  const names = [...(env === undefined ? [] : [`variable ${env}`]), ...(fileKey === undefined ? [] : [`key ${fileKey}`])]
  const value = placeholder === undefined ? '' : ` \\fI${roff(placeholder)}\\fR`
  const fallback = placeholder === undefined || preset === undefined ? '' : ` Default: ${preset}.`
  return [
    '.TP',
    `\\fB${roff(`--${flag}`)}\\fR${value}`,
    roff(`${doc}${fallback}${names.length === 0 ? '' : ` (${names.join(', ')})`}`),
  ].join('\n')
}

const commandText = (command: Command): string =>
  [
    `.SS "${roff(`sallyport ${command.name} ${command.usage}`.trimEnd()).replaceAll('"', '')}"`,
    roff(command.summary),
    ...flagRows(command)
      .filter(({ flag }) => flag !== 'json')
      .map(flagText),
  ].join('\n')

export const manualPage = (commands: readonly Command[], version: string): string =>
  [
    `.TH SALLYPORT 1 "" "sallyport ${version}" "User Commands"`,
    '.SH NAME',
    String.raw`sallyport \- local bridge between native games and a platform`,
    '.SH SYNOPSIS',
    String.raw`\fBsallyport\fR \fICOMMAND\fR [operands] [flags]`,
    '.SH DESCRIPTION',
    roff('Every command accepts --help and --json. A flag wins over its environment variable, that over its key of the settings file.'),
    '.SH COMMANDS',
    ...commands.map(commandText),
    '',
  ].join('\n')
