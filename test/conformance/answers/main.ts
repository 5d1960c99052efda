/**
 * `npm run answers`: compares what the sandbox answered in the last run of tests with the platform's description, which SALLYPORT_TEST_OPENAPI
 * names. With `--whole`, every line of the table must have been seen. Exits with 1 for a difference without a line.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Description } from '../openapi/description.ts'
import { ANSWER_DIFFERENCES, type AnswerDifference } from './differences.ts'
import { judge, recordsIn, type Verdict } from './judge.ts'

/** Where test/run.ts has the answers recorded. */
const RECORDS = resolve(import.meta.dirname, '../../../.cache/answers')

const listed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

/** As the comparison says them. */
const sentencesOf = ({ field, found }: AnswerDifference): readonly string[] => found.map((one) => `${field}: ${one}`)

/** What is wrong: differences without a line, and lines without a difference. */
function wrong({ differences }: Verdict, isWhole: boolean): readonly string[] {
  const allowed = new Set(ANSWER_DIFFERENCES.flatMap(sentencesOf))
  const isSeen = (one: AnswerDifference): boolean => sentencesOf(one).some((found) => differences.has(found))
  const unseen = isWhole ? ANSWER_DIFFERENCES.filter((one) => !isSeen(one)) : []
  return [
    ...[...differences].filter(([found]) => !allowed.has(found)).map(([found, where]) => `${found} (${[...where].join(', ')})`),
    ...unseen.map(({ field }) => `${field}: no answer differs so any more; remove it from differences.ts`),
  ].toSorted()
}

const fieldOf = (sentence: string): string => sentence.slice(0, sentence.lastIndexOf(': '))

function report(verdict: Verdict, problems: readonly string[]): string {
  const { count, operations, events, differences, undescribed, faults } = verdict
  const table = ANSWER_DIFFERENCES.map((one) => {
    const places = new Set(sentencesOf(one).flatMap((found) => [...(differences.get(found) ?? [])]))
    return `${one.field}: ${one.found.join('; ')} (${places.size} operations and events). ${one.reason}`
  })
  const beyond = [...undescribed].map(([what, times]) => `${what}: ${times}`).toSorted()
  const fields = new Set([...differences.keys()].map(fieldOf))
  return [
    `${count} answers and events, of ${operations.size} operations and ${events.size} kinds of events: ${fields.size} fields differ`,
    `${faults} answers with a status of 500 and above, of which the description says nothing`,
    ...listed('Allowed differences:', table),
    ...listed('Not in the description, with the kinds of answers:', beyond),
    ...listed('Wrong:', problems),
  ].join('\n')
}

const file = process.env['SALLYPORT_TEST_OPENAPI']
if (file === undefined || !existsSync(RECORDS)) {
  console.error('SALLYPORT_TEST_OPENAPI must name the public API description, and a run of the tests must have recorded answers with it.')
  process.exitCode = 2
} else {
  const verdict = judge(recordsIn(RECORDS), new Description(file))
  const problems = wrong(verdict, process.argv.includes('--whole'))
  console.log(report(verdict, problems))
  process.exitCode = problems.length === 0 ? 0 : 1
}
