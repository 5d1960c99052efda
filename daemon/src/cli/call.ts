/** `sallyport call`: makes one call, signed in if the bridge has a stored grant. */
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { requireTerminal } from './at-terminal.ts'
import { signInIfStored, withBridge } from './daemon-client.ts'
import { confirmDestructiveCall } from './confirm-destructive-call.ts'
import { requireKnownArguments } from './known-arguments.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { withProgress } from './progress.ts'

const JSON_INDENT = 2
/** The bridge repeats unknown names in errors, so other text, which may be a secret, is not sent. */
const NAME = /^[A-Za-z_]+\d?$/

function readArgs(text: string): object {
  let args: unknown
  try {
    args = JSON.parse(text)
  } catch {
    throw new SettingsError(`The arguments are not JSON. Quote them for the shell: sallyport call GET_GUILD '{"guild_id":"1"}'`)
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new SettingsError('The arguments must be a JSON object.')
  return args
}

export const call: Command = {
  name: 'call',
  summary: 'Make one call and print its data (in a script: --non-interactive).',
  usage: 'CMD [ARGS-JSON] [flags]',
  operands: { min: 1, max: 2 },
  flags: ['application', ...FIND_FLAGS, 'nonInteractive', 'yes'],
  async run(context) {
    const [name = '', argsText = '{}'] = context.operands
    if (!NAME.test(name)) throw new SettingsError('The first operand must be the name of a command, such as GET_GUILD.')
    const args = readArgs(argsText)
    const command = name.toUpperCase()
    requireTerminal('call', context)
    await requireKnownArguments(command, args)
    await confirmDestructiveCall(command, context)
    const data = await withBridge(context, async (client) => {
      await signInIfStored(client, context.io)
      return withProgress(context.io, `Waiting for the response of ${command}`, () => client.request(command, args))
    })
    context.io.out(JSON.stringify(data ?? null, null, context.loaded.settings.json ? undefined : JSON_INDENT))
    return EXIT.ok
  },
}
