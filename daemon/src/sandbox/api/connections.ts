/** Which connections the platform still lists: two providers of game accounts were dropped, each from its day on. */
import type { StoredConnection } from '../store/records.ts'

/** Kinds that are no longer listed, with the day they went. The second provider has no public name; the sandbox gives it one of its own. */
const REMOVED_CONNECTIONS = [
  { types: ['riotgames', 'leagueoflegends'], from: Date.UTC(2026, 6, 10) },
  { types: ['sandbox-provider-b'], from: Date.UTC(2026, 8, 22) },
] as const satisfies readonly { readonly types: readonly string[]; readonly from: number }[]

export function listedConnections(connections: readonly StoredConnection[], now: number): readonly StoredConnection[] {
  const gone = new Set<string>(REMOVED_CONNECTIONS.filter(({ from }) => now >= from).flatMap(({ types }) => types))
  return connections.filter(({ type }) => !gone.has(type))
}
