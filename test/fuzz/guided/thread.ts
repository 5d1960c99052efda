/** Fuzzes one target in a thread of its own, which its starter can end when an input hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { fuzz } from './engine.ts'
import type { Target } from './target.ts'
import { type Done, HEAD_NUMBERS, type Work } from './work.ts'

const { file, seed, isGuided, corpus, forMs, forInputs, current } = workerData as Work
const head = new Int32Array(current, 0, HEAD_NUMBERS)
const body = new Uint8Array(current, HEAD_NUMBERS * Int32Array.BYTES_PER_ELEMENT)
const end = performance.now() + forMs

const result = await fuzz(async () => ((await import(file)) as { readonly target: Target }).target, {
  seed,
  isGuided,
  corpus: corpus.map((one) => Buffer.from(one)),
  goesOn: (inputs) => inputs < forInputs && performance.now() < end,
  onInput(input) {
    body.set(input.subarray(0, body.length))
    head[1] = input.length
    Atomics.add(head, 0, 1)
  },
})
const { finding, ...rest } = result
const done: Done = { ...rest, finding: finding && { input: finding.input, error: finding.error.stack ?? finding.error.message } }
parentPort?.postMessage(done, [])
