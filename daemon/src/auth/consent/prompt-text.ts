/** The text of a consent prompt, the same on every display: lines in a fixed order, each with one field of bounded length. Pure. */
import { toDisplayName, toDisplayPath } from '@sallyport/core/display-text'
import type { Program } from '../../identity/program.ts'
import { loaderText, programText } from '../../identity/program-text.ts'
import { BOT, type ConsentRequest, type ConsentPrompt } from './consent-prompts.ts'
import type { ConsentReason } from './decision.ts'

const REASON_TEXTS: Readonly<Record<ConsentReason, string>> = {
  'new-program': 'You have not allowed this program before.',
  'new-session': 'You have not allowed it from there before.',
  'changed-program': 'The program at this path is not the one that you allowed. It was changed or replaced.',
  'other-wine': 'You allowed this program with another Wine or version of it.',
  'unknown-program': 'The system cannot identify this program, so your answer holds for this connection only.',
  idle: 'You allowed it before, but it has not used the permission for a long time.',
  'session-ended': 'You allowed it from there before. The permission ends soon without use, and always after some hours.',
  'brought-token': 'It signed in with its own token before. Now it requests the tokens that the bridge stores.',
  'more-scopes': 'You allowed it other scopes before.',
  'new-launch': 'You want to join a game that is not running. You have not allowed it to start before.',
  'changed-launch': 'You want to join a game that is not running. Its launch command is not the one that you allowed.',
}

/** Shown as the account when only the platform knows the user. */
const UNKNOWN_ACCOUNT = 'the user who is signed in on the platform'

/** Why more is asked than the program asked for. */
function addedText({ scopes, addedScopes = [] }: Pick<ConsentRequest, 'scopes' | 'addedScopes'>): string {
  const added = addedScopes.filter((scope) => scopes.includes(scope))
  return added.length === 0 ? '' : ` No desktop client runs, so the bridge asks for ${added.join(' and ')} in its place.`
}

export const reasonText = (request: Pick<ConsentRequest, 'reason' | 'scopes' | 'addedScopes'>): string =>
  `${REASON_TEXTS[request.reason]}${addedText(request)}`

/** One field. Its text contains no line breaks. */
export interface Line {
  readonly label: string
  readonly text: string
}

/** The program that requests a sign-in, and the application. */
interface Requester {
  readonly program: Program
  readonly pid: number | undefined
  readonly applicationId: string
  readonly applicationName: string | undefined
}

const applicationLine = ({ applicationId, applicationName }: Requester): Line => ({
  label: 'Application',
  text: applicationName === undefined ? applicationId : `${toDisplayName(applicationName)} (${applicationId})`,
})

/** The program comes last, so text that it controls does not precede the facts that the user decides by. */
const programLines = ({ program, pid }: Requester): readonly Line[] => [
  ...(pid === undefined ? [] : [{ label: 'Process', text: String(pid) }]),
  ...(program.loader === undefined ? [] : [{ label: 'Wine', text: loaderText(program.loader) }]),
  { label: 'Program', text: programText(program) },
]

/** Lines about the requester, for texts that need no answer. */
export const requesterLines = (requester: Requester): readonly Line[] => [applicationLine(requester), ...programLines(requester)]

export const promptTitle = ({ launch, userId }: Pick<ConsentRequest, 'launch' | 'userId'>): string => {
  if (launch !== undefined) return 'The bridge is about to start a game.'
  return userId === BOT.userId ? 'A program wants to act as the bot of an application.' : 'A program wants to sign in for a game.'
}

/** The launch command comes last, after the program that registered it. The platform's default address has no such program. */
const launchLines = (request: ConsentRequest, launch: string): readonly Line[] => [
  applicationLine(request),
  { label: 'Why', text: reasonText(request) },
  ...(request.program.executable === undefined ? [] : [{ label: 'Set by', text: programText(request.program) }]),
  { label: 'Starts', text: toDisplayPath(launch) },
]

export const promptLines = (request: ConsentRequest & Pick<ConsentPrompt, 'note'>): readonly Line[] =>
  request.launch === undefined ? signInLines(request) : launchLines(request, request.launch)

/** The bot of a prompt has no list of scopes: a bot token allows all that the bot may do. */
const permissionText = ({ userId, scopes }: ConsentRequest): string =>
  userId === BOT.userId ? 'everything that this bot may do, in all its guilds' : scopes.map((scope) => toDisplayName(scope)).join(', ')

const formerWineLines = ({ reason, formerLoader }: ConsentRequest): readonly Line[] =>
  reason === 'other-wine'
    ? [{ label: 'Wine then', text: formerLoader === undefined ? 'not stored by the earlier version' : loaderText(formerLoader) }]
    : []

const signInLines = (request: ConsentRequest & Pick<ConsentPrompt, 'note'>): readonly Line[] => [
  applicationLine(request),
  { label: 'Account', text: toDisplayName(request.username ?? request.userId ?? UNKNOWN_ACCOUNT) },
  { label: 'May do', text: permissionText(request) },
  { label: 'Why', text: reasonText(request) },
  ...(request.note === undefined ? [] : [{ label: 'Note', text: request.note }]),
  ...formerWineLines(request),
  ...programLines(request),
]

const COLUMNS = 80
const MIN_COLUMNS = 40
const INDENT = '  '
const LABEL_COLUMNS = 'Application'.length + INDENT.length

/** The most terminal columns that a character may occupy. */
const widthOf = (character: string): number => (/^[ -~]$/.test(character) ? 1 : 2)

/** Wraps text here, because a row that the terminal wraps would start in the label column. */
function rowsOf(text: string, columns: number): readonly string[] {
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const character of text) {
    if (width + widthOf(character) > columns) {
      const whole = row.slice(0, row.lastIndexOf(' ') + 1)
      const full = whole.trim() === '' ? row : whole
      rows.push(full)
      row = row.slice(full.length)
      width = Array.from(row).reduce((sum, one) => sum + widthOf(one), 0)
    }
    row += character
    width += widthOf(character)
  }
  return [...rows, row]
}

/** Joins the lines; no row is wider than the terminal. */
export function formatLines(lines: readonly Line[], columns = COLUMNS): string {
  const width = Math.max(columns, MIN_COLUMNS) - INDENT.length - LABEL_COLUMNS - 1
  return lines
    .flatMap(({ label, text }) =>
      rowsOf(text, width).map((row, index) => `${INDENT}${(index === 0 ? label : '').padEnd(LABEL_COLUMNS)}${row}`.trimEnd()),
    )
    .join('\n')
}

/** The whole prompt, wrapped to the columns of a terminal. */
export const promptText = (prompt: ConsentPrompt, columns?: number): string =>
  `${promptTitle(prompt)} (prompt ${prompt.id})\n${formatLines(promptLines(prompt), columns)}`
