/** Snowflake ids: creation time and order. */

/** Epoch of ids, in ms since the Unix epoch. */
const EPOCH_MS = 1_420_070_400_000n
const REMAINDER_BITS = 22n

/** Returns the creation time of an id, in ms since the epoch. */
export const snowflakeTime = (id: string): number => Number((BigInt(id) >> REMAINDER_BITS) + EPOCH_MS)

/** Compares two ids without leading zeros; negative if the first is older. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
