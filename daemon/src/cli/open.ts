/** `sallyport open`: opens the dashboard in the browser, by an address that opens one tab. Starts an installed bridge that does not run. */
import { isSea } from 'node:sea'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command, Context } from './command.ts'
import { oneTimeDashboardAddress } from './dashboard-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { withProgress } from './progress.ts'
import { runningBridge } from './running-bridge.ts'

const POLL_MS = 50
const START_MS = 15_000

/** A clone has a terminal with its bridge. Rejects with CommandFailure if the bridge does not come. */
async function startedAddress(context: Context): Promise<URL> {
  const { dataDir } = context.loaded.settings
  const none = (why: string) =>
    new CommandFailure(EXIT.noDaemon, `No bridge with a dashboard is running with the data folder ${dataDir}. ${why}`)
  if ((await runningBridge(context)) !== undefined) throw none('Its dashboard is off. Run it without --dashboard-port off.')
  if (!isSea()) throw none('Start one with: sallyport run')
  const { startBridgeInBackground } = await import('./start-bridge.ts')
  const problem = await startBridgeInBackground(context)
  if (problem !== undefined) throw none(`It could not be started: ${problem}`)
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    const address = await oneTimeDashboardAddress(dataDir)
    if (address !== undefined) return address
    await pause(POLL_MS)
  }
  throw none('It was started, but shows no dashboard. See: sallyport logs')
}

const addressOf = async (context: Context): Promise<URL> =>
  (await oneTimeDashboardAddress(context.loaded.settings.dataDir)) ??
  withProgress(context.io, 'Waiting for the bridge', () => startedAddress(context))

const NO_BROWSER = 'No browser could be started.'

/** The code of an address opens the dashboard, so it is printed for people only. */
function failedText({ io }: Context, address: URL): string {
  if (!io.isStdoutTerminal) return `${NO_BROWSER} In a terminal, this command prints the address.`
  return `${NO_BROWSER} Open this address within five minutes; it opens one tab: ${address.href}`
}

export const open: Command = {
  name: 'open',
  summary: 'Open the dashboard in the browser.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: FIND_FLAGS,
  async run(context) {
    const { io, loaded } = context
    const address = await addressOf(context)
    const { openDashboard } = await import('./dashboard-entry.ts')
    const entry = await openDashboard(address)
    if (!entry.isOpened) throw new CommandFailure(EXIT.failed, failedText(context, address))
    const isVisited = await withProgress(io, 'Waiting for the browser', () => entry.visited)
    await entry.close()
    if (!isVisited) throw new CommandFailure(EXIT.failed, 'The browser did not open the dashboard within a minute. Run the command again.')
    if (loaded.settings.json) io.out(JSON.stringify({ opened: true }))
    return EXIT.ok
  },
}
