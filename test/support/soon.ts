/** How long a test waits for an event: long enough for a busy machine, because only a failure takes all of it. */
export const SOON = { timeout: 30_000, interval: 20 }
