/** The table of the account machine as a drawing and as text, for the docs to be held against. */
import { ACCOUNT_EVENTS, ACCOUNT_STATES, isImpossible, type Move, nextOf } from '../../../../../daemon/src/auth/accounts/machine.ts'

/** A state diagram (mermaid): each arrow carries every event that leads along it. Events that change nothing are left to the table. */
export function drawing(): string {
  const arrows = ACCOUNT_STATES.flatMap((from) => {
    const events = new Map<string, string[]>()
    for (const event of ACCOUNT_EVENTS) {
      const next = nextOf(from, event)
      if (!isImpossible(next) && next.to !== from) events.set(next.to, [...(events.get(next.to) ?? []), event])
    }
    return [...events].map(([to, names]) => `    ${from} --> ${to}: ${names.join(', ')}`)
  })
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> unlinked', ...arrows, '```'].join('\n')
}

const DUTIES = 3
const done = (duties: readonly string[]): string[] =>
  duties.length === 0 ? [] : [duties.length === DUTIES ? 'all ends' : duties.join(', ')]

const cell = ({ to, duties, signIn }: Move): string =>
  [`**${to}**`, ...done(duties), ...(signIn.length > 0 ? [`→ ${signIn.join(', ')}`] : [])].join('<br>')

/** All pairs: the next state, what is done, and how a game gets in from there. */
export function table(): string {
  const reasons: string[] = []
  const rows = ACCOUNT_EVENTS.map((event) => {
    const cells = ACCOUNT_STATES.map((state) => {
      const next = nextOf(state, event)
      if (!isImpossible(next)) return cell(next)
      if (!reasons.includes(next.impossible)) reasons.push(next.impossible)
      return `never (${reasons.indexOf(next.impossible) + 1})`
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
