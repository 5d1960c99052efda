/** Privileged intents: the flags of an application that say it has them, and who may have them. */
import { GATEWAY_INTENTS } from './gateway-intents.ts'
import { LIMITS } from './limits.ts'

export interface PrivilegedIntentRow {
  /** Bit of the gateway's `intents`. */
  readonly intent: number
  /** Flag of an application that was approved for it. */
  readonly approvedFlag: number
  /** Flag that an application sets for itself while it reaches few users. */
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
    summary: 'Lists of members, and their coming and going.',
  },
  MESSAGE_CONTENT: { intent: GATEWAY_INTENTS.MESSAGE_CONTENT, approvedFlag: 1 << 18, limitedFlag: 1 << 19, summary: 'What messages say.' },
} as const satisfies Readonly<Record<string, PrivilegedIntentRow>>

export type PrivilegedIntentName = keyof typeof PRIVILEGED_INTENTS

/** Every flag that an application may set for itself. */
export const LIMITED_INTENT_FLAGS = Object.values(PRIVILEGED_INTENTS).reduce((sum, { limitedFlag }) => sum | limitedFlag, 0)

const DAY_MS = 86_400_000

export interface IntentStanding {
  readonly flags: number
  /** Users that the application can reach. */
  readonly users: number
  /** When it was last approved, in ms since the epoch. */
  readonly approvedAt?: number | undefined
}

/**
 * Whether an application has a privileged intent on a day (ms since the epoch). Below the threshold its own flag is enough; from the
 * threshold on it needs an approval, which lasts a year.
 */
export function hasPrivilegedIntent(name: PrivilegedIntentName, { flags, users, approvedAt }: IntentStanding, now: number): boolean {
  const { approvedFlag, limitedFlag } = PRIVILEGED_INTENTS[name]
  const approvalEnds = (approvedAt ?? Number.NEGATIVE_INFINITY) + LIMITS.privilegedIntentDays.value * DAY_MS
  if ((flags & approvedFlag) !== 0 && now < approvalEnds) return true
  return (flags & limitedFlag) !== 0 && users < LIMITS.privilegedIntentUsers.value
}
