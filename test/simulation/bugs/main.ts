/**
 * `npm run simulate:bugs`: plants each bug in turn, and simulates until a check finds it. Prints the seed, the time and the first failure. Fails if
 * one is not found in ten minutes. `-- NAME…` plants some of them.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const HERE = import.meta.dirname
const SIMULATE = resolve(HERE, '../main.ts')
const LIMIT_MS = 10 * 60_000
/** Processes that search at once, each from a seed of its own. */
const SEARCHERS = 2
const SEEDS = 100_000

const PATCHES: readonly string[] = globSync('*.patch', { cwd: HERE }).toSorted()

interface Search {
  /** The line that names the seed and the failure; undefined: none came in time. */
  readonly found: Promise<string | undefined>
  stop(): void
}

function search(patch: string, from: number): Search {
  const args = [SIMULATE, '--patch', join(HERE, patch), '--seeds', String(SEEDS), '--from', String(from)]
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const { promise, resolve: onFound } = Promise.withResolvers<string | undefined>()
  const lines = createInterface({ input: child.stderr })
  const others: string[] = []
  lines.on('line', (line) => (/^seed \d+: /.test(line) ? onFound(line) : others.push(line)))
  child.once('exit', (code) => {
    // A patch that does not apply ends at once.
    if (code === 2) console.error(others.join('\n'))
    onFound(undefined)
  })
  return { found: promise, stop: () => void child.kill('SIGKILL') }
}

/** Plants one. Returns whether it was found. */
async function plant(patch: string): Promise<boolean> {
  const [title] = readFileSync(join(HERE, patch), 'utf8').split('\n')
  const startedAt = performance.now()
  const searches = Array.from({ length: SEARCHERS }, (_, index) => search(patch, 1 + index * SEEDS))
  const { promise: late, resolve: onLate } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => onLate(undefined), LIMIT_MS)
  const one = Promise.any(searches.map(async ({ found }) => (await found) ?? Promise.reject(new Error('it ended'))))
  const line = await Promise.race([one.catch(() => undefined), late])
  clearTimeout(timer)
  for (const { stop } of searches) stop()
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  console.log(`${line === undefined ? 'MISSED' : 'found '} ${basename(patch, '.patch')}, ${seconds} s: ${title}`)
  console.log(`       ${line ?? 'no check failed'}`)
  return line !== undefined
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !PATCHES.includes(`${name}.patch`))
if (unknown.length > 0) {
  console.error(`There is no bug ${unknown.join(', ')}. The bugs are ${PATCHES.map((patch) => basename(patch, '.patch')).join(', ')}.`)
  process.exit(2)
}
let missed = 0
for (const patch of names.length === 0 ? PATCHES : names.map((name) => `${name}.patch`)) if (!(await plant(patch))) missed += 1
if (missed > 0) process.exitCode = 1
