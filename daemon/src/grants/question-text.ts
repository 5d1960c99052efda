/** A question in words, the same wherever it is shown. */
import type { Matter } from './questions.ts'
import type { Why } from './rules.ts'

const BECAUSE: Readonly<Record<Why, string>> = {
  'new-program': 'This program was not allowed to before.',
  'changed-program': 'The program at this place is not the one that you allowed: it was changed or replaced.',
  idle: 'It was allowed to, and has not used it for a long time.',
  'brought-token': 'It signed in with a token of its own before; now it asks for what the bridge keeps.',
  'more-scopes': 'It was allowed other things before.',
}

/** Names come from files and from the platform: control characters in them would steer a terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{FFFD}')

/** Whom a question is about when only the platform will know. */
const WHOEVER = 'whoever is signed in on the platform'

export const becauseOf = ({ why }: Pick<Matter, 'why'>): string => BECAUSE[why]

/** One line, fit for a terminal. */
export function questionText(matter: Matter): string {
  const { program, pid, applicationId, applicationName, userId, username, scopes } = matter
  const who = `${program.executable ?? 'An unknown program'}${pid === undefined ? '' : ` (process ${pid})`}`
  const whom = username ?? userId ?? WHOEVER
  const what = applicationName === undefined ? `application ${applicationId}` : `${applicationName} (${applicationId})`
  return printable(`${who} wants to use ${what} as ${whom}: ${scopes.join(', ')}. ${becauseOf(matter)}`)
}
