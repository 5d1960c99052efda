/** Privileged intents: the application flags that enable them, and the eligibility rules. */
import { GATEWAY_INTENTS } from './gateway-intents.ts'
import { LIMITS } from './limits.ts'

export interface PrivilegedIntentRow {
  /** Bit of the gateway's `intents`. */
  readonly intent: number
  /** Application flag after approval. */
  readonly approvedFlag: number
  /** Application flag that a small application can set for itself. */
  readonly limitedFlag: number
  readonly summary: string
}

export const PRIVILEGED_INTENTS = {
  GUILD_PRESENCES: {
    intent: GATEWAY_INTENTS.GUILD_PRESENCES,
    approvedFlag: 1 << 12,
    limitedFlag: 1 << 13,
    summary: 'Presence of members.',
  },
  GUILD_MEMBERS: {
    intent: GATEWAY_INTENTS.GUILD_MEMBERS,
    approvedFlag: 1 << 14,
    limitedFlag: 1 << 15,
    summary: 'Member lists, and joining and leaving members.',
  },
  MESSAGE_CONTENT: {
    intent: GATEWAY_INTENTS.MESSAGE_CONTENT,
    approvedFlag: 1 << 18,
    limitedFlag: 1 << 19,
    summary: 'Content of messages.',
  },
} as const satisfies Readonly<Record<string, PrivilegedIntentRow>>

export type PrivilegedIntentName = keyof typeof PRIVILEGED_INTENTS

/** All flags that an application can set for itself. */
export const LIMITED_INTENT_FLAGS = Object.values(PRIVILEGED_INTENTS).reduce((sum, { limitedFlag }) => sum | limitedFlag, 0)

const DAY_MS = 86_400_000

export interface IntentEligibility {
  readonly flags: number
  /** Number of users that the application can reach. */
  readonly users: number
  /** Time of the last approval, in ms since the epoch. */
  readonly approvedAt?: number | undefined
}

/**
 * Whether an application has a privileged intent at `now` (ms since the epoch). Below the user threshold its own flag is sufficient;
 * above it the application needs an approval, which lasts a year.
 */
export function hasPrivilegedIntent(name: PrivilegedIntentName, { flags, users, approvedAt }: IntentEligibility, now: number): boolean {
  const { approvedFlag, limitedFlag } = PRIVILEGED_INTENTS[name]
  const approvalEnds = (approvedAt ?? Number.NEGATIVE_INFINITY) + LIMITS.privilegedIntentDays.value * DAY_MS
  if ((flags & approvedFlag) !== 0 && now < approvalEnds) return true
  return (flags & limitedFlag) !== 0 && users < LIMITS.privilegedIntentUsers.value
}
