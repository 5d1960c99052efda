/** Changes the platform for the tray: in the settings file, and then in the bridge, which starts again if it runs. */
import { setTimeout as pause } from 'node:timers/promises'
import { configFile } from '../config/paths.ts'
import { editSettingsFile } from '../config/settings-file.ts'
import type { Context } from './command.ts'
import { hasUnit, runningBridge } from './running-bridge.ts'
import { restartUnit, startBridgeInBackground } from './start-bridge.ts'
import type { TrayLink } from './tray-link.ts'

const POLL_MS = 50
const END_MS = 15_000

/** Resolves with the reason why it was not done; undefined if it was. Rejects if the file cannot be written. */
export async function setPlatform(platform: string, context: Context, link: Pick<TrayLink, 'operate'>): Promise<string | undefined> {
  const { io, loaded } = context
  const { origins, settings } = loaded
  if (origins.platform === 'flag' || origins.platform === 'env') {
    const by = origins.platform === 'flag' ? '--platform' : 'the variable SALLYPORT_PLATFORM'
    return `The tray was started with ${by}, which decides. Start it without.`
  }
  editSettingsFile(settings.config ?? configFile(io.machine), { platform })
  if ((await runningBridge(context)) === undefined) return undefined
  if (hasUnit(context)) return restartUnit()
  await link.operate({ do: 'operate', action: 'stop' })
  for (let waited = 0; waited < END_MS; waited += POLL_MS) {
    if ((await runningBridge(context)) === undefined) return startBridgeInBackground(context)
    await pause(POLL_MS)
  }
  return `The running bridge has not ended. It has the platform ${platform} when it starts again.`
}
