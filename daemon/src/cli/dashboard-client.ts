/** Sends requests to the running bridge via the HTTP API of its dashboard. */
import { readDashboardAddress } from '@sallyport/core/storage/daemon-addresses'
import type { Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { withProgress } from './progress.ts'

/** Time limit of a request; e.g. revoking waits for the platform. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Sends a request to the dashboard of the running bridge. Its token is in the data folder, which a sandboxed game cannot read.
 * Rejects with CommandFailure if no such bridge is running or it failed.
 */
export async function requestDashboard({ io, loaded: { settings } }: Context, method: 'GET' | 'POST', path: string): Promise<Response> {
  const address = readDashboardAddress(settings.dataDir)
  const notRunning = (cause?: unknown) =>
    new CommandFailure(
      EXIT.noDaemon,
      `No bridge with a dashboard is running with the data folder ${settings.dataDir}. Start one with: sallyport run`,
      {},
      { cause },
    )
  if (address === undefined) throw notRunning()
  const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? ''
  const headers = { authorization: `Bearer ${token}` }
  let response: Response
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    response = await withProgress(io, 'Waiting for the bridge', () =>
      fetch(new URL(path, address), { method, headers, redirect: 'error', signal }),
    )
  } catch (failure) {
    if (failure instanceof Error && failure.name === 'TimeoutError')
      throw new CommandFailure(EXIT.failed, 'The bridge did not respond in time.')
    throw notRunning(failure)
  }
  // Another program uses the port of a bridge that exited.
  if (response.status === 401 || response.status === 403) throw notRunning()
  if (response.status >= 500) throw new CommandFailure(EXIT.failed, await response.text())
  return response
}
