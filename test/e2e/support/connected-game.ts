/** A game of the TypeScript client that waits for its daemon. */
import { type ClientOptions, SallyportClient } from '@sallyport/client'
import { SOON } from '#test/support/soon.ts'

/**
 * A client that is connected. Rejects as `SallyportClient.connect` does, but searches again for 30 s: a daemon may load its bridge in the first
 * handshake, which on a busy machine takes longer than one handshake may.
 */
export const connectedGame = (options: ClientOptions): Promise<SallyportClient> =>
  SallyportClient.connect({ ...options, timeoutMs: SOON.timeout })
