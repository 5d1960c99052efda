/** How often an idle server wakes up, with 20 games connected that have set their presence and send nothing. */
import { setTimeout as pause } from 'node:timers/promises'
import { BenchClient } from '../client.ts'
import { type ContestantName, CONTESTANTS } from '../contestants/contestants.ts'
import { plainHandshake, setActivity } from '../frames.ts'
import { cpuMicroseconds, quietDown, wakeUps } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { exactly } from '../targets.ts'
import { startTrio, stopTrio } from '../trio.ts'

const GAMES = 20
const FIRST_APPLICATION = 2_000_000
const MINUTE_MS = 60_000
const US_PER_MS = 1000

export const idle: Row = {
  name: 'idle',
  async run(bench) {
    // The peer scans all processes every few seconds by default: here it runs with its defaults.
    const trio = await startTrio(bench, { scansProcesses: true })
    const clients: BenchClient[] = []
    for (const name of CONTESTANTS) {
      for (let game = 0; game < GAMES; game++) {
        const client = await BenchClient.open(trio[name].path, plainHandshake(String(FIRST_APPLICATION + game)))
        await client.exchange(setActivity(game), 1)
        clients.push(client)
      }
    }
    const readAll = (figure: (pid: number) => number): Record<ContestantName, number> => ({
      floor: figure(trio.floor.pid),
      sallyport: figure(trio.sallyport.pid),
      arrpc: figure(trio.arrpc.pid),
    })
    for (const name of ['floor', 'sallyport'] as const) await quietDown(trio[name].pid)
    await pause(bench.effort.restMs)
    const wokenBefore = readAll(wakeUps)
    const spentBefore = readAll(cpuMicroseconds)
    await pause(bench.effort.idleMs)
    const woken = readAll(wakeUps)
    const spent = readAll(cpuMicroseconds)
    for (const client of clients) client.close()
    await stopTrio(trio)

    const perMinute = (after: Record<ContestantName, number>, before: Record<ContestantName, number>, unit: number) => {
      const rate = (name: ContestantName): number => ((after[name] - before[name]) / unit / bench.effort.idleMs) * MINUTE_MS
      return { floor: rate('floor'), sallyport: rate('sallyport'), arrpc: rate('arrpc') }
    }
    const note = `counted for ${bench.effort.idleMs / 1000} s after a rest of ${bench.effort.restMs / 1000} s, ${GAMES} clients connected`
    return [
      { what: 'idle wake-ups', unit: 'per minute', ...perMinute(woken, wokenBefore, 1), target: exactly(0), note },
      { what: 'idle CPU, ms', unit: 'per minute', ...perMinute(spent, spentBefore, US_PER_MS), whyNoTarget: 'no wake-up is no CPU' },
    ]
  },
}
