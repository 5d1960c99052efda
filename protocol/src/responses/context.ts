/** Data about the caller that is needed to shape a response of the platform. */
import type { RemovedConnections } from './connections.ts'

export interface ResponseContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Scopes of the caller's token, expanded. */
  readonly scopes: ReadonlySet<string>
  readonly removedConnections: RemovedConnections
}
