/** Selects the latest presence of each application, for sinks that show one presence per application. */
import type { PresenceOwner, Presence } from './sink.ts'

/** Undefined clears the application. */
type ShowOfApplication = (applicationId: string, presence: Presence | undefined) => void

export const newestOf = (all: Iterable<Presence>): Presence | undefined => {
  let newest: Presence | undefined
  for (const one of all) if (newest === undefined || one.since >= newest.since) newest = one
  return newest
}

/** Returns the `show` of a sink. A presence that is sent again is passed on again while it is the latest. */
export function latestPerApplication(show: ShowOfApplication): (player: PresenceOwner, presence: Presence | undefined) => void {
  const shown = new Map<string, Map<string | undefined, Presence>>()
  return ({ applicationId, userId }, presence) => {
    const ofApplication = shown.get(applicationId) ?? new Map<string | undefined, Presence>()
    const before = newestOf(ofApplication.values())
    ofApplication.delete(userId)
    if (presence !== undefined) ofApplication.set(userId, presence)
    if (ofApplication.size === 0) shown.delete(applicationId)
    else shown.set(applicationId, ofApplication)
    const now = newestOf(ofApplication.values())
    if (now !== before || (now !== undefined && now === presence)) show(applicationId, now)
  }
}
