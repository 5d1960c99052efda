/** The search for a server: places in order, the next one begun when the last said no or is slow, a bridge preferred to any other server. */
import type { Place } from './discovery.ts'
import { ForeignServer, NoServer, ServerClosed } from './errors.ts'
import type { Link } from './link.ts'
import type { Clock } from './ports.ts'

export interface Search {
  readonly places: readonly Place[]
  /** Places that are left out, since a server of another kind is known to be there. */
  readonly spared: number
  readonly open: (place: Place, signal: AbortSignal) => Promise<Link>
  /** Whether a server that is not a bridge may be taken when no bridge is found. */
  readonly acceptOthers: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** A slow server does not hold up the others: after this time the next place is tried beside it. Milliseconds. */
const HEAD_START_MS = 250

const isBridge = (link: Link): boolean => link.server.bridge !== undefined

const firstOf = (places: readonly Place[], links: readonly Link[]): Link | undefined =>
  places.flatMap((place) => links.filter((link) => link.server.path === place.path))[0]

function nothingFound(places: readonly Place[], errors: readonly unknown[], others: number): Error {
  const refusal = errors.find((error) => error instanceof ServerClosed)
  if (refusal !== undefined) return refusal
  const first = places[0]?.path ?? 'no place'
  const foreign = errors.find((error) => error instanceof ForeignServer)
  const sentence =
    others > 0
      ? 'another server of the protocol answers, but no Sallyport bridge does'
      : foreign === undefined
        ? 'no server answers'
        : `no server of this user answers: ${foreign.message}`
  return new NoServer(`${sentence} (looked from ${first} on); start one with: sallyport run`, { cause: foreign ?? errors.at(0) })
}

/**
 * Resolves with the first bridge that answers, places being begun in order, or, when all have answered, with the first other server if
 * those are accepted.
 * Rejects with NoServer, or with the ServerClosed of a server that refused. Every link not chosen is closed.
 */
export function findServer({ places, spared, open, acceptOthers, clock, signal }: Search): Promise<Link> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const others: Link[] = []
    const errors: unknown[] = []
    let begun = 0
    let underWay = 0
    let cancelHeadStart = () => {}
    let over = false

    const finish = (chosen: Link | undefined) => {
      if (over) return
      over = true
      cancelHeadStart()
      signal.removeEventListener('abort', abandon)
      stop.abort()
      for (const link of others) if (link !== chosen) void link.close()
      if (chosen === undefined) reject(nothingFound(places, errors, spared + others.length))
      else resolve(chosen)
    }
    const abandon = () => {
      const kept = others.splice(0)
      for (const link of kept) void link.close()
      finish(undefined)
    }
    const advance = () => {
      cancelHeadStart()
      const place = places[begun]
      if (over) return
      if (place === undefined) {
        if (underWay === 0) finish(acceptOthers ? firstOf(places, others) : undefined)
        return
      }
      begun += 1
      underWay += 1
      cancelHeadStart = clock.after(HEAD_START_MS, advance)
      open(place, stop.signal).then(
        (link) => {
          underWay -= 1
          if (over) void link.close()
          else if (isBridge(link)) finish(link)
          else {
            others.push(link)
            advance()
          }
        },
        (error: unknown) => {
          underWay -= 1
          errors.push(error)
          advance()
        },
      )
    }
    signal.addEventListener('abort', abandon, { once: true })
    if (signal.aborted) abandon()
    else advance()
  })
}
