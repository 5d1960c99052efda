/** What the sessions of each application want of a client, worked out anew from the hub. Pure. */
import type { Session } from '../../../sessions/session.ts'
import type { DesiredEvent } from '../../hub.ts'
import { type ClientEventName, isClientEvent } from './client-events.ts'

/** One subscription at the client. */
export interface Wish {
  readonly key: string
  readonly name: ClientEventName
  readonly args: object
  /** In whose name it is asked for where the client wants a user: who subscribed last of those who are signed in. */
  readonly speaker: Session | undefined
}

export function wishOf(name: ClientEventName, args: object, caller: Session): Wish {
  const given = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    key: `${name} ${JSON.stringify(given)}`,
    name,
    args: Object.fromEntries(given),
    speaker: caller.signedIn === undefined ? undefined : caller,
  }
}

/** By application, then by key. */
export function wishesByApplication(
  desired: readonly DesiredEvent[],
  subscribersOf: (event: DesiredEvent) => readonly Session[],
  /** Whether the client is to tell a session of this. */
  isForClient: (name: ClientEventName, caller: Session) => boolean,
): ReadonlyMap<string, ReadonlyMap<string, Wish>> {
  const byApplication = new Map<string, Map<string, Wish>>()
  for (const event of desired) {
    const { name, args } = event
    if (!isClientEvent(name)) continue
    for (const caller of subscribersOf(event)) {
      if (!isForClient(name, caller)) continue
      const wishes = byApplication.get(caller.applicationId) ?? new Map<string, Wish>()
      const wish = wishOf(name, args, caller)
      byApplication.set(caller.applicationId, wishes.set(wish.key, { ...wish, speaker: wish.speaker ?? wishes.get(wish.key)?.speaker }))
    }
  }
  return byApplication
}
