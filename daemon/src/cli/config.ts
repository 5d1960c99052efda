/** `sallyport config`: prints the effective settings with their origins; secrets are redacted. */
import { describeSettings } from '../config/describe.ts'
import { OPTION_KEYS } from '../config/schema.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

export const config: Command = {
  name: 'config',
  summary: 'Print the effective settings and their origins.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: OPTION_KEYS.filter((key) => key !== 'json'),
  run({ loaded, io }) {
    const lines = describeSettings(loaded)
    if (loaded.settings.json) io.out(JSON.stringify(lines))
    else for (const { key, value, origin } of lines) io.out(`${key} = ${value ?? '(not set)'}  (${origin})`)
    return Promise.resolve(EXIT.ok)
  },
}
