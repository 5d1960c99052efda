/** What an id says besides which thing it is: when it was made, and which of two is older. */

/** First millisecond that an id can hold. */
const EPOCH_MS = 1_420_070_400_000n
const REMAINDER_BITS = 22n

/** When an id was made, in ms since the epoch. */
export const snowflakeTime = (id: string): number => Number((BigInt(id) >> REMAINDER_BITS) + EPOCH_MS)

/** Negative when the first id is the older one. Text without leading zeros. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
