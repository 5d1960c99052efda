/** `sallyport status`: shows the state of the bridge; as JSON, it is the BridgeState of the reference, and the platform of the settings. */
import { existsSync } from 'node:fs'
import type { SallyportClient } from '@sallyport/client'
import type { BridgeState } from '@sallyport/protocol'
import type { Origin } from '../config/load.ts'
import { UNIT_NAMES } from '../install/linux-files.ts'
import { isAsleep } from './asleep.ts'
import type { Command, Context } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { painterOf } from './paint.ts'
import { statusText } from './status-text.ts'

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

/** The platform of the settings, which a bridge that runs may not have yet. */
function chosen({ loaded: { settings, origins } }: Context): { readonly platform: string; readonly from: Origin } {
  return { platform: settings.profile?.name ?? settings.platform, from: origins.platform }
}

/** The platform that runs and the one that is set stand together. */
const withSettings = (state: Partial<BridgeState>, context: Context): object =>
  Object.fromEntries(
    Object.entries(state).flatMap((field) => (field[0] === 'platform' ? [field, ['settings', chosen(context)] as const] : [field])),
  )

export const status: Command = {
  name: 'status',
  summary: 'Show the state of the bridge and the connected games.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: FIND_FLAGS,
  async run(context) {
    const { io, loaded } = context
    if (await isAsleep(context)) {
      const { platform } = chosen(context)
      throw new CommandFailure(
        EXIT.noDaemon,
        `No bridge is running. The next game starts it (${UNIT_NAMES.socket} listens), with the platform ${platform}.`,
      )
    }
    const state = await withBridge(context, (client) => stateOf(client, context))
    if (loaded.settings.json) io.out(JSON.stringify(withSettings(state, context)))
    else io.out(statusText(state, chosen(context), { columns: io.columns, paint: painterOf(io.colours.out) }))
    return EXIT.ok
  },
}
