/** Of the players of each application, what was set last: for those who show one presence for an application, whoever plays. */
import type { Player, Presence } from './sink.ts'

/** Undefined: nothing of this application any more. */
type ShowOfApplication = (applicationId: string, presence: Presence | undefined) => void

const newestOf = (all: Iterable<Presence>): Presence | undefined => {
  let newest: Presence | undefined
  for (const one of all) if (newest === undefined || one.since >= newest.since) newest = one
  return newest
}

/** What it gives back is told as a sink is. A player that is told again is passed on again, while it is the newest. */
export function newestOfApplication(show: ShowOfApplication): (player: Player, presence: Presence | undefined) => void {
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
