/** Asks the dashboard of the running bridge for a one-time address of itself. */
import { Secret } from '@sallyport/core/secret'
import { dashboardUrl, readDashboardAddress } from '@sallyport/core/storage/daemon-addresses'

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
