/** Who is online, by what the open sessions say of themselves; the last word of one counts. */
import * as z from 'zod'
import type { Party } from './viewer.ts'

export const PresenceInput = z.object({
  since: z.number().nullish(),
  activities: z.array(z.record(z.string(), z.unknown())).max(128),
  status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']),
  afk: z.boolean().nullish(),
})
type Given = z.output<typeof PresenceInput>

export interface Presence {
  readonly status: 'online' | 'dnd' | 'idle' | 'offline'
  readonly activities: readonly Readonly<Record<string, unknown>>[]
}

export const ONLINE: Presence = { status: 'online', activities: [] }
const OFFLINE: Presence = { status: 'offline', activities: [] }

/** All that a bot may say of what it does. */
const BOT_FIELDS: readonly string[] = ['name', 'type', 'state', 'url']

/** As others see it: somebody invisible is offline, and nobody is shown secrets. */
export function shownPresence({ status, activities }: Given, { kind }: Party): Presence {
  if (status === 'invisible' || status === 'offline') return OFFLINE
  const isShown = (field: string): boolean => (kind === 'bot' ? BOT_FIELDS.includes(field) : field !== 'secrets')
  return {
    status,
    activities: activities.map((activity) => Object.fromEntries(Object.entries(activity).filter(([field]) => isShown(field)))),
  }
}

export class Presences {
  readonly #byPerson = new Map<string, Map<string, Presence>>()

  /** What a session says of a person (a user, or a bot by the id of its application); undefined: the session is over. */
  set(personId: string, sessionId: string, presence: Presence | undefined): void {
    const ofPerson = this.#byPerson.get(personId) ?? new Map<string, Presence>()
    ofPerson.delete(sessionId)
    if (presence !== undefined) ofPerson.set(sessionId, presence)
    if (ofPerson.size === 0) this.#byPerson.delete(personId)
    else this.#byPerson.set(personId, ofPerson)
  }

  of(personId: string): Presence {
    return [...(this.#byPerson.get(personId)?.values() ?? [])].at(-1) ?? OFFLINE
  }
}

/** The form of PRESENCE_UPDATE and of the lists of presences. */
export const presenceView = (personId: string, { status, activities }: Presence) => ({
  user: { id: personId },
  status,
  activities,
  client_status: status === 'offline' ? {} : { desktop: status },
})
