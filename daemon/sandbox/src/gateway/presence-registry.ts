/**
 * Presence of users and bots: of gateway sessions the last update counts, and each headless session adds its activity. The status that a user
 * chose stands where a session is only online.
 */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import type { OnlineStatus } from '@sallyport/protocol'
import type { GatewayCaller } from './viewer.ts'

export const PresenceInput = once(() =>
  z.object({
    since: z.number().nullish(),
    activities: z.array(z.record(z.string(), z.unknown())).max(128),
    status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']),
    afk: z.boolean().nullish(),
  }),
)
type PresenceUpdate = z.output<ReturnType<typeof PresenceInput>>

export interface UserPresence {
  readonly status: 'online' | 'dnd' | 'idle' | 'offline'
  readonly activities: readonly Readonly<Record<string, unknown>>[]
}

export const ONLINE: UserPresence = { status: 'online', activities: [] }
const OFFLINE: UserPresence = { status: 'offline', activities: [] }

/** Activity fields that a bot may set. */
const BOT_FIELDS: readonly string[] = ['name', 'type', 'state', 'url']

/** The presence as others see it: invisible users are offline, and secrets are removed. */
export function shownPresence({ status, activities }: PresenceUpdate, { kind }: GatewayCaller): UserPresence {
  if (status === 'invisible' || status === 'offline') return OFFLINE
  const isShown = (field: string): boolean => (kind === 'bot' ? BOT_FIELDS.includes(field) : field !== 'secrets')
  return {
    status,
    activities: activities.map((activity) => Object.fromEntries(Object.entries(activity).filter(([field]) => isShown(field)))),
  }
}

type Activity = UserPresence['activities'][number]

export class PresenceRegistry {
  readonly #byUser = new Map<string, Map<string, UserPresence>>()
  /** Of headless sessions, by user and session. */
  readonly #headless = new Map<string, Map<string, Activity>>()
  readonly #chosen = new Map<string, OnlineStatus>()

  /** Sets the presence of a session; undefined when the session ended. `personId` is a user, or a bot by its application id. */
  set(personId: string, sessionId: string, presence: UserPresence | undefined): void {
    const bySession = this.#byUser.get(personId) ?? new Map<string, UserPresence>()
    bySession.delete(sessionId)
    if (presence !== undefined) bySession.set(sessionId, presence)
    if (bySession.size === 0) this.#byUser.delete(personId)
    else this.#byUser.set(personId, bySession)
  }

  /** Sets the activity of a headless session, without its secrets; undefined when the session ended. */
  setHeadless(userId: string, sessionId: string, activity: Activity | undefined): void {
    const bySession = this.#headless.get(userId) ?? new Map<string, Activity>()
    if (activity === undefined) bySession.delete(sessionId)
    else bySession.set(sessionId, activity)
    if (bySession.size === 0) this.#headless.delete(userId)
    else this.#headless.set(userId, bySession)
  }

  /** Sets the status that the user chose. */
  setChosen(userId: string, status: OnlineStatus): void {
    this.#chosen.set(userId, status)
  }

  of(personId: string): UserPresence {
    const shown = this.#ofSessions(personId)
    const chosen = this.#chosen.get(personId)
    if (chosen === 'invisible') return OFFLINE
    return chosen === undefined || shown.status !== 'online' ? shown : { ...shown, status: chosen }
  }

  #ofSessions(personId: string): UserPresence {
    const last = [...(this.#byUser.get(personId)?.values() ?? [])].at(-1)
    const headless = this.#headless.get(personId)
    if (headless === undefined) return last ?? OFFLINE
    // A user who is invisible in one client is not shown by a game.
    if (last?.status === 'offline') return OFFLINE
    return { status: last?.status ?? 'online', activities: [...(last?.activities ?? []), ...headless.values()] }
  }
}

/** The wire form in PRESENCE_UPDATE and in lists of presences. */
export const presenceView = (personId: string, { status, activities }: UserPresence) => ({
  user: { id: personId },
  status,
  activities,
  client_status: status === 'offline' ? {} : { desktop: status },
})
