/** The state of a running daemon, as its dashboard reads it. */
import type { BridgeState } from '@sallyport/protocol'
import type { Daemon } from './daemon.ts'

export async function stateOf({ ready }: Pick<Daemon, 'ready'>): Promise<BridgeState> {
  const address = new URL(ready.dashboard ?? '')
  const headers = { authorization: `Bearer ${address.hash.replace('#token=', '')}` }
  const response = await fetch(new URL('/api/state', address), { headers })
  if (!response.ok) throw new Error(`the dashboard answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as BridgeState
}
