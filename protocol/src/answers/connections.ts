/** Which connections are still listed: two providers of game accounts were dropped, each from its day on. */
import { holdsOn, type VersionId } from '../versions.ts'

/** The kinds of connection that each of the two providers had. The first is known by name; the second has no public name, so a platform profile names it. */
export interface RemovedConnections {
  readonly a: readonly string[]
  readonly b: readonly string[]
}

export const REMOVED_CONNECTIONS: RemovedConnections = { a: ['riotgames', 'leagueoflegends'], b: [] }

const REMOVED_SINCE = {
  a: 'provider-a-connections-removed',
  b: 'provider-b-connections-removed',
} as const satisfies Readonly<Record<keyof RemovedConnections, VersionId>>

/** Without those whose provider was dropped by now (ms since the epoch), whatever the platform sent. */
export function listedConnections<C extends { readonly type: string }>(
  connections: readonly C[],
  removed: RemovedConnections,
  now: number,
): C[] {
  const gone = new Set((['a', 'b'] as const).flatMap((provider) => (holdsOn(REMOVED_SINCE[provider], now) ? removed[provider] : [])))
  return connections.filter(({ type }) => !gone.has(type))
}
