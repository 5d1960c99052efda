/** `sallyport config set` and `unset`: what they write into the settings file, and what else decides about the setting. */
import { resolve } from 'node:path'
import type { FileEdits } from '../config/load.ts'
import { loadPlatform } from '../config/platforms.ts'
import { configFile } from '../config/paths.ts'
import { choiceLike, OPTION_KEYS, OPTIONS, type OptionKey, type OptionRow } from '../config/schema.ts'
import { editSettingsFile } from '../config/settings-file.ts'
import { SettingsError } from '../config/settings-error.ts'
import { didYouMean } from '../config/suggest.ts'
import { overridesIn } from '../install/starters.ts'
import type { Context } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { runningBridge } from './running-bridge.ts'

const USAGE = 'Use config to print the settings, config set KEY VALUE, or config unset KEY.'
/** The file that is edited cannot be named in itself. */
const rowsInFile = OPTION_KEYS.filter((key) => OPTIONS[key].fileKey !== undefined && key !== 'config')
const PATH = /^(?:FILE|DIR)$/

type Written = string | number | boolean

interface Change {
  readonly key: OptionKey
  readonly row: OptionRow & { readonly fileKey: string }
  /** As it is written; undefined removes the key. */
  readonly value: Written | undefined
}

/** By the key of the file, or by the name of the flag. */
function keyOf(given: string): Change['key'] {
  const key = rowsInFile.find((one) => OPTIONS[one].fileKey === given || OPTIONS[one].flag === given)
  if (key !== undefined) return key
  const known = rowsInFile.map((one) => String(OPTIONS[one].fileKey))
  throw new SettingsError(`There is no setting ${JSON.stringify(given)}.${didYouMean(given, known)} Known settings: ${known.join(', ')}.`)
}

/** As it stands in the file: numbers and switches as such, paths absolute, because the bridge starts elsewhere. */
function valueOf(key: OptionKey, row: OptionRow, given: string): Written {
  if (row.flag === undefined) throw new SettingsError(`${row.fileKey} is a secret, and every program can read a command line. ${row.doc}`)
  const checked = row.check(given)
  if (checked === undefined) {
    const expected = row.placeholder === undefined ? 'true or false' : row.placeholder
    throw new SettingsError(
      `${row.fileKey} does not accept ${JSON.stringify(given)}.${choiceLike(row, given)} Expected: ${expected}. ${row.doc}`,
    )
  }
  if (key === 'platform') return loadPlatform(given).file ?? given
  if (PATH.test(row.placeholder ?? '')) return resolve(given)
  return typeof checked === 'number' || typeof checked === 'boolean' ? checked : given
}

/** Undefined without operands. Throws SettingsError. */
export function changeOf([verb, name, given, ...rest]: readonly string[]): Change | undefined {
  if (verb === undefined) return undefined
  const isComplete = verb === 'set' ? given !== undefined : verb === 'unset' && given === undefined
  if (name === undefined || !isComplete || rest.length > 0) throw new SettingsError(USAGE)
  const key = keyOf(name)
  const row = OPTIONS[key] as Change['row']
  return { key, row, value: given === undefined ? undefined : valueOf(key, row, given) }
}

export const editsOf = (operands: readonly string[]): FileEdits => {
  const change = changeOf(operands)
  return change === undefined ? {} : { [change.row.fileKey]: change.value }
}

/** What wins over the file, as sentences. */
function overridesOf({ key, row }: Change, { io, loaded }: Context): readonly string[] {
  const here = { flag: `--${row.flag} of this command`, env: `the variable ${row.env} of this environment` } as const
  const origin = loaded.origins[key]
  const inFiles = overridesIn(io.machine, row).map(({ path, by }) => `${by} in ${path}, which starts the bridge`)
  return [...(origin === 'flag' || origin === 'env' ? [here[origin]] : []), ...inFiles]
}

/** Writes the file and prints the outcome. `isRead`: the bridge reads this setting at its start. */
export async function changeSetting(change: Change, isRead: boolean, context: Context): Promise<ExitCode> {
  const { io, loaded } = context
  const file = loaded.settings.config ?? configFile(io.machine)
  const { fileKey } = change.row
  const isChanged = editSettingsFile(file, { [fileKey]: change.value })
  const overrides = overridesOf(change, context)
  const running = isChanged && isRead ? await runningBridge(context) : undefined
  if (loaded.settings.json) {
    const facts = { file, key: fileKey, value: change.value ?? null, changed: isChanged, overridden_by: overrides }
    io.out(JSON.stringify({ ...facts, restart: running?.restart ?? null }))
    return EXIT.ok
  }
  const done = isChanged ? '' : '  (as before)'
  io.out(change.value === undefined ? `${fileKey} is not in ${file}${done}` : `${fileKey} = ${change.value}  (${file})${done}`)
  for (const by of overrides) io.info(`Overridden by ${by}.`)
  if (running !== undefined) io.info(`The running bridge goes on with its old settings until it is started again: ${running.restart}`)
  return EXIT.ok
}
