/** The metrics, and the record of calls while no operator watches, cost a frame no memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** The compiler makes some objects in one run and not in another. The least trace is some 20,000 bytes. */
const NOISE = 40
/** Of a frame that fails, whose error and its stack are of different lengths. */
const NOISE_SHARE = 0.02
const LEAST_OF_A_TRACE = 5000

type Bytes = Readonly<Record<'without' | 'unwatched' | 'watched', number>>

// Where the compiler made objects in one run alone, the next is without them; a real cost comes in each.
test('in 100,000 frames that succeed, and fewer that fail or wait for the desktop client', { timeout: 60_000, retry: 2 }, async () => {
  const script = join(import.meta.dirname, 'allocated-by-calls.ts')
  const child = spawn(process.execPath, ['--conditions=sallyport-source', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(0)
  const measured = Object.entries(JSON.parse(output) as Readonly<Record<string, Bytes>>)
  expect(measured).toHaveLength(3)
  for (const [cmd, { without, unwatched, watched }] of measured) {
    expect(unwatched - without, cmd).toBeLessThan(Math.max(NOISE, without * NOISE_SHARE))
    // The same check fails for a record that keeps something of each frame.
    expect(watched - without, cmd).toBeGreaterThan(LEAST_OF_A_TRACE)
  }
})
