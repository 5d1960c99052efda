/** Where an activity can be shown, as the user chooses it: a desktop client, named by its id, and two places that are always there. */
import { OwnerMap } from './owner-map.ts'
import type { Presence, PresenceSink } from './sink.ts'

/** The account that a game is signed in with, without a desktop client. */
export const ACCOUNT = 'account'
/** Pages in a browser of this machine, which show it for their user. */
export const WEB = 'web'

/** Ids of places. Undefined: the user chose nothing, so the first that can show an activity does, and pages do too. */
export type Places = readonly string[] | undefined

/** The choice for a presence. */
export type PlacesOf = (presence: Presence) => Places

export const isChosen = (places: Places, place: string): boolean => places === undefined || places.includes(place)

/** A sink that is one place. `placesChanged`: the user chose anew. */
export function sinkAt(place: string, sink: PresenceSink, placesOf: PlacesOf): PresenceSink & { placesChanged(): void } {
  const all = new OwnerMap<Presence>()
  const pass = (presence: Presence): void => sink.show(presence, isChosen(placesOf(presence), place) ? presence : undefined)
  return {
    show(owner, presence) {
      if (presence === undefined) {
        all.delete(owner)
        sink.show(owner, undefined)
      } else {
        all.set(owner, presence)
        pass(presence)
      }
    },
    placesChanged: () => all.all().forEach(pass),
  }
}
