/**
 * `npm run coverage:mutate` breaks each row and constant that the coverage ledger names, and makes each edit of its second dimension, one at a
 * time, and runs the tests with the tag of its line. A mutation is killed if one of them fails. `-- 5-7 2.2-49` takes these lines,
 * `-- --section 5` the lines of a section, `-- --second` edits only. The last line counts. It exits with 1 if a mutation survives.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PartResult } from './part.ts'

/** More would wait for memory instead of processors: each part is a whole vitest. */
const PARTS = Math.min(2, availableParallelism())

/** Undefined if the part ended without a result. */
async function resultOf(part: number): Promise<PartResult | undefined> {
  const child = fork(join(import.meta.dirname, 'part.ts'), [...process.argv.slice(2), '--part', `${part}/${PARTS}`])
  let result: PartResult | undefined
  child.on('message', (message) => {
    result = message as PartResult
  })
  await once(child, 'exit')
  return result
}

const began = performance.now()
const results = await Promise.all(Array.from({ length: PARTS }, (_, part) => resultOf(part)))
const known = results.filter((result) => result !== undefined)
const ids = known.flatMap((result) => result.ids)
const survived = known.reduce((sum, result) => sum + result.survived, 0)
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
console.log(
  `${ids.length - survived} of ${ids.length} mutations of ${new Set(ids).size} lines killed, ${survived} survived, in ${minutes} minutes`,
)
process.exitCode = known.length === PARTS && survived === 0 && known.every(({ failed }) => failed === 0) ? 0 : 1
