/**
 * `npm run fleet`: fifty daemons on one machine, as on a host for cloud gaming, and what they cost: how long they take to start, their memory at rest
 * and once they have answered, and which ports they have. `-- COUNT` takes another number. Linux only, as the other figures.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ended } from '#test/support/ended.ts'
import { daemonFlags, isolatedEnvironment, ROOT } from './contestants/contestants.ts'
import { memory, privateMemory, quietDown } from './process-figures.ts'

const given = process.argv[2] ?? '50'
if (!/^[1-9]\d{0,2}$/.test(given)) {
  console.error(`npm run fleet -- COUNT takes a number of daemons from 1 to 999, not "${given}".`)
  process.exit(2)
}
const COUNT = Number(given)
const MIB = 1_048_576
const PROGRAM = join(ROOT, 'daemon/bin/sallyport.mjs')

interface Member {
  readonly child: ChildProcess
  readonly startMs: number
  readonly ready: { readonly pid: number; readonly metrics: string; readonly websocket?: string; readonly ipc: readonly string[] }
}

/** One daemon as a user of a host has it: a runtime folder and a data folder of its own. */
async function start(folder: string): Promise<Member> {
  mkdirSync(folder, { mode: 0o700 })
  const since = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...daemonFlags(folder), '--metrics', '0', '--vault', 'file'], {
    env: isolatedEnvironment(folder),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, startMs: performance.now() - since, ready: JSON.parse(line) as Member['ready'] }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const mib = (bytes: number): string => (bytes / MIB).toFixed(1)

function figuresOf(members: readonly Member[], when: string): string {
  const own = members.map(({ ready }) => privateMemory(ready.pid))
  const rss = members.map(({ ready }) => memory(ready.pid).rss)
  const sum = own.reduce((all, one) => all + one, 0)
  return `${when}: private memory ${mib(median(own))} MiB each, ${mib(sum)} MiB in all; RSS ${mib(median(rss))} MiB each`
}

const folder = mkdtempSync(join(tmpdir(), 'fleet-'))
const members: Member[] = []
try {
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, Linux ${release()}, Node ${process.version}`
  console.log(`${COUNT} daemons on ${machine}, ${new Date().toISOString().slice(0, 10)}`)
  for (let index = 0; index < COUNT; index++) members.push(await start(join(folder, String(index))))
  console.log(`one after the other: ready after ${median(members.map(({ startMs }) => startMs)).toFixed(0)} ms each`)
  for (const { ready } of members) await quietDown(ready.pid)
  console.log(figuresOf(members, 'at rest'))
  const scraped = performance.now()
  for (const { ready } of members) {
    const { status } = await fetch(ready.metrics)
    if (status !== 200) throw new Error(`${ready.metrics} answered ${status}`)
  }
  console.log(`first scrape, which loads the bridge: ${((performance.now() - scraped) / COUNT).toFixed(0)} ms each`)
  for (const { ready } of members) await quietDown(ready.pid)
  console.log(figuresOf(members, 'once they have answered'))
  const again = performance.now()
  for (const { ready } of members) await (await fetch(ready.metrics)).text()
  console.log(`next scrape: ${((performance.now() - again) / COUNT).toFixed(1)} ms each`)
  const sockets = new Set(members.flatMap(({ ready }) => ready.ipc))
  const websockets = members.flatMap(({ ready }) => ready.websocket ?? [])
  const ports = new Set(members.map(({ ready }) => new URL(ready.metrics).port))
  console.log(`${sockets.size} sockets, ${ports.size} ports for metrics, ${websockets.length} with a port for browsers`)
} finally {
  await Promise.all(members.map(({ child }) => (child.kill('SIGTERM'), ended(child))))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
