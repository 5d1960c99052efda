/** A question in words, the same wherever it is shown. */
import { sessionText } from '../identity/terminal-session.ts'
import type { Matter } from './questions.ts'
import type { Why } from './rules.ts'

const BECAUSE: Readonly<Record<Why, string>> = {
  'new-program': 'This program was not allowed to before.',
  'new-session': 'It was not allowed to from there before.',
  'changed-program': 'The program at this place is not the one that you allowed: it was changed or replaced.',
  idle: 'It was allowed to, and has not used it for a long time.',
  'session-ended': 'It was allowed to from there before; without use that ends soon, and after some hours in any case.',
  'brought-token': 'It signed in with a token of its own before; now it asks for what the bridge keeps.',
  'more-scopes': 'It was allowed other things before.',
}

/** Names come from files and from the platform: control characters in them would steer a terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{FFFD}')

/** Whom a question is about when only the platform will know. */
const WHOEVER = 'whoever is signed in on the platform'

export const becauseOf = ({ why }: Pick<Matter, 'why'>): string => BECAUSE[why]

/** The command line is named as what it is, and with whoever started it: its own path says little. */
const programText = ({ session, executable }: Matter['program']): string =>
  session === undefined ? (executable ?? 'An unknown program') : `The command line of Sallyport, ${sessionText(session)}`

/** One line, fit for a terminal. */
export function questionText(matter: Matter): string {
  const { program, pid, applicationId, applicationName, userId, username, scopes } = matter
  const who = `${programText(program)}${pid === undefined ? '' : ` (process ${pid})`}`
  const whom = username ?? userId ?? WHOEVER
  const what = applicationName === undefined ? `application ${applicationId}` : `${applicationName} (${applicationId})`
  return printable(`${who} wants to use ${what} as ${whom}: ${scopes.join(', ')}. ${becauseOf(matter)}`)
}
