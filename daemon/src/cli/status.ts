/** `sallyport status`: shows the state of the bridge and the connected games. */
import { existsSync } from 'node:fs'
import type { SallyportClient } from '@sallyport/client'
import type { Command, Context } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { asOperator } from './operator.ts'
import { asText } from './text.ts'

/** The status with the sessions of all games, which require the operator proof; without them if the data folder is not accessible. */
async function wholeStatus(client: SallyportClient, context: Context): Promise<object> {
  const { dataDir } = context.loaded.settings
  const whole = existsSync(dataDir) ? await asOperator<object>(client, context, 'GET_BRIDGE_STATUS', {}).catch(() => undefined) : undefined
  if (whole !== undefined) return whole
  context.io.info(`To list the connected games, set --data-dir to the data folder of the bridge; it is not ${dataDir}.`)
  return client.call('GET_BRIDGE_STATUS')
}

export const status: Command = {
  name: 'status',
  summary: 'Show the state of the bridge and the connected games.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['platform', 'runtimeDir', 'dataDir', 'config'],
  async run(context) {
    const data = await withBridge(context, async (client) => {
      const running = await wholeStatus(client, context)
      // Reports a locked vault; the rest of the status does not need it.
      const stored = await client.call('GET_BOT_TOKENS').catch((failure: unknown) => ({ vault_problem: (failure as Error).message }))
      return { ...running, ...stored }
    })
    context.io.out(context.loaded.settings.json ? JSON.stringify(data) : asText(data))
    return EXIT.ok
  },
}
