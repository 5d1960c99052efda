/** Connected accounts without those of two game account providers that the platform removed, each on a known day. */
import { isInEffect, type VersionId } from '../versions.ts'

/** Connection types of the two removed providers. A platform profile can name others. */
export interface RemovedConnections {
  readonly a: readonly string[]
  readonly b: readonly string[]
}

/** As the platform's change log names them, in July and August 2026. */
export const REMOVED_CONNECTIONS: RemovedConnections = { a: ['riotgames', 'leagueoflegends'], b: ['battlenet'] }

const REMOVED_SINCE = {
  a: 'provider-a-connections-removed',
  b: 'provider-b-connections-removed',
} as const satisfies Readonly<Record<keyof RemovedConnections, VersionId>>

/** Returns the connections without those of providers removed before `now` (ms since the epoch), even if the platform sent them. */
export function listedConnections<C extends { readonly type: string }>(
  connections: readonly C[],
  removed: RemovedConnections,
  now: number,
): C[] {
  const gone = new Set((['a', 'b'] as const).flatMap((provider) => (isInEffect(REMOVED_SINCE[provider], now) ? removed[provider] : [])))
  return connections.filter(({ type }) => !gone.has(type))
}
