/** The second dimension of every implemented line of the coverage ledger. */
import type { Seconds } from './edit.ts'
import { LIMITS } from './limits.ts'
import { OPERATIONS } from './operations.ts'
import { RECORDS } from './records.ts'
import { RESOURCES } from './resources.ts'
import { RULES } from './rules.ts'
import { STATES } from './states.ts'

/** By the id of the line. */
export const SECOND: Seconds = { ...RESOURCES, ...RECORDS, ...STATES, ...OPERATIONS, ...RULES, ...LIMITS }
