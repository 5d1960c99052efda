/** Vitest reporter that writes what test/run.ts counts: outcomes, failures, and why a test was skipped (which the built-in JSON report leaves out). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

export interface Outcome {
  readonly file: string
  readonly name: string
  readonly why: string
}

export interface Counts {
  readonly passed: number
  readonly failed: readonly Outcome[]
  readonly skipped: readonly Outcome[]
}

export interface Run extends Counts {
  /** Tags of the tests that passed: lines of the coverage ledger. */
  readonly proven: readonly string[]
  /** Tags of the tests that were skipped. */
  readonly skippedTags: readonly string[]
  /** Milliseconds of the tests of each folder, added up; several files run at a time. */
  readonly took: Readonly<Record<string, number>>
}

const fileOf = (module: TestModule): string => relative(import.meta.dirname, module.moduleId)
/** A whole suite is skipped without a note: its name has the reason. */
const reasonFor = ({ parent }: TestCase): string => (parent.type === 'suite' ? parent.fullName : 'no reason given')

const messagesOf = (errors: readonly SerializedError[]): string => errors.map((error) => error.message).join('; ')

/** What one file adds. A file that could not be run at all counts as one failure. */
function countModule(module: TestModule): Counts {
  const file = fileOf(module)
  let passed = 0
  const failed: Outcome[] = []
  const skipped: Outcome[] = []
  for (const test of module.children.allTests()) {
    const result = test.result()
    const name = test.fullName
    if (result.state === 'passed') passed += 1
    else if (result.state === 'failed') failed.push({ file, name, why: messagesOf(result.errors) })
    else if (result.state === 'skipped') skipped.push({ file, name, why: result.note ?? reasonFor(test) })
    else failed.push({ file, name, why: 'did not finish' })
  }
  const own = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  if (own.length > 0) failed.push({ file, name: 'the file itself', why: messagesOf(own) })
  return { passed, failed, skipped }
}

const tagsOf = (modules: readonly TestModule[], state: 'passed' | 'skipped'): readonly string[] => [
  ...new Set(modules.flatMap((module) => [...module.children.allTests(state)].flatMap(({ tags }) => tags))),
]

/** `unit`, `e2e`, or the folder below it. */
const folderOf = (module: TestModule): string => dirname(fileOf(module)).split('/').slice(0, 2).join('/')

const tookOf = (modules: readonly TestModule[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(modules, folderOf)].map(([folder, own]) => [
      folder,
      own.reduce((sum, module) => sum + module.diagnostic().duration, 0),
    ]),
  )

/** Writes the counts as JSON to the file named in SALLYPORT_TEST_COUNTS. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = modules.map(countModule)
    const all: Run = {
      passed: counts.reduce((sum, { passed }) => sum + passed, 0),
      failed: [
        ...counts.flatMap(({ failed }) => failed),
        ...unhandled.map((error) => ({ file: '', name: 'an error outside every test', why: error.message })),
      ],
      skipped: counts.flatMap(({ skipped }) => skipped),
      proven: tagsOf(modules, 'passed'),
      skippedTags: tagsOf(modules, 'skipped'),
      took: tookOf(modules),
    }
    const path = process.env['SALLYPORT_TEST_COUNTS']
    if (path === undefined) return
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(all))
  }
}
