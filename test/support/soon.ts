/** How long a test waits for what comes by itself: long enough for the busiest machine, since only a failure takes all of it. */
export const SOON = { timeout: 30_000, interval: 20 }
