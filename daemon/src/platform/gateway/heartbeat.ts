/** Schedules heartbeats and detects sleep from late timers. Pure. */

export interface Heartbeat {
  readonly intervalMs: number
  /** When its timer was set and when it is due, in ms since the epoch. */
  readonly setAt: number
  readonly dueAt: number
  /** Whether the previous heartbeat was acknowledged. */
  readonly isAnswered: boolean
  /** The timer only checks the acknowledgement, after a sleep or a clock change. */
  readonly isCheck: boolean
}

/** Bounds for the interval: below what platforms request, and short enough to notice a dead connection. */
const INTERVAL_MS = { least: 250, most: 600_000 }
/** A larger difference between clock and timer means that the machine slept or its clock was set. */
const SLACK_MS = 5000
/** Timeout for the acknowledgement when the connection may be dead. */
const CHECK_MS = 10_000

/** The first heartbeat; undefined if `interval` (from Hello) is invalid. It comes after a random part of the interval, to spread clients. */
export function firstHeartbeat(interval: unknown, jitter: number, now: number): Heartbeat | undefined {
  if (typeof interval !== 'number' || !(interval > 0)) return undefined
  const intervalMs = Math.min(Math.max(interval, INTERVAL_MS.least), INTERVAL_MS.most)
  return { intervalMs, setAt: now, dueAt: now + intervalMs * jitter, isAnswered: true, isCheck: false }
}

/** The heartbeat after a regular one was sent. */
export const nextHeartbeat = ({ intervalMs }: Heartbeat, now: number): Heartbeat => ({
  intervalMs,
  setAt: now,
  dueAt: now + intervalMs,
  isAnswered: false,
  isCheck: false,
})

/** The heartbeat after one was sent as a liveness check. */
export const checkHeartbeat = ({ intervalMs }: Heartbeat, now: number): Heartbeat => ({
  intervalMs,
  setAt: now,
  dueAt: now + Math.min(CHECK_MS, intervalMs),
  isAnswered: false,
  isCheck: true,
})

/** The heartbeat after a passed check, for the rest of the interval. */
export const restOfInterval = (beat: Heartbeat, now: number): Heartbeat => ({
  ...beat,
  setAt: now,
  dueAt: now + Math.max(beat.intervalMs - CHECK_MS, 0),
  isCheck: false,
})

export const hasJumped = ({ setAt, dueAt }: Heartbeat, now: number): boolean => now > dueAt + SLACK_MS || now < setAt - SLACK_MS
