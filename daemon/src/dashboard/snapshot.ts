/** What the dashboard shows, and nothing else: a presence holds join secrets, so its card is picked field by field. */

export interface DashboardSession {
  readonly id: string
  readonly applicationId: string
  readonly pid?: number
  readonly executable?: string
  /** What was proved about the process. */
  readonly trust: 'kernel' | 'directory'
  /** The user the session is signed in as. */
  readonly user?: { readonly id: string; readonly username: string }
  readonly subscriptions: readonly string[]
}

/** Stored sign-ins, whether or not their game runs. */
export interface DashboardAccount {
  readonly applicationId: string
  readonly userId: string
  readonly username?: string
  readonly scopes: readonly string[]
}

export interface PresenceCard {
  readonly applicationId: string
  /** Activity type as on the wire: 0 playing, 2 listening, 3 watching, 5 competing. */
  readonly type: number
  readonly name?: string
  readonly details?: string
  readonly state?: string
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  readonly endsAt?: number
  /** Players in the party, and places. */
  readonly party?: { readonly size: number; readonly max: number }
}

export interface DashboardSnapshot {
  readonly version: string
  readonly platform: string
  readonly ipc: readonly string[]
  /** Where the sandbox shows its pages; null on other platforms. */
  readonly sandboxOrigin: string | null
  readonly sessions: readonly DashboardSession[]
  readonly presences: readonly PresenceCard[]
  readonly accounts: readonly DashboardAccount[]
  /** Counted since the start, by name. */
  readonly counters: Readonly<Record<string, number>>
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const text = <Key extends string>(key: Key, value: unknown) =>
  (typeof value === 'string' && value !== '' ? { [key]: value } : {}) as { [K in Key]?: string }
const number = <Key extends string>(key: Key, value: unknown) =>
  (typeof value === 'number' ? { [key]: value } : {}) as { [K in Key]?: number }

function party(value: unknown): Pick<PresenceCard, 'party'> {
  const { size } = record(value)
  const [current, max] = Array.isArray(size) ? (size as unknown[]) : []
  return typeof current === 'number' && typeof max === 'number' ? { party: { size: current, max } } : {}
}

/** The card of an activity as it is stored, timestamps in milliseconds. */
export function presenceCard(applicationId: string, activity: object): PresenceCard {
  const { type, name, details, state, timestamps, party: group } = record(activity)
  const { start, end } = record(timestamps)
  return {
    applicationId,
    type: typeof type === 'number' ? type : 0,
    ...text('name', name),
    ...text('details', details),
    ...text('state', state),
    ...number('startedAt', start),
    ...number('endsAt', end),
    ...party(group),
  }
}
