/**
 * `npm run fuzz -- [--minutes N] [--keep] [TARGET…]`: fuzzes the decoders, codecs and argument checks by coverage, each for so long; then looks for
 * the planted bugs, once guided and once not. Prints inputs, coverage and findings, and ends with 1 after a finding, or a planted bug that guidance
 * does not find or chance does. `--keep` writes the new corpus.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { readCorpus, writeCorpus } from './corpus.ts'
import { type Report, runTarget } from './run.ts'
import { PLANTED_BUGS, TARGETS } from './targets.ts'

const MINUTE_MS = 60_000
const USAGE = `Usage: npm run fuzz -- [--minutes N] [--keep] [TARGET…]. The targets are ${Object.keys(TARGETS).join(', ')}; without one, all are fuzzed.`

interface Wanted {
  readonly names: readonly string[]
  readonly forMs: number
  readonly keeps: boolean
}

/** Undefined: the words are wrong. */
function wanted(): Wanted | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { minutes: { type: 'string', default: '1' }, keep: { type: 'boolean', default: false } },
    })
    const forMs = Number(values.minutes) * MINUTE_MS
    if (!(forMs > 0) || positionals.some((name) => !Object.hasOwn(TARGETS, name))) return undefined
    return { names: positionals.length === 0 ? Object.keys(TARGETS) : positionals, forMs, keeps: values.keep }
  } catch {
    return undefined
  }
}

if (process.argv.includes('--help')) {
  console.log(USAGE)
  process.exit()
}
const given = wanted()
if (given === undefined) {
  console.error(USAGE)
  process.exit(2)
}
const { names, forMs, keeps } = given
const seed = Date.now() % 2 ** 31

/** So many at once as there are processors. */
async function each<One>(list: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const left = [...list]
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
}

const shown = ({ inputs, reached, ofBranches }: Report): string =>
  `${inputs.toLocaleString('en')} inputs, ${reached.length} of ${ofBranches} branches`

console.log(`seed ${seed}`)
await each(names, async (name) => {
  const corpus = readCorpus(name)
  const report = await runTarget({ name, replacements: TARGETS[name] ?? [], seed, isGuided: true, corpus, forMs })
  const { finding } = report
  console.log(`${name}: ${shown(report)}, corpus ${corpus.length} → ${report.corpus.length}, ${finding === undefined ? 0 : 1} findings`)
  if (keeps && finding === undefined) writeCorpus(name, report.corpus)
  if (finding === undefined) return
  console.log(
    `  ${Buffer.from(finding.input).toString('base64')}\n  ${JSON.stringify(Buffer.from(finding.input).toString('utf8'))}\n  ${finding.error}`,
  )
  process.exitCode = 1
})

await each(
  PLANTED_BUGS.filter(({ target }) => names.includes(target)),
  async ({ name, target, replacement }) => {
    const replacements = [...(TARGETS[target] ?? []), replacement]
    // Without the kept corpus: both begin with the same seeds.
    const guided = await runTarget({ name: target, replacements, seed, isGuided: true, corpus: [], forMs })
    const blind = await runTarget({ name: target, replacements, seed, isGuided: false, corpus: [], forMs })
    const isProof = guided.finding !== undefined && blind.finding === undefined
    const found = ({ finding, inputs }: Report) =>
      `${finding === undefined ? 'not found in' : 'found after'} ${inputs.toLocaleString('en')} inputs`
    console.log(`planted, ${name}: guided ${found(guided)}, by chance ${found(blind)}${isProof ? '' : ': NO PROOF'}`)
    if (!isProof) process.exitCode = 1
  },
)
