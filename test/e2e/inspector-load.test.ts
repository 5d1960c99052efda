/**
 * What the page of calls costs games: ten thousand calls a second, with the page open and without, in turns. And how soon it shows a call of a
 * game in C. `npm run test:long -- inspector` runs it, because it takes minutes and a quiet machine.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { BenchClient } from '../bench/client.ts'
import { activityRing, contractHandshake, setActivity } from '../bench/frames.ts'
import { cpuMicroseconds, privateMemory } from '../bench/process-figures.ts'
import { median } from '../bench/statistics.ts'
import { buildPrograms, isInstalled, OPTIMIZED } from '#test/support/c-build.ts'
import { executablePath, openBrowser } from './support/browser.ts'
import { Probe } from './support/c-binding.ts'
import { type Daemon, folders, SOURCE, startDaemon } from './support/daemon.ts'

const GAMES = 10
const CALLS_A_SECOND = 10_000
const TICK_MS = 10
const ROUNDS = 4
const ROUND_MS = 15_000
const SETTLE_MS = 2_000
const PATIENCE_MS = 600_000
const MIB = 1024 * 1024
/** What the collector has not given back yet. */
const SLACK = 16 * MIB
const P99 = 0.99

interface Round {
  readonly p50: number
  readonly p99: number
  /** Of one processor. */
  readonly cpu: number
  readonly calls: number
}

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN

/** Games that call at a steady pace, and one whose calls are measured, one after the other. */
class Load {
  readonly #games: readonly BenchClient[]
  readonly #probe: BenchClient
  readonly #ring = activityRing(100)
  #answers = 0

  private constructor(games: readonly BenchClient[], probe: BenchClient) {
    this.#games = games
    this.#probe = probe
    for (const game of games)
      game.listen(
        (count) => (this.#answers += count),
        (reason) => {
          throw reason
        },
      )
  }

  static async open(path: string): Promise<Load> {
    const games = await Promise.all(Array.from({ length: GAMES }, () => BenchClient.open(path, contractHandshake())))
    return new Load(games, await BenchClient.open(path, contractHandshake()))
  }

  async run(pid: number, ms: number): Promise<Round> {
    const waits: number[] = []
    const begin = performance.now()
    const cpu = cpuMicroseconds(pid)
    const answers = this.#answers
    let sent = 0
    const each = (CALLS_A_SECOND * TICK_MS) / 1000 / GAMES
    const timer = setInterval(() => {
      // What is due by now, so that a late tick is made up for.
      const due = Math.floor((performance.now() - begin) / TICK_MS) * each
      for (; sent < due; sent += each) for (const game of this.#games) game.write(this.#ring.slice(sent, each))
    }, TICK_MS)
    for (let index = 0; performance.now() - begin < ms; index++) {
      const since = performance.now()
      await this.#probe.exchange(setActivity(index % 100), 1)
      waits.push(performance.now() - since)
      await pause(2)
    }
    clearInterval(timer)
    const spent = cpuMicroseconds(pid) - cpu
    const seconds = (performance.now() - begin) / 1000
    const sorted = waits.toSorted((one, other) => one - other)
    return {
      p50: at(sorted, 1 / 2),
      p99: at(sorted, P99),
      cpu: spent / 1e6 / seconds,
      calls: (this.#answers - answers) / seconds,
    }
  }

  close(): void {
    for (const game of [...this.#games, this.#probe]) game.close()
  }
}

const shown = ({ p50, p99, cpu, calls }: Round): string =>
  `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${(cpu * 100).toFixed(0)} % of a processor, ${calls.toFixed(0)} calls a second`

async function measure({ ready: { pid } }: Daemon, load: Load, page: Page): Promise<void> {
  const to = async (name: string): Promise<void> => {
    await page.getByRole('link', { name, exact: true }).click()
    await pause(SETTLE_MS)
  }
  const rounds: { readonly without: Round; readonly open: Round }[] = []
  await load.run(pid, SETTLE_MS)
  const before = privateMemory(pid)
  for (let round = 0; round < ROUNDS; round++) {
    await to('Log')
    const without = await load.run(pid, ROUND_MS)
    await to('Calls')
    const [open] = await Promise.all([load.run(pid, ROUND_MS), page.getByText(/traces a share, now \d+\.\d %/).waitFor()])
    rounds.push({ without, open })
    await to('Log')
    console.log(
      `without the page: ${shown(without)}\nwith the page:    ${shown(open)}\n  memory ${(privateMemory(pid) / MIB).toFixed(0)} MiB`,
    )
  }
  const ratio = median(rounds.map(({ without, open }) => open.p99 / without.p99))
  console.log(`p99 with the page: ${ratio.toFixed(2)} × of that without, the median of ${ROUNDS} rounds`)
  load.close()
  await expect.poll(() => privateMemory(pid), { timeout: 60_000, interval: 1_000 }).toBeLessThan(before + SLACK)
  console.log(`memory before ${(before / MIB).toFixed(0)} MiB, after the games have left ${(privateMemory(pid) / MIB).toFixed(0)} MiB`)
  expect(rounds.map(({ open }) => open.calls > CALLS_A_SECOND * 0.95)).toEqual(rounds.map(() => true))
  expect(ratio).toBeLessThan(1.5)
}

const isWanted = process.env.TEST_INSPECTOR === '1' && executablePath !== undefined

/** On the page: notes in `shownAfter` how many ms after it came each call of that name was shown. */
const NOTE_CALLS = `
  globalThis.shownAfter = []
  const seen = new Set()
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('table.calls tbody tr')) {
      const id = row.querySelector('td:last-child code')?.textContent
      if (id === undefined || seen.has(id) || !row.textContent.includes('GET_BRIDGE_STATUS')) continue
      seen.add(id)
      shownAfter.push(Date.now() - Date.parse(row.querySelector('time').dateTime))
    }
  }).observe(document.getElementById('main'), { childList: true, subtree: true })`
const C_CALLS = 20
const SHOWN_MS = 200

test.runIf(isWanted && (await isInstalled('gcc')))('a call of a game in C is on the page within 200 ms', async () => {
  const where = await folders()
  await buildPrograms(join(where.base, 'c'), { probe: 'tests/probe.c' }, OPTIMIZED)
  const daemon = await startDaemon(SOURCE, where)
  const browser = await openBrowser()
  const game = new Probe(join(where.base, 'c/probe'), where.runtime)
  try {
    const page = await browser.newPage()
    await page.goto(daemon.ready.dashboard ?? '')
    await page.locator('#status', { hasText: 'live' }).waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByText('Nothing has come yet').waitFor()
    await page.evaluate(NOTE_CALLS)
    game.send('connect -1')
    await game.state('ready')
    for (let call = 1; call <= C_CALLS; call++) {
      game.send('call GET_BRIDGE_STATUS')
      await game.line('result', call)
      await expect.poll(() => page.evaluate('shownAfter.length')).toBe(call)
    }
    const waits = await page.evaluate<number[]>('shownAfter')
    console.log(`shown after: median ${median(waits)} ms, at most ${Math.max(...waits)} ms`)
    expect(Math.max(...waits)).toBeLessThan(SHOWN_MS)
  } finally {
    await game.stop()
    await browser.close()
    await daemon.stop()
    await where.remove()
  }
})

test.runIf(isWanted)(
  'ten thousand calls a second wait at most half longer while the page shows them, and leave no memory behind',
  { timeout: PATIENCE_MS },
  async () => {
    const where = await folders()
    const daemon = await startDaemon(SOURCE, where, ['--log-level', 'warn'])
    const browser = await openBrowser()
    const load = await Load.open(daemon.socket)
    try {
      const page = await browser.newPage()
      await page.goto(daemon.ready.dashboard ?? '')
      await page.locator('#status', { hasText: 'live' }).waitFor()
      await measure(daemon, load, page)
    } finally {
      load.close()
      await browser.close()
      await daemon.stop()
      await where.remove()
    }
  },
)
