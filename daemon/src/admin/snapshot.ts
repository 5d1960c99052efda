/** What the dashboard shows, and nothing else: a presence holds join secrets, so its card is picked field by field. */
import type { Activity } from '@sallyport/protocol'

export interface DashboardSession {
  readonly id: string
  readonly applicationId: string
  readonly pid?: number
  /** In words: its kind, and what it is known by. */
  readonly program: string
  /** What was proved about the process. */
  readonly trust: 'kernel' | 'directory' | 'origin'
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

/** A field of a question; its text holds nothing that cannot be seen. */
export interface DashboardLine {
  readonly label: string
  readonly text: string
}

/** A program and what it may do. */
export interface DashboardGrant {
  readonly id: string
  readonly applicationId: string
  readonly applicationName?: string
  readonly userId: string
  readonly username?: string
  /** In words: its kind, and what it is known by. */
  readonly program: string
  /** allowed: it may use what the daemon keeps; token: it brings its own. */
  readonly basis: 'allowed' | 'token'
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
  readonly lastUsedAt: number
}

/** Something a program wants and the user has not answered. */
export interface DashboardQuestion {
  readonly id: string
  readonly title: string
  /** The same, in the same order, as in the terminal. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly askedAt: number
}

/** An invite to a game that its receiver has not taken. */
export interface DashboardInvite {
  readonly id: string
  readonly applicationId: string
  readonly applicationName?: string
  /** Whom it is for. */
  readonly userId: string
  /** Name of who sent it. */
  readonly from: string
}

/** A way by which events come. */
export interface DashboardSource {
  readonly name: string
  readonly state: 'idle' | 'live' | 'absent' | 'failing'
  /** What is wrong, as a sentence. */
  readonly reason?: string
}

/** A consent page of the platform that waits for the user. */
export interface DashboardPage {
  readonly url: string
  /** Who asks, and for which application. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface PresenceCard {
  readonly applicationId: string
  /** Whose it is, where somebody signed in. */
  readonly username?: string
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
  /** Why accounts are missing: what is stored cannot be opened. A sentence. */
  readonly vaultProblem: string | null
  readonly grants: readonly DashboardGrant[]
  readonly questions: readonly DashboardQuestion[]
  readonly pages: readonly DashboardPage[]
  readonly invites: readonly DashboardInvite[]
  readonly sources: readonly DashboardSource[]
  /** What should be known before the platform says no, as sentences. */
  readonly warnings: readonly string[]
  /** Counted since the start, by name. */
  readonly counters: Readonly<Record<string, number>>
}

/** The card of an activity as it is stored, timestamps in milliseconds. */
export function presenceCard(applicationId: string, { type, name, details, state, timestamps, party }: Activity): PresenceCard {
  const [size, max] = party?.size ?? []
  return {
    applicationId,
    type,
    ...(name ? { name } : {}),
    ...(details ? { details } : {}),
    ...(state ? { state } : {}),
    ...(timestamps?.start === undefined ? {} : { startedAt: timestamps.start }),
    ...(timestamps?.end === undefined ? {} : { endsAt: timestamps.end }),
    ...(size === undefined || max === undefined ? {} : { party: { size, max } }),
  }
}
