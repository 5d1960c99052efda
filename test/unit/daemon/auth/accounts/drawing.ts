/** The table of the account machine as a drawing and as text, for the docs to be held against. */
import { ACCOUNT_STATES } from '@sallyport/protocol'
import { ACCOUNT_EVENTS, isInvalid, type Transition, transition } from '#daemon/src/auth/accounts/machine.ts'

/** Columns of the page. */
const WIDTH = 100

/** As many arrows as the names need lines. */
function arrowsTo(arrow: string, names: readonly string[]): string[] {
  const lines: string[] = []
  for (const name of names) {
    const longer = `${lines.at(-1)}, ${name}`
    if (lines.length > 0 && longer.length <= WIDTH) lines[lines.length - 1] = longer
    else lines.push(`${arrow}${name}`)
  }
  return lines
}

/** A state diagram (mermaid): each arrow carries every event that leads along it. Events that change nothing are left to the table. */
export function drawing(): string {
  const arrows = ACCOUNT_STATES.flatMap((from) => {
    const events = new Map<string, string[]>()
    for (const event of ACCOUNT_EVENTS) {
      const next = transition(from, event)
      if (!isInvalid(next) && next.to !== from) events.set(next.to, [...(events.get(next.to) ?? []), event])
    }
    return [...events].flatMap(([to, names]) => arrowsTo(`    ${from} --> ${to}: `, names))
  })
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> unlinked', ...arrows, '```'].join('\n')
}

const ALL_EFFECTS = 3
const DELETE_TOKENS = 'delete-tokens'

/** The marks that the page explains. */
const marksOf = (effects: readonly string[]): string[] => {
  if (effects.length === 0) return []
  if (effects.length === ALL_EFFECTS) return ['†']
  if (effects.length === 1 && effects[0] === DELETE_TOKENS) return ['‡']
  throw new Error(`the page has no mark for ${effects.join(', ')}`)
}
const LETTERS = { provisional: 'P', oauth2: 'O', parent_token: 'C' } as const

const cell = ({ to, effects, signIn }: Transition): string =>
  [`**${to}**`, ...marksOf(effects), ...signIn.map((method) => LETTERS[method])].join(' ')

/** All pairs: the next state, what is done, and how a game gets in from there. */
export function table(): string {
  const reasons: string[] = []
  const rows = ACCOUNT_EVENTS.map((event) => {
    const cells = ACCOUNT_STATES.map((state) => {
      const next = transition(state, event)
      if (!isInvalid(next)) return cell(next)
      if (!reasons.includes(next.invalid)) reasons.push(next.invalid)
      return `never (${reasons.indexOf(next.invalid) + 1})`
    })
    return `| \`${event}\` | ${cells.join(' | ')} |`
  })
  return [
    `| Event | ${ACCOUNT_STATES.map((state) => `in \`${state}\``).join(' | ')} |`,
    `|${'---|'.repeat(ACCOUNT_STATES.length + 1)}`,
    ...rows,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
  ].join('\n')
}
