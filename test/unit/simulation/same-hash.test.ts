/** One seed is one run: the whole daemon, in a thread whose time is simulated. */
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { ThreadReport } from '#test/simulation/thread.ts'

async function simulate(hours: number, ...seeds: readonly number[]): Promise<ThreadReport> {
  const thread = new Worker(new URL('../../simulation/thread.ts', import.meta.url), {
    workerData: seeds.map((seed) => ({ seed, hours })),
    execArgv: ['--conditions=sallyport-source', '--no-warnings'],
    // Not those of the test runner.
    env: {},
    stdout: true,
  })
  return JSON.parse(await text(thread.stdout)) as ThreadReport
}

it('repeats a run of the same seed byte by byte, also after another run', async () => {
  const { reports } = await simulate(0.1, 1, 2, 1)
  const [one, two, again] = reports
  expect(one?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(again).toEqual(one)
  expect(two?.hash).not.toBe(one?.hash)
  expect([one?.failures, two?.failures]).toEqual([[], []])
  expect(one?.calls).toBeGreaterThan(10)
})

it('keeps nothing of the runs before', async () => {
  const { machines } = await simulate(1, 2, 3, 4)
  expect(machines).toBe(1)
})
