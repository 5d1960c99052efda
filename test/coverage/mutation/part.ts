/** One part of the mutation run: every nth mutation, one after the other in one vitest. The parent passes its own arguments on. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { COVERAGE, STATEMENTS } from '../index.ts'
import type { Edit } from '../second/edit.ts'
import { taggedFiles } from '../tags.ts'
import { UNBREAKABLE, VARIABLE } from './break.ts'
import { mutationPlugin } from './plugin.ts'
import { type Mutation, mutationsOf } from './targets.ts'

export interface PartResult {
  /** The lines of its mutations, one for each mutation. */
  readonly ids: readonly string[]
  readonly survived: number
  /** Test files that fail without a mutation. */
  readonly failed: number
}

const ROOT = resolve(import.meta.dirname, '../../..')
const TEST = join(ROOT, 'test')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { section: { type: 'string' }, second: { type: 'boolean' }, part: { type: 'string', default: '0/1' } },
})
const [part = 0, parts = 1] = values.part.split('/').map(Number)
const wanted = new Set([
  ...positionals,
  ...COVERAGE.filter(({ number }) => number === values.section).flatMap(({ statements }) => statements.map(({ id }) => id)),
])
const chosen = wanted.size === 0 && values.section === undefined ? STATEMENTS : STATEMENTS.filter(({ id }) => wanted.has(id))
const mutations = mutationsOf(ROOT, chosen, taggedFiles())
  .filter(({ edit }) => values.second !== true || edit !== undefined)
  .filter((_, index) => index % parts === part)

/** The edit that the plugin makes. */
let current: Edit | undefined

/** Runs the tests of a file with a tag. vitest returns the files of earlier runs too. */
async function run(vitest: Vitest, file: string, id: string): Promise<readonly TestModule[]> {
  const path = join(TEST, file)
  const specification = vitest.getProjectByName('fast').createSpecification(path, { testTagsFilter: [id] })
  const { testModules } = await vitest.runTestSpecifications([specification])
  return testModules.filter(({ moduleId }) => moduleId === path)
}

/** What the tests of a file say about a mutation. */
interface Verdict {
  /** The first failed test. */
  readonly killer: string | undefined
  readonly passed: number
  /** Errors outside tests, and of a place that cannot be broken. */
  readonly errors: readonly string[]
}

const firstLine = ({ message }: { readonly message: string }): string => message.split('\n')[0] ?? ''

function verdictOf(modules: readonly TestModule[]): Verdict {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.filter((test) => test.result().state === 'failed')
  const inTests = failed.flatMap((test) => (test.result().errors ?? []).map(firstLine)).filter((text) => text.includes(UNBREAKABLE))
  return {
    killer: inTests.length > 0 ? undefined : failed[0]?.fullName,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    errors: [...inTests, ...modules.flatMap((module) => module.errors().map(firstLine))],
  }
}

interface Outcome {
  readonly isKilled: boolean
  /** The test that killed it, or why it survived. */
  readonly why: string
}

/** Makes an edit, or takes it back: the file is read again. */
function change(vitest: Vitest, edit: Edit | undefined): void {
  for (const one of [current, edit]) if (one !== undefined) vitest.invalidateFile(join(ROOT, one.file))
  current = edit
}

/** Runs the tests of a mutation, one file after another until a test fails. */
async function outcomeOf(vitest: Vitest, { id, target, edit, files }: Mutation): Promise<Outcome> {
  if (target === undefined) delete process.env[VARIABLE]
  else process.env[VARIABLE] = JSON.stringify(target)
  change(vitest, edit)
  const errors: string[] = []
  let passed = 0
  for (const file of files) {
    const verdict = verdictOf(await run(vitest, file, id))
    if (verdict.killer !== undefined) return { isKilled: true, why: `${file} > ${verdict.killer}` }
    passed += verdict.passed
    errors.push(...verdict.errors)
  }
  return { isKilled: false, why: errors[0] ?? `${passed} tests passed` }
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

// Without a cache on disk: it would keep modules that this run has changed.
const vitest = await createVitest(
  'test',
  { root: TEST, watch: false, reporters: [{}], project: ['fast'], isolate: true, bail: 1, fsModuleCache: false },
  {
    plugins: [
      mutationPlugin(
        ROOT,
        mutations.flatMap(({ target }) => target ?? []),
        () => current,
      ),
    ],
  },
)
const failing = await failingBefore(vitest)
for (const file of failing) console.log(`FAILED before any mutation: ${file}`)
let survived = 0
for (const mutation of failing.length > 0 ? [] : mutations) {
  const { isKilled, why } = await outcomeOf(vitest, mutation)
  if (!isKilled) survived += 1
  console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutation.id} ${mutation.place}: ${why}`)
}
delete process.env[VARIABLE]
await vitest.close()
const result: PartResult = { ids: mutations.map(({ id }) => id), survived, failed: failing.length }
process.send?.(result)
process.disconnect?.()
