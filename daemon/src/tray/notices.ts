/** What the tray notifies about, as data: prompts, and pages for which the daemon found no browser. Pure. */
import type { BridgeState } from '@sallyport/protocol'
import type { Notice } from './host.ts'
import { pagesToOpen, type TrayAction, type TrayState } from './state.ts'

type Prompt = BridgeState['prompts'][number]
type Page = BridgeState['pages'][number]
type Line = Prompt['lines'][number]

/** A notice, and what its answers do. */
export interface TrayNotice extends Notice {
  readonly open: TrayAction
  readonly allow?: TrayAction
  readonly deny?: TrayAction
}

/** What the user decides by. Who signs in is not known before the platform says so, and a process number says nothing to a player. */
const SHOWN = new Set(['Application', 'Account', 'May do', 'Why', 'Program'])
const LEFT_OUT = new Set(['Account', 'Process'])
/** Where the rest is on the dashboard. A prompt about a launch has no program, but a command. */
const SHORT = new Set(['Application', 'Account', 'Program', 'Starts'])

/** What the desktops show of a notification without cutting it. */
const ROWS = 6
const COLUMNS = 48
/** The most columns that a character takes. */
const widthOf = (character: string): number => (/^[ -~]$/.test(character) ? 1 : 2)
const rowsOf = (text: string): number => Math.ceil(Array.from(text).reduce((sum, one) => sum + widthOf(one), 0) / COLUMNS)

const textOf = ({ label, text }: Line): string => `${label}: ${text}`

/** The lines that an answer needs, if the desktop shows them whole. */
function wholeText({ kind, lines, username }: Prompt): string | undefined {
  const shown = lines.filter(({ label }) => SHOWN.has(label) && (label !== 'Account' || username !== undefined))
  const isAll = lines.every((line) => shown.includes(line) || LEFT_OUT.has(line.label))
  const texts = shown.map(textOf)
  return kind === 'sign-in' && isAll && texts.reduce((sum, text) => sum + rowsOf(text), 0) <= ROWS ? texts.join('\n') : undefined
}

function promptNotice(prompt: Prompt): TrayNotice {
  const { id, title, lines } = prompt
  const whole = wholeText(prompt)
  const answer = (action: 'allow' | 'deny'): TrayAction => ({ do: 'operate', action, id })
  return {
    key: id,
    title,
    body:
      whole ??
      lines
        .filter(({ label }) => SHORT.has(label))
        .map(textOf)
        .join('\n'),
    hint: 'Click to answer on the dashboard, or use the menu of the tray.',
    isAnswerable: whole !== undefined,
    open: { do: 'open-dashboard' },
    ...(whole === undefined ? {} : { allow: answer('allow'), deny: answer('deny') }),
  }
}

const pageNotice = ({ url }: Page): TrayNotice => ({
  key: url,
  title: 'Go on in a browser to sign in.',
  body: `No browser could be started. Open this address: ${url}`,
  hint: 'Click to try again.',
  isAnswerable: false,
  open: { do: 'open-page', url },
})

export const noticesOf = (state: TrayState): readonly TrayNotice[] =>
  state.kind === 'connected' ? [...state.bridge.prompts.map(promptNotice), ...pagesToOpen(state.bridge).map(pageNotice)] : []
