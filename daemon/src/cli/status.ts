/** `sallyport status`: what runs, and who is connected. */
import { existsSync } from 'node:fs'
import type { SallyportClient } from '@sallyport/client'
import type { Command, Context } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { asOperator } from './operator.ts'
import { asText } from './text.ts'

/** With the sessions of all games, which only the operator is shown; without them where the data of the bridge is not ours. */
async function wholeStatus(client: SallyportClient, context: Context): Promise<object> {
  const { dataDir } = context.loaded.settings
  const whole = existsSync(dataDir) ? await asOperator<object>(client, context, 'GET_BRIDGE_STATUS', {}).catch(() => undefined) : undefined
  if (whole !== undefined) return whole
  context.io.say(`The games that are connected are listed with the --data-dir of the bridge, which is not ${dataDir}.`)
  return client.call('GET_BRIDGE_STATUS')
}

export const status: Command = {
  name: 'status',
  summary: 'Show what runs and who is connected.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['platform', 'runtimeDir', 'dataDir', 'config'],
  async run(context) {
    const data = await withBridge(context, async (client) => {
      const running = await wholeStatus(client, context)
      // A vault that does not open is told; the rest is as true as before.
      const stored = await client.call('GET_BOT_TOKENS').catch((failure: unknown) => ({ vault_problem: (failure as Error).message }))
      return { ...running, ...stored }
    })
    context.io.out(context.loaded.settings.json ? JSON.stringify(data) : asText(data))
    return EXIT.ok
  },
}
