/** Runs a built target in a thread, and notices an input that hangs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { buildTarget, type Replacement } from './build.ts'
import { MAX_BYTES } from './mutate.ts'
import { entryOf } from './targets.ts'
import { type Done, HEAD_NUMBERS, type Work } from './work.ts'

const LOOK_MS = 500
/** An input takes microseconds. */
const HANG_MS = 10_000
const HEAD_BYTES = HEAD_NUMBERS * Int32Array.BYTES_PER_ELEMENT

export interface Asked {
  readonly name: string
  readonly replacements: readonly Replacement[]
  readonly seed: number
  readonly isGuided: boolean
  readonly corpus: readonly Uint8Array[]
  readonly forMs?: number
  readonly forInputs?: number
}

export interface Report extends Done {
  /** How many branches the files have of which the inputs reach one. */
  readonly ofBranches: number
}

export async function runTarget({ name, replacements, forMs = Infinity, forInputs = Infinity, ...plan }: Asked): Promise<Report> {
  const { code, files } = await buildTarget(entryOf(name), replacements)
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-target-'))
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code)
  try {
    const current = new SharedArrayBuffer(HEAD_BYTES + MAX_BYTES)
    const work: Work = { file, forMs, forInputs, current, ...plan }
    const done = await inThread(work, current)
    const isReached = ([first, end]: readonly [number, number]) => done.reached.some((branch) => branch >= first && branch < end)
    const ofBranches = files.filter(isReached).reduce((sum, [first, end]) => sum + end - first, 0)
    return { ...done, ofBranches }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function inThread(work: Work, current: SharedArrayBuffer): Promise<Done> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: work })
  const over = new Promise<Done>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  const watch = new AbortController()
  const hung = hanging(current, watch.signal)
  try {
    return await Promise.race([over, hung])
  } finally {
    watch.abort()
    await worker.terminate()
  }
}

/** Resolves when the same input has run for too long. */
async function hanging(current: SharedArrayBuffer, signal: AbortSignal): Promise<Done> {
  const head = new Int32Array(current, 0, HEAD_NUMBERS)
  for (let before = 0, since = performance.now(); !signal.aborted; await pause(LOOK_MS)) {
    const inputs = Atomics.load(head, 0)
    if (inputs !== before || inputs === 0) {
      before = inputs
      since = performance.now()
    } else if (performance.now() - since > HANG_MS) {
      const input = Uint8Array.from(new Uint8Array(current, HEAD_BYTES, Math.min(head[1] ?? 0, MAX_BYTES)))
      return { inputs, reached: [], corpus: [], finding: { input, error: 'It hangs.' } }
    }
  }
  return new Promise(() => {})
}
