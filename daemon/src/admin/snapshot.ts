/** The data that the dashboard shows. A presence contains join secrets, so its card is built field by field. */
import type { Activity } from '@sallyport/protocol'

export interface DashboardSession {
  readonly id: string
  readonly applicationId: string
  readonly pid?: number
  /** As text: its kind and its identity. */
  readonly program: string
  /** How the process was identified. */
  readonly trust: 'kernel' | 'directory' | 'origin'
  /** The user the session is signed in as. */
  readonly user?: { readonly id: string; readonly username: string }
  readonly subscriptions: readonly string[]
}

/** A stored account, whether or not its game runs. */
export interface DashboardAccount {
  readonly applicationId: string
  readonly userId: string
  readonly username?: string
  readonly scopes: readonly string[]
}

/** A field of a prompt, without invisible characters. */
export interface DashboardLine {
  readonly label: string
  readonly text: string
}

/** A grant of a program. */
export interface DashboardGrant {
  readonly id: string
  readonly applicationId: string
  readonly applicationName?: string
  readonly userId: string
  readonly username?: string
  /** As text: its kind and its identity. */
  readonly program: string
  /** allowed: it may use stored tokens; token: it uses its own token. */
  readonly basis: 'allowed' | 'token'
  readonly scopes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
  readonly lastUsedAt: number
}

/** An open consent prompt. */
export interface DashboardPrompt {
  readonly id: string
  readonly title: string
  /** The same lines, in the same order, as in the terminal. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly askedAt: number
}

/** An invite to a game that its receiver has not accepted. */
export interface DashboardInvite {
  readonly id: string
  readonly applicationId: string
  readonly applicationName?: string
  /** What the sender's game shows. */
  readonly activity: { readonly name?: string; readonly type: number; readonly details?: string; readonly state?: string }
  /** An http or https URL, or an asset key of the application. */
  readonly cover?: string
  /** The receiver. */
  readonly userId: string
  /** Name of the sender. */
  readonly from: string
}

/** An event provider. */
export interface DashboardProvider {
  readonly name: string
  readonly state: 'idle' | 'active' | 'unavailable' | 'failing'
  /** The problem, as a sentence. */
  readonly reason?: string
}

/** An open consent page of the platform. */
export interface DashboardPage {
  readonly url: string
  /** The requesting program and its application. */
  readonly lines: readonly DashboardLine[]
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface PresenceCard {
  readonly applicationId: string
  /** The user, if signed in. */
  readonly username?: string
  /** Activity type as on the wire: 0 playing, 2 listening, 3 watching, 5 competing. */
  readonly type: number
  readonly name?: string
  readonly details?: string
  readonly state?: string
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  readonly endsAt?: number
  /** Size of the party and its maximum. */
  readonly party?: { readonly size: number; readonly max: number }
}

export interface DashboardSnapshot {
  readonly version: string
  readonly platform: string
  readonly ipc: readonly string[]
  /** Origin of the sandbox's pages; null on other platforms. */
  readonly sandboxOrigin: string | null
  readonly sessions: readonly DashboardSession[]
  readonly presences: readonly PresenceCard[]
  /** The user has paused presence: no activity is shown outside. */
  readonly presencePaused: boolean
  readonly accounts: readonly DashboardAccount[]
  /** The reason, as a sentence, why the accounts are missing: the vault cannot be opened. */
  readonly vaultProblem: string | null
  readonly grants: readonly DashboardGrant[]
  readonly questions: readonly DashboardPrompt[]
  readonly pages: readonly DashboardPage[]
  readonly invites: readonly DashboardInvite[]
  readonly sources: readonly DashboardProvider[]
  /** Warnings about coming rejections by the platform, as sentences. */
  readonly warnings: readonly string[]
  /** Counted since the start, by name. */
  readonly counters: Readonly<Record<string, number>>
}

/** The card of a stored activity, timestamps in milliseconds. */
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
