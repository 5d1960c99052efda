/** `sallyport status`: shows the state of the bridge; as JSON, it is the BridgeState of the reference. */
import { existsSync } from 'node:fs'
import type { SallyportClient } from '@sallyport/client'
import type { BridgeState } from '@sallyport/protocol'
import type { Command, Context } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { asOperator } from './operator.ts'
import { asText } from './text.ts'

/** The whole state requires the operator proof. Without access to the data folder: what a game learns, without this connection. */
async function stateOf(client: SallyportClient, context: Context): Promise<Partial<BridgeState>> {
  const { dataDir } = context.loaded.settings
  try {
    if (existsSync(dataDir)) {
      await asOperator(client, context, 'OPERATE_BRIDGE', { action: 'open-vault' })
      return await asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})
    }
  } catch {
    // The bridge has another data folder.
  }
  context.io.info(`To see the whole state, set --data-dir to the data folder of the bridge; it is not ${dataDir}.`)
  const { games: _, ...status } = await client.call('GET_BRIDGE_STATUS')
  return status
}

export const status: Command = {
  name: 'status',
  summary: 'Show the state of the bridge and the connected games.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['platform', 'runtimeDir', 'dataDir', 'config'],
  async run(context) {
    const state = await withBridge(context, (client) => stateOf(client, context))
    context.io.out(context.loaded.settings.json ? JSON.stringify(state) : asText(state))
    return EXIT.ok
  },
}
