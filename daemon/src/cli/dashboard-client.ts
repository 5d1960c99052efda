/** Sends what only the user of the machine may do to the running bridge, by the HTTP of its dashboard. */
import { readAddress } from '../admin/address-file.ts'
import type { Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Revoking, for one, waits for the platform, but not for ever. */
const PATIENCE_MS = 30_000

/**
 * Asks the running bridge over its dashboard: only who may read the user's data folder has the token for it, so no sandboxed game does.
 * Rejects with CommandFailure when there is no such bridge, or it failed.
 */
export async function askDashboard({ loaded: { settings } }: Context, method: 'GET' | 'POST', path: string): Promise<Response> {
  const address = readAddress(settings.dataDir)
  const absent = (cause?: unknown) =>
    new CommandFailure(
      EXIT.noDaemon,
      `No bridge with a dashboard runs on the data in ${settings.dataDir}; this goes through it. Start one with: sallyport run`,
      {},
      { cause },
    )
  if (address === undefined) throw absent()
  const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? ''
  const headers = { authorization: `Bearer ${token}` }
  let response: Response
  try {
    response = await fetch(new URL(path, address), { method, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (failure) {
    if (failure instanceof Error && failure.name === 'TimeoutError') throw new CommandFailure(EXIT.failed, 'The bridge does not answer.')
    throw absent(failure)
  }
  // Another program has the port of a bridge that died.
  if (response.status === 401 || response.status === 403) throw absent()
  if (response.status >= 500) throw new CommandFailure(EXIT.failed, await response.text())
  return response
}
