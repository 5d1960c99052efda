/** What an answer of the platform is brought into shape with: the caller's side of it, which the platform does not know or does not say. */
import type { RemovedConnections } from './connections.ts'

export interface AnswerFacts {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What the caller's token holds, umbrellas opened. */
  readonly scopes: ReadonlySet<string>
  readonly removedConnections: RemovedConnections
}
