/** How long a game waits for others: it sends a PING after each PONG, and the longest wait for a PONG is the longest block of the event loop. */
import type { BenchClient } from './client.ts'
import { frame, OPCODE } from './frames.ts'

const PING = frame(OPCODE.PING, '1')
/** Before anything counts, so that the path of a PING is warm. */
const WARM_PINGS = 300
/** After the end, so that work which follows it counts. */
const LAST_PINGS = 30

/** The longest wait while `work` is under way and a moment after it, in ms. */
export async function longestWait(client: BenchClient, work: () => Promise<unknown>): Promise<number> {
  for (let ping = 0; ping < WARM_PINGS; ping++) await client.exchange(PING, 1)
  let isOver = false
  const done = work().finally(() => (isOver = true))
  // It is awaited below, after the last PING.
  done.catch(() => {})
  let longest = 0
  for (let left = LAST_PINGS; left > 0; ) {
    const from = performance.now()
    await client.exchange(PING, 1)
    longest = Math.max(longest, performance.now() - from)
    if (isOver) left--
  }
  await done
  return longest
}
