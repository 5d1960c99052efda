/** The search for a server (as RFC 8305): tries candidates in order, starts the next one when the last fails or is slow, and prefers a bridge. */
import type { SocketCandidate } from './discovery.ts'
import { ForeignServerError, ServerNotFoundError, ServerClosedError } from './errors.ts'
import type { ServerConnection } from './server-connection.ts'
import type { Clock } from './environment.ts'

export interface ServerSearch {
  readonly candidates: readonly SocketCandidate[]
  /** Number of candidates left out because a server that is not a bridge listens there. */
  readonly skipped: number
  readonly open: (candidate: SocketCandidate, signal: AbortSignal) => Promise<ServerConnection>
  /** Whether to accept a server that is not a bridge if no bridge is found. */
  readonly acceptOthers: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds after which the next candidate starts while the last one is still pending. */
const HEAD_START_MS = 250

const isBridge = (connection: ServerConnection): boolean => connection.server.bridge !== undefined

const firstInOrder = (candidates: readonly SocketCandidate[], connections: readonly ServerConnection[]): ServerConnection | undefined =>
  candidates.flatMap((candidate) => connections.filter((connection) => connection.server.path === candidate.path))[0]

function notFoundError(candidates: readonly SocketCandidate[], errors: readonly unknown[], others: number): Error {
  const refused = errors.find((error) => error instanceof ServerClosedError)
  if (refused !== undefined) return refused
  const first = candidates[0]?.path ?? 'no candidate'
  const foreign = errors.find((error) => error instanceof ForeignServerError)
  const sentence =
    others > 0
      ? 'a server of the protocol was found, but it is not a Sallyport bridge'
      : foreign === undefined
        ? 'no server was found'
        : `no trusted server was found: ${foreign.message}`
  return new ServerNotFoundError(`${sentence} (searched from ${first}); start one with: sallyport run`, { cause: foreign ?? errors.at(0) })
}

/**
 * Resolves with the first bridge that responds; or, when all candidates are finished, with the first other server if those are accepted.
 * Rejects with ServerNotFoundError, or with the ServerClosedError of a server that refused. Closes every connection that it does not return.
 */
export function findServer({ candidates, skipped, open, acceptOthers, clock, signal }: ServerSearch): Promise<ServerConnection> {
  return new Promise((resolve, reject) => {
    const attempts = new AbortController()
    const others: ServerConnection[] = []
    const errors: unknown[] = []
    let started = 0
    let pending = 0
    let cancelHeadStart = () => {}
    let isFinished = false

    const finish = (selected: ServerConnection | undefined) => {
      if (isFinished) return
      isFinished = true
      cancelHeadStart()
      signal.removeEventListener('abort', onAbort)
      attempts.abort()
      for (const connection of others) if (connection !== selected) void connection.close()
      if (selected === undefined) reject(notFoundError(candidates, errors, skipped + others.length))
      else resolve(selected)
    }
    const onAbort = () => {
      const kept = others.splice(0)
      for (const connection of kept) void connection.close()
      finish(undefined)
    }
    const startNext = () => {
      cancelHeadStart()
      const candidate = candidates[started]
      if (isFinished) return
      if (candidate === undefined) {
        if (pending === 0) finish(acceptOthers ? firstInOrder(candidates, others) : undefined)
        return
      }
      started += 1
      pending += 1
      cancelHeadStart = clock.after(HEAD_START_MS, startNext)
      open(candidate, attempts.signal).then(
        (connection) => {
          pending -= 1
          if (isFinished) void connection.close()
          else if (isBridge(connection)) finish(connection)
          else {
            others.push(connection)
            startNext()
          }
        },
        (error: unknown) => {
          pending -= 1
          errors.push(error)
          startNext()
        },
      )
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else startNext()
  })
}
