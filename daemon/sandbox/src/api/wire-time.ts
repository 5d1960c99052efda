/** Wire form of times. */

/** ISO 8601 with microseconds and an offset. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00')
