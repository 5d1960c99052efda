/** One seed is one run: the whole daemon, in a thread whose time is simulated. */
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { RunReport } from '#test/simulation/simulate.ts'

const HOURS = 0.1

async function reportsOf(seeds: readonly number[]): Promise<readonly RunReport[]> {
  const thread = new Worker(new URL('../../simulation/thread.ts', import.meta.url), {
    workerData: seeds.map((seed) => ({ seed, hours: HOURS })),
    execArgv: ['--conditions=sallyport-source', '--no-warnings'],
    // Not those of the test runner.
    env: {},
    stdout: true,
  })
  return JSON.parse(await text(thread.stdout)) as readonly RunReport[]
}

it('repeats a run of the same seed byte by byte, also after another run', async () => {
  const [one, two, again] = await reportsOf([1, 2, 1])
  expect(one?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(again).toEqual(one)
  expect(two?.hash).not.toBe(one?.hash)
  expect([one?.failures, two?.failures]).toEqual([[], []])
  expect(one?.calls).toBeGreaterThan(10)
})
