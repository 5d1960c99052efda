/** `sallyport call`: one call, as a game would make it, signed in when the bridge knows the application. */
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { requirePerson } from './at-terminal.ts'
import { signInIfKnown, withBridge } from './daemon-client.ts'
import { confirmDestruction } from './destruction.ts'
import { EXIT } from './exit-codes.ts'

const JSON_INDENT = 2
/** The bridge repeats a name that it does not know; whatever else somebody pasted here stays here. */
const NAME = /^[A-Za-z_]+\d?$/

function readArgs(text: string): object {
  let args: unknown
  try {
    args = JSON.parse(text)
  } catch {
    throw new SettingsError(`The arguments are not JSON. Quote them for the shell: sallyport call GET_GUILD '{"guild_id":"1"}'`)
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new SettingsError('The arguments must be one JSON object.')
  return args
}

export const call: Command = {
  name: 'call',
  summary: 'Make one call from a terminal, or from a script with --non-interactive, and print its data.',
  usage: 'CMD [ARGS-JSON] [flags]',
  operands: { least: 1, most: 2 },
  flags: ['application', 'platform', 'runtimeDir', 'config', 'nonInteractive', 'yes'],
  async run(context) {
    const [name = '', argsText = '{}'] = context.operands
    if (!NAME.test(name)) throw new SettingsError('The first word must be the name of a command, such as GET_GUILD.')
    const args = readArgs(argsText)
    const command = name.toUpperCase()
    requirePerson('call', context)
    await confirmDestruction(command, context)
    const data = await withBridge(context, async (client) => {
      await signInIfKnown(client, context.io)
      return client.request(command, args)
    })
    context.io.out(JSON.stringify(data ?? null, null, context.loaded.settings.json ? undefined : JSON_INDENT))
    return EXIT.ok
  },
}
