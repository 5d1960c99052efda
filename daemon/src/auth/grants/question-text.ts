/** A question in words, the same wherever it is shown: short lines in a fixed order, each with one field of a bounded length. Pure. */
import { shownName, shownPath } from '@sallyport/core/shown'
import type { Program } from '../../identity/program.ts'
import { programInWords } from '../../identity/program-words.ts'
import type { Matter, Question } from './questions.ts'
import type { Why } from './rules.ts'

const BECAUSE: Readonly<Record<Why, string>> = {
  'new-program': 'This program was not allowed to before.',
  'new-session': 'It was not allowed to from there before.',
  'changed-program': 'The program at this place is not the one that you allowed: it was changed or replaced.',
  'unknown-program': 'The system does not say which program this is, so your answer holds for this connection alone.',
  idle: 'It was allowed to, and has not used it for a long time.',
  'session-ended': 'It was allowed to from there before; without use that ends soon, and after some hours in any case.',
  'brought-token': 'It signed in with a token of its own before; now it asks for what the bridge keeps.',
  'more-scopes': 'It was allowed other things before.',
  'new-launch': 'You want to join a game that does not run. It was not started for you before.',
  'changed-launch': 'You want to join a game that does not run. What would be started is not what you allowed.',
}

/** Whom a question is about when only the platform will know. */
const WHOEVER = 'whoever is signed in on the platform'

export const becauseOf = ({ why }: Pick<Matter, 'why'>): string => BECAUSE[why]

/** One field. Its text holds nothing that begins a line. */
export interface Line {
  readonly label: string
  readonly text: string
}

/** Who asks to sign in, and for which application. */
interface Asker {
  readonly program: Program
  readonly pid: number | undefined
  readonly applicationId: string
  readonly applicationName: string | undefined
}

const applicationLine = ({ applicationId, applicationName }: Asker): Line => ({
  label: 'Application',
  text: applicationName === undefined ? applicationId : `${shownName(applicationName)} (${applicationId})`,
})

/** The program comes last: nothing that it wrote stands before what the user decides by. */
const programLines = ({ program, pid }: Asker): readonly Line[] => [
  ...(pid === undefined ? [] : [{ label: 'Process', text: String(pid) }]),
  { label: 'Program', text: programInWords(program) },
]

/** Who asks, where nothing is to be answered. */
export const askerLines = (asker: Asker): readonly Line[] => [applicationLine(asker), ...programLines(asker)]

export const questionTitle = ({ launch }: Pick<Matter, 'launch'>): string =>
  launch === undefined ? 'A program wants to sign in for a game.' : 'A game is to be started.'

/** What is started comes last, after who registered it. Nobody registers the address that every application of the platform has. */
const launchLines = (matter: Matter, launch: string): readonly Line[] => [
  applicationLine(matter),
  { label: 'Why', text: becauseOf(matter) },
  ...(matter.program.executable === undefined ? [] : [{ label: 'Set by', text: programInWords(matter.program) }]),
  { label: 'Starts', text: shownPath(launch) },
]

export const questionLines = (matter: Matter): readonly Line[] =>
  matter.launch === undefined ? signInLines(matter) : launchLines(matter, matter.launch)

const signInLines = (matter: Matter): readonly Line[] => [
  applicationLine(matter),
  { label: 'Account', text: shownName(matter.username ?? matter.userId ?? WHOEVER) },
  { label: 'May do', text: matter.scopes.map((scope) => shownName(scope)).join(', ') },
  { label: 'Why', text: becauseOf(matter) },
  ...programLines(matter),
]

const COLUMNS = 80
const LEAST_COLUMNS = 40
const INDENT = '  '
const LABEL_COLUMNS = 'Application'.length + INDENT.length

/** Columns of a terminal that a character may take at most. */
const widthOf = (character: string): number => (/^[ -~]$/.test(character) ? 1 : 2)

/** Broken here and not by the terminal, whose new rows would begin where our labels stand. */
function rowsOf(text: string, columns: number): readonly string[] {
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const character of text) {
    if (width + widthOf(character) > columns) {
      const words = row.slice(0, row.lastIndexOf(' ') + 1)
      const full = words.trim() === '' ? row : words
      rows.push(full)
      row = row.slice(full.length)
      width = Array.from(row).reduce((sum, one) => sum + widthOf(one), 0)
    }
    row += character
    width += widthOf(character)
  }
  return [...rows, row]
}

/** The lines one below the other, no row wider than the terminal. */
export function laidOut(lines: readonly Line[], columns = COLUMNS): string {
  const width = Math.max(columns, LEAST_COLUMNS) - INDENT.length - LABEL_COLUMNS - 1
  return lines
    .flatMap(({ label, text }) =>
      rowsOf(text, width).map((row, index) => `${INDENT}${(index === 0 ? label : '').padEnd(LABEL_COLUMNS)}${row}`.trimEnd()),
    )
    .join('\n')
}

/** Several rows, fit for a terminal of so many columns. */
export const questionText = (question: Question, columns?: number): string =>
  `${questionTitle(question)} (question ${question.id})\n${laidOut(questionLines(question), columns)}`
