/** Sends requests to the running bridge via the HTTP API of its dashboard. */
import { Secret } from '@sallyport/core/secret'
import { dashboardUrl, readDashboardAddress } from '@sallyport/core/storage/daemon-addresses'
import type { Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { withProgress } from './progress.ts'

/** Time limit of a request; e.g. revoking waits for the platform. */
const REQUEST_TIMEOUT_MS = 30_000

const tokenOf = (address: URL): string => new URLSearchParams(address.hash.slice(1)).get('token') ?? ''

/**
 * A new one-time address of the running dashboard, for a browser; it opens one tab, within five minutes. Undefined when no dashboard runs with this
 * data folder. The token of the run goes to the port that the daemon wrote down: to another server there, whose daemon is gone, it is worth nothing.
 */
export async function oneTimeDashboardAddress(dataDir: string): Promise<URL | undefined> {
  const address = readDashboardAddress(dataDir)
  if (address === undefined) return undefined
  try {
    const headers = { authorization: `Bearer ${tokenOf(address)}` }
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const response = await fetch(new URL('/api/codes', address), { method: 'POST', headers, redirect: 'error', signal })
    const { code } = response.ok ? ((await response.json()) as { readonly code?: unknown }) : {}
    return typeof code === 'string' ? new URL(dashboardUrl(Number(address.port), new Secret(code), 'code')) : undefined
  } catch {
    return undefined
  }
}

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
  const headers = { authorization: `Bearer ${tokenOf(address)}` }
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
