/** How far the clock of the system was moved while the bridge ran. */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import type { BridgeState } from '@sallyport/protocol'
import { SECOND_MS } from '@sallyport/core/durations'
import { parseStat } from '../identity/process-stat.ts'

/** USER_HZ, which is 100 on every system that Node runs on (proc(5)). */
const TICKS_PER_SECOND = 100

/** The age of a process by a clock that counts suspended time too, in ms; undefined if it is unknown. */
function ageOf(pid: number): number | undefined {
  try {
    const startedAt = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.startedAt
    return startedAt === undefined ? undefined : (uptime() - Number(startedAt) / TICKS_PER_SECOND) * SECOND_MS
  } catch {
    return undefined
  }
}

/**
 * In ms, positive if the clock was set forward. Without /proc the only age known is one that stands still while the machine sleeps, so only a clock
 * that was set back is seen.
 */
export function clockJump(
  { started_at: startedAt, uptime_s: uptimeS, pid }: BridgeState,
  platform: NodeJS.Platform,
  now = Date.now(),
): number {
  const passed = now - startedAt
  const age = platform === 'linux' ? ageOf(pid) : undefined
  return age === undefined ? Math.min(0, passed - uptimeS * SECOND_MS) : passed - age
}
