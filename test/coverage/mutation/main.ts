/**
 * `npm run coverage:mutate` breaks each row and constant that the coverage ledger names, one at a time, and runs the tests with the tag
 * of its line. A mutation is killed if one of them fails. `-- 5-7 2.2-49` takes these lines, `-- --section 5` the lines of a section.
 * The last line counts. It exits with 1 if a mutation survives.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { COVERAGE, STATEMENTS } from '../index.ts'
import { taggedFiles } from '../tags.ts'
import { VARIABLE } from './break.ts'
import { mutationPlugin } from './plugin.ts'
import { type Mutation, mutationsOf } from './targets.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const TEST = join(ROOT, 'test')

const { values, positionals } = parseArgs({ allowPositionals: true, options: { section: { type: 'string' } } })
const wanted = new Set([
  ...positionals,
  ...COVERAGE.filter(({ number }) => number === values.section).flatMap(({ statements }) => statements.map(({ id }) => id)),
])
const chosen = wanted.size === 0 && values.section === undefined ? STATEMENTS : STATEMENTS.filter(({ id }) => wanted.has(id))
const mutations = mutationsOf(ROOT, chosen, taggedFiles())

/** Runs the tests of a file with a tag. */
async function run(vitest: Vitest, file: string, id: string): Promise<readonly TestModule[]> {
  const specification = vitest.getProjectByName('fast').createSpecification(join(TEST, file), { testTagsFilter: [id] })
  return (await vitest.runTestSpecifications([specification])).testModules
}

const testsOf = (modules: readonly TestModule[], state: 'passed' | 'failed'): number =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)

const importErrors = (modules: readonly TestModule[]): readonly string[] =>
  modules.flatMap((module) => module.errors().map(({ message }) => message.split('\n')[0] ?? ''))

/** Runs the tests of a mutation, one file after another until a test fails. Returns why it survived; undefined if it is killed. */
async function survival(vitest: Vitest, { id, target, files }: Mutation): Promise<string | undefined> {
  process.env[VARIABLE] = JSON.stringify(target)
  const reasons: string[] = []
  let passed = 0
  for (const file of files) {
    const modules = await run(vitest, file, id)
    if (testsOf(modules, 'failed') > 0) return undefined
    passed += testsOf(modules, 'passed')
    reasons.push(...importErrors(modules))
  }
  return reasons[0] ?? `${passed} tests passed`
}

/** Runs the tests of all mutations unbroken. Returns files in which a test fails. */
async function failingBefore(vitest: Vitest): Promise<readonly string[]> {
  const files = [...new Set(mutations.flatMap((mutation) => mutation.files))]
  const tags = [...new Set(mutations.map(({ id }) => id))].join(' or ')
  const project = vitest.getProjectByName('fast')
  const specifications = files.map((file) => project.createSpecification(join(TEST, file), { testTagsFilter: [tags] }))
  const { testModules } = await vitest.runTestSpecifications(specifications)
  return testModules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId)
}

const vitest = await createVitest(
  'test',
  { root: TEST, watch: false, reporters: [{}], project: ['fast'], isolate: true, bail: 1 },
  {
    plugins: [
      mutationPlugin(
        ROOT,
        mutations.map(({ target }) => target),
      ),
    ],
  },
)
const began = performance.now()
const broken = await failingBefore(vitest)
for (const file of broken) console.log(`FAILED before any mutation: ${file}`)
let survived = 0
for (const mutation of broken.length > 0 ? [] : mutations) {
  const reason = await survival(vitest, mutation)
  if (reason !== undefined) survived += 1
  console.log(
    `${reason === undefined ? 'killed  ' : 'SURVIVED'} ${mutation.id} ${mutation.place}${reason === undefined ? '' : `: ${reason}`}`,
  )
}
delete process.env[VARIABLE]
await vitest.close()
const lines = new Set(mutations.map(({ id }) => id)).size
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
console.log(
  `${mutations.length - survived} of ${mutations.length} mutations of ${lines} lines killed, ${survived} survived, in ${minutes} minutes`,
)
process.exitCode = survived > 0 || broken.length > 0 ? 1 : 0
