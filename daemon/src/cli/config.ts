/** `sallyport config`: prints the effective settings with their origins, secrets redacted; `set` and `unset` change the settings file. */
import { describeSettings } from '../config/describe.ts'
import { OPTION_KEYS } from '../config/schema.ts'
import type { Command } from './command.ts'
import { changeOf, changeSetting, editsOf } from './config-change.ts'
import { EXIT } from './exit-codes.ts'
import { run as bridge } from './run.ts'

const MAX_OPERANDS = 3

export const config: Command = {
  name: 'config',
  summary: 'Print the effective settings and their origins, or change one in the settings file (set, unset).',
  usage: '[set KEY VALUE|unset KEY] [flags]',
  operands: { min: 0, max: MAX_OPERANDS },
  flags: OPTION_KEYS.filter((key) => key !== 'json'),
  edits: editsOf,
  async run(context) {
    const { loaded, io, operands } = context
    const change = changeOf(operands)
    if (change !== undefined) return changeSetting(change, bridge.flags.includes(change.key), context)
    const lines = describeSettings(loaded)
    if (loaded.settings.json) io.out(JSON.stringify(lines))
    else for (const { key, value, origin } of lines) io.out(`${key} = ${value ?? '(not set)'}  (${origin})`)
    return EXIT.ok
  },
}
