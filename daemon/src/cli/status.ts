/** `sallyport status`: what runs, and who is connected. */
import type { Command } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { asText } from './text.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show what runs and who is connected.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['platform', 'runtimeDir', 'config'],
  async run(context) {
    const data = await withBridge(context, (client) => client.request('GET_BRIDGE_STATUS'))
    context.io.out(context.loaded.settings.json ? JSON.stringify(data) : asText(data))
    return EXIT.ok
  },
}
