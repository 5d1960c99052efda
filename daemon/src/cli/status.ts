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
    const data = await withBridge(context, async (client) => {
      const running = await client.call('GET_BRIDGE_STATUS')
      // A vault that does not open is told; the rest is as true as before.
      const stored = await client.call('GET_BOT_TOKENS').catch((failure: unknown) => ({ vault_problem: (failure as Error).message }))
      return { ...running, ...stored }
    })
    context.io.out(context.loaded.settings.json ? JSON.stringify(data) : asText(data))
    return EXIT.ok
  },
}
