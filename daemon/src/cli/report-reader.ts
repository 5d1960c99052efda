/** Reads the calls of a report that `sallyport bugreport` wrote. */
import { CallTrace } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import { shallowValue, strangerLines } from './stranger-lines.ts'

const ADVICE = 'Name a file that sallyport bugreport wrote.'
const SECTION = /^== ([a-z]+): /
/** More than a report has. */
const MOST_CALLS = 1024

/** In the order in which they came. Throws SettingsError for any other file. */
export function readReportedCalls(path: string): readonly CallTrace[] {
  const refuse = (why: string) => new SettingsError(`Cannot read ${path} (${why}). ${ADVICE}`)
  const calls: CallTrace[] = []
  let section: string | undefined
  for (const line of strangerLines(path, refuse)) {
    const title = SECTION.exec(line)
    if (title === null && section === undefined) break
    section = title?.[1] ?? section
    if (title !== null || section !== 'calls') continue
    const read = CallTrace().safeParse(shallowValue(line))
    if (!read.success || calls.length === MOST_CALLS) throw refuse(`call ${calls.length + 1} is not as sallyport bugreport writes it`)
    calls.push(read.data)
  }
  if (section === undefined) throw new SettingsError(`${path} is not a report. ${ADVICE}`)
  return calls.toReversed()
}
