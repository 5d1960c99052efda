/**
 * `npm test`: types, lint, format, and the fast tests. `npm run test:all`: the packaged file and every test besides;
 * with `--packaged`, each end-to-end test runs against the packaged file too, not only the smoke set; with `--endurance`, fifty games play meanwhile.
 * Paths choose a part, without what takes minutes: `npm test -- unit/daemon/ipc/framing`. Other arguments go to vitest.
 * The last line counts: `N passed, N failed`, and `, N skipped` if any. A failing check counts as one failure.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { STATEMENTS } from './coverage/index.ts'
import type { Counts, Outcome, Run } from './count.ts'
import { unproven } from './ledger.ts'
import { type LintByTypes, type Plan, planOf } from './run-plan.ts'

const ROOT = resolve(import.meta.dirname, '..')
const COUNTS = join(ROOT, '.cache/test-counts.json')
/** Seconds that the last `npm test` and the last `npm run test:all` took; `npm run figures` prints them. */
const DURATIONS = join(ROOT, '.cache/test-durations.json')
/** What the sandbox of the last run answered; `npm run answers` compares it with the platform's description. */
const ANSWERS = join(ROOT, '.cache/answers')
const binary = (name: string): string => join(ROOT, 'node_modules/.bin', name)

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Its output is figures, which are read although it passed. */
  readonly isRead?: boolean
}

interface Ended {
  readonly code: number
  readonly output: string
}

/** The file of the platform's public API description. */
const DESCRIPTION = process.env['SALLYPORT_TEST_OPENAPI']

/** The tools are scripts of `node`: they get the one that runs this file, also where npm did not put it first. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)

/** Runs a program. `show`: its output goes straight through; otherwise it is kept. */
const run = (command: readonly [string, ...string[]], show: boolean, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((settle, reject) => {
    const [program, ...args] = command
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32',
    })
    const kept: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => kept.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => kept.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => settle({ code: code ?? 1, output: Buffer.concat(kept).toString() }))
  })

/**
 * TypeScript files in the folders where one was changed since the last commit, without those in folders below. None where git or its
 * repository is missing.
 */
function filesOfChangedFolders(): readonly string[] {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all', '--no-renames', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const paths = (stdout ?? '').split('\0').map((line) => line.slice('XY '.length))
  const folders = new Set(paths.filter((path) => path.endsWith('.ts')).map((path) => dirname(path)))
  return [...folders].flatMap((folder) => globSync(join(folder, '*.ts'), { cwd: ROOT }))
}

const OXLINT: readonly [string, ...string[]] = [binary('oxlint'), '--deny-warnings']

/** Lint that knows types takes half a minute for the whole tree, so a part of the tests gets it for what was changed. */
function lintChecks(lintByTypes: LintByTypes): readonly Check[] {
  if (lintByTypes === 'whole') return [{ name: 'lint', command: [...OXLINT, '--type-aware'] }]
  const files = filesOfChangedFolders()
  const ofChanged: Check = { name: 'lint of changed folders, with types', command: [...OXLINT, '--type-aware', ...files] }
  return [{ name: 'lint', command: OXLINT }, ...(files.length === 0 ? [] : [ofChanged])]
}

/** Beside the tests: it judges memory, descriptors and answers, which other programs do not change. */
const ENDURANCE: Check = {
  name: 'endurance',
  command: [process.execPath, join(ROOT, 'test/endurance/main.ts'), '--minutes', '10'],
  isRead: true,
}

/** Which answers of the sandbox differ from the description; nothing where no description is named, or no sandbox answered. */
function answerChecks({ kind }: Plan): readonly Check[] {
  if (DESCRIPTION === undefined || readdirSync(ANSWERS).length === 0) return []
  const command = [process.execPath, join(ROOT, 'test/conformance/answers/main.ts'), ...(kind === 'all' ? ['--whole'] : [])] as const
  return [{ name: 'answers of the sandbox', command, isRead: kind !== 'part' }]
}

const checksOf = ({ lintByTypes, checksFormat, makesProgram, makesPackage }: Plan): readonly Check[] => [
  { name: 'types', command: [binary('tsc'), '-b'] },
  ...lintChecks(lintByTypes),
  ...(checksFormat ? [{ name: 'format', command: [binary('biome'), 'format'] } satisfies Check] : []),
  ...(makesProgram ? [{ name: 'program', command: [process.execPath, join(ROOT, 'daemon/packaging/program.ts')] } satisfies Check] : []),
  ...(makesPackage ? [{ name: 'package', command: [process.execPath, join(ROOT, 'daemon/packaging/package.ts')] } satisfies Check] : []),
]

const MINUTE_MS = 60_000
const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(1)

/** One after the other: each uses every core. */
async function runChecks(checks: readonly Check[]): Promise<Counts> {
  let passed = 0
  const failed: Outcome[] = []
  for (const { name, command, isRead = false } of checks) {
    const start = performance.now()
    const { code, output } = await run(command, false)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${minutes(performance.now() - start)} min`)
    if (code !== 0 || isRead) console.log(output)
    if (code === 0) passed += 1
    else {
      failed.push({ file: name, name: 'the check itself', why: 'see its output above' })
    }
  }
  return { passed, failed, skipped: [] }
}

async function runTests({ kind, vitest, isPackaged }: Plan): Promise<Counts> {
  rmSync(COUNTS, { force: true })
  rmSync(ANSWERS, { recursive: true, force: true })
  mkdirSync(ANSWERS, { recursive: true })
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'count.ts')}`]
  const { code } = await run([binary('vitest'), 'run', '--root', import.meta.dirname, ...reporters, ...vitest], true, {
    SALLYPORT_TEST_COUNTS: COUNTS,
    ...(DESCRIPTION === undefined ? {} : { SALLYPORT_TEST_ANSWERS: ANSWERS }),
    ...(isPackaged ? { SALLYPORT_TEST_PACKAGED: 'all' } : {}),
  })
  const broken = { file: 'vitest', name: `ended with ${code}`, why: 'see its output above' }
  if (!existsSync(COUNTS)) return { passed: 0, failed: [broken], skipped: [] }
  const counts = JSON.parse(readFileSync(COUNTS, 'utf8')) as Run
  if (kind !== 'part')
    for (const [folder, ms] of Object.entries(counts.took)) console.log(`tests of ${folder}, ${minutes(ms)} min, several at a time`)
  const failed = code !== 0 && counts.failed.length === 0 ? [broken] : counts.failed
  return { ...counts, failed: [...failed, ...(kind === 'all' ? unledgered(counts) : [])] }
}

/** Each line of the coverage ledger promises a test. A line that only skipped tests prove is named, because it is not proven here. */
function unledgered({ proven, skippedTags }: Run): readonly Outcome[] {
  const { failed, skipped } = unproven(STATEMENTS, proven, skippedTags)
  if (skipped.length > 0) console.log(`Lines of test/coverage that only skipped tests prove: ${skipped.join(', ')}`)
  return failed.map((name) => ({ file: 'test/coverage', name, why: 'no test with this tag ran and passed' }))
}

/** Enough for what a program printed before it failed. */
const REASON_LINES = 6

/** Prints each reason for skipped tests once, with the number of tests. */
function reportSkipped(skipped: readonly Outcome[]): void {
  for (const [reason, tests] of Map.groupBy(skipped, ({ file, why }) => `${file}: ${why}`))
    console.log(`skipped ${tests.length}: ${reason}`)
}

/** Keeps how long the command took, when it ran without a choice of tests. */
function keepDuration({ kind }: Plan): void {
  if (kind === 'part') return
  const known = existsSync(DURATIONS) ? (JSON.parse(readFileSync(DURATIONS, 'utf8')) as Readonly<Record<string, number>>) : {}
  const took = { [kind === 'all' ? 'npm run test:all' : 'npm test']: Math.round(performance.now() / 1000) }
  writeFileSync(DURATIONS, JSON.stringify({ ...known, ...took }))
}

async function runPlan(plan: Plan): Promise<boolean> {
  const checks = await runChecks(checksOf(plan))
  const [tests, endurance] = await Promise.all([runTests(plan), runChecks(plan.endures ? [ENDURANCE] : [])])
  const answers = await runChecks(answerChecks(plan))
  keepDuration(plan)
  const failed = [...checks.failed, ...endurance.failed, ...tests.failed, ...answers.failed]
  reportSkipped(tests.skipped)
  for (const { file, name, why } of failed) console.log(`FAILED ${file} > ${name}: ${why.split('\n', REASON_LINES).join('\n  ')}`)
  if (plan.kind === 'fast') console.log('Not run: fuzz and end to end. For everything: npm run test:all')
  const skipped = tests.skipped.length === 0 ? '' : `, ${tests.skipped.length} skipped`
  console.log(`${checks.passed + endurance.passed + tests.passed + answers.passed} passed, ${failed.length} failed${skipped}`)
  return failed.length === 0
}

const plan = planOf(process.argv.slice(2))
if ('refusal' in plan) console.error(plan.refusal)
process.exitCode = !('refusal' in plan) && (await runPlan(plan)) ? 0 : 1
