/** When the next heartbeat is due, and what its lateness says. Pure. */

export interface Heartbeat {
  readonly intervalMs: number
  /** When its timer was set, and when it falls due, in ms since the epoch. */
  readonly setAt: number
  readonly dueAt: number
  /** Whether the one before was answered. */
  readonly isAnswered: boolean
  /** The time only looks whether that one was answered, after a time in which nobody can say what happened. */
  readonly isCheck: boolean
}

/** Faster than any platform asks for; slower ones would not notice a dead link. */
const INTERVAL_MS = { least: 250, most: 600_000 }
/** The clock and a timer that run apart by more than this: this machine slept, or its clock was set. */
const SLACK_MS = 5000
/** An answer takes no longer, where the link may be dead. */
const CHECK_MS = 10_000

/** `interval` as Hello gave it; undefined when it is none. The first heartbeat comes after a part of it, so that not all clients beat together. */
export function firstHeartbeat(interval: unknown, chance: number, now: number): Heartbeat | undefined {
  if (typeof interval !== 'number' || !(interval > 0)) return undefined
  const intervalMs = Math.min(Math.max(interval, INTERVAL_MS.least), INTERVAL_MS.most)
  return { intervalMs, setAt: now, dueAt: now + intervalMs * chance, isAnswered: true, isCheck: false }
}

/** After one was sent. */
export const nextHeartbeat = ({ intervalMs }: Heartbeat, now: number): Heartbeat => ({
  intervalMs,
  setAt: now,
  dueAt: now + intervalMs,
  isAnswered: false,
  isCheck: false,
})

/** After one was sent to see whether the link still lives. */
export const checkHeartbeat = ({ intervalMs }: Heartbeat, now: number): Heartbeat => ({
  intervalMs,
  setAt: now,
  dueAt: now + Math.min(CHECK_MS, intervalMs),
  isAnswered: false,
  isCheck: true,
})

/** After a check found an answer: the rest of the interval. */
export const restOfInterval = (beat: Heartbeat, now: number): Heartbeat => ({
  ...beat,
  setAt: now,
  dueAt: now + Math.max(beat.intervalMs - CHECK_MS, 0),
  isCheck: false,
})

export const hasJumped = ({ setAt, dueAt }: Heartbeat, now: number): boolean => now > dueAt + SLACK_MS || now < setAt - SLACK_MS
