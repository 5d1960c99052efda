/** Which connections the platform still lists: two providers of game accounts were dropped, each from its day on. */
import { holdsOn, type VersionId } from '@sallyport/protocol'
import type { StoredConnection } from '../store/records.ts'

/** Kinds that are no longer listed, with the change that ended them. The second provider has no public name; the sandbox gives it one of its own. */
const REMOVED_CONNECTIONS = [
  { types: ['riotgames', 'leagueoflegends'], since: 'provider-a-connections-removed' },
  { types: ['sandbox-provider-b'], since: 'provider-b-connections-removed' },
] as const satisfies readonly { readonly types: readonly string[]; readonly since: VersionId }[]

export function listedConnections(connections: readonly StoredConnection[], now: number): readonly StoredConnection[] {
  const gone = new Set<string>(REMOVED_CONNECTIONS.filter(({ since }) => holdsOn(since, now)).flatMap(({ types }) => types))
  return connections.filter(({ type }) => !gone.has(type))
}
