/** Where the daemon spends its time while it answers SET_ACTIVITY: the functions with the most time of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BenchClient } from './client.ts'
import { type Ground, ROOT } from './contestants/contestants.ts'
import { activityRing, contractHandshake, plainHandshake } from './frames.ts'

const BATCH = 64
const WARM_CALLS = 25_600
const CALLS = 256_000
const INTERVAL_US = 200
const SHOWN = 25

interface ProfileNode {
  readonly id: number
  readonly children?: readonly number[]
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const nameOf = ({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string => {
  const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url
  return `${functionName || '(anonymous)'}${file === '' ? '' : `  ${file}:${lineNumber + 1}`}`
}

interface Times {
  /** Time of a function's own, in µs. */
  readonly self: ReadonlyMap<string, number>
  /** Time of our functions with all they call, in µs. */
  readonly inclusive: ReadonlyMap<string, number>
  readonly total: number
}

const add = (times: Map<string, number>, name: string, time: number): void => void times.set(name, (times.get(name) ?? 0) + time)

/** Of the last part of the samples: by then everything is compiled. */
function timesOf({ nodes, samples, timeDeltas }: CpuProfile): Times {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const self = new Map<string, number>()
  const inclusive = new Map<string, number>()
  let total = 0
  for (let at = Math.floor((samples.length * WARM_CALLS) / (WARM_CALLS + CALLS)); at < samples.length; at++) {
    const time = timeDeltas[at] ?? 0
    const own = names.get(samples[at]!) ?? '?'
    if (own.startsWith('(idle)')) continue
    total += time
    add(self, own, time)
    const stack = new Set<string>()
    for (let id = samples[at]; id !== undefined; id = parents.get(id)) stack.add(names.get(id) ?? '?')
    for (const name of stack) if (/ {2}(?:daemon|protocol)\/dist\//.test(name)) add(inclusive, name, time)
  }
  return { self, inclusive, total }
}

const ranked = (times: ReadonlyMap<string, number>, total: number): readonly string[] =>
  [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)

export interface ProfileOptions {
  readonly isLockStep: boolean
  /** Speak as our bindings do. */
  readonly asBindings: boolean
}

export async function profile(ground: Ground, { isLockStep, asBindings }: ProfileOptions): Promise<string> {
  const folder = ground.folder()
  const daemon = await ground.start('sallyport', {
    nodeFlags: ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', String(INTERVAL_US)],
  })
  const client = await BenchClient.open(daemon.path, asBindings ? contractHandshake() : plainHandshake())
  const ring = activityRing(BATCH)
  const batch = isLockStep ? 1 : BATCH
  const calls = isLockStep ? (WARM_CALLS + CALLS) / 4 : WARM_CALLS + CALLS
  for (let sent = 0; sent < calls; sent += batch) await client.exchange(ring.slice(sent, batch), batch)
  client.close()
  // The profile is written when the process ends in order.
  await daemon.stop()
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error('the daemon ended without writing its profile')
  const { self, inclusive, total } = timesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile)
  return [
    `The daemon, ${calls} calls, ${isLockStep ? 'one at a time' : `${BATCH} in a write`}. Time of a function's own:`,
    ...ranked(self, total),
    '',
    'Time of our functions with all they call:',
    ...ranked(inclusive, total),
  ].join('\n')
}
