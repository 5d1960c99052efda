/**
 * Opens the dashboard in the browser. Other users can read the command line of a browser, so it contains a local address of its own, which
 * redirects this user to the dashboard and its code.
 */
import { systemClock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { MINUTE_MS } from '@sallyport/core/durations'
import { openExternally } from '@sallyport/core/os/open-externally'

export interface DashboardEntry {
  readonly isOpened: boolean
  /** Whether a browser has followed it before it ended. */
  readonly visited: Promise<boolean>
  /** Ends the address, which also ends by itself. */
  readonly close: Closer
}

/** `address`: a one-time address. Rejects with SERVICE_UNAVAILABLE when no port is available. */
export async function openDashboard(address: URL, open: (target: string) => Promise<boolean> = openExternally): Promise<DashboardEntry> {
  const [{ openSignIn }, { openTcpPeers }] = await Promise.all([import('../auth/oauth/loopback.ts'), import('../loopback/tcp-peer.ts')])
  // No redirect comes back to it: it is an entry only.
  const entry = await openSignIn({ state: undefined, clock: systemClock, peers: openTcpPeers() })
  const { promise: visited, resolve: onVisited } = Promise.withResolvers<boolean>()
  void entry.visited.then(() => onVisited(true))
  const cancelTimeout = systemClock.after(MINUTE_MS, () => void close())
  const close: Closer = async () => {
    cancelTimeout()
    onVisited(false)
    await entry.close()
  }
  // A second visit, where the system cannot identify visitors.
  entry.redirect.catch(() => close())
  const isOpened = await open(entry.entryUrlFor(address).href)
  if (!isOpened) await close()
  return { isOpened, visited, close }
}
