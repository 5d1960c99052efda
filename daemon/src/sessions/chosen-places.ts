/** Where the user chose that activities are shown: for one game, or for every game without a choice of its own. */
import { BridgeError } from '@sallyport/core/errors'
import type { Grants } from '../auth/grants/grants.ts'
import type { SessionRegistry } from './registry.ts'

/** In place of the id of a grant: every game. */
const EVERY_GAME = 'all'

export interface PlaceChoiceDeps {
  readonly grants: Pick<Grants, 'choosePlacesOfAll'>
  /** Ids of the places that the user can choose now. */
  readonly knownPlaces: () => readonly string[]
  /** Activities are shown elsewhere. */
  readonly placesChanged: () => void
}

/** Whether the id names every game; then the choice is stored and takes effect. */
export function chooseForEveryGame(id: string, places: readonly string[] | undefined, deps: PlaceChoiceDeps): boolean {
  if (id !== EVERY_GAME) return false
  deps.grants.choosePlacesOfAll(places)
  deps.placesChanged()
  return true
}

/** A name that is misspelled would hide the game everywhere. Throws INVALID_PAYLOAD. */
export function requireKnownPlaces(places: readonly string[] | undefined, { knownPlaces }: Pick<PlaceChoiceDeps, 'knownPlaces'>): void {
  const known = knownPlaces()
  const unknown = (places ?? []).filter((place) => !known.includes(place))
  if (unknown.length === 0) return
  throw new BridgeError('INVALID_PAYLOAD', `The bridge knows no place ${unknown.join(', ')}. It knows ${known.join(', ')}.`, {
    path: 'places',
  })
}

/** The choice for what a session shows. Undefined: the user chose nothing. */
export const placesOfSession = (
  sessionId: number,
  { grants, registry }: { readonly grants: Pick<Grants, 'placesOf' | 'placesOfAll'>; readonly registry: Pick<SessionRegistry, 'find'> },
): readonly string[] | undefined => {
  const session = registry.find(sessionId)
  return session === undefined ? grants.placesOfAll : grants.placesOf(session.program, session.applicationId)
}
