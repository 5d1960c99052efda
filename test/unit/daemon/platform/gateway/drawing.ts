/** The state machine as a diagram and its tables as text, for comparison with the docs. Found by exploring all transitions. */
import { GATEWAY_CLOSE_CODES, type GatewayCloseRow, gatewayCloseRow } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { GATEWAY_PHASES, type GatewayInput, type GatewayMachine, type StepContext, STOPPED } from '#daemon/src/platform/gateway/machine.ts'
import { step } from '#daemon/src/platform/gateway/step.ts'

const NOW = 1_000_000_000
const payload = (op: number, d: unknown, t: string | null = null): GatewayInput => ({ kind: 'payload', payload: { op, d, s: 1, t } })
const closed = (code: number | undefined): GatewayInput => ({ kind: 'closed', code, problem: undefined })

/** Inputs by arrow label. Inputs that depend on counters are applied in every state of them. */
const INPUTS: readonly (readonly [string, (machine: GatewayMachine) => GatewayInput])[] = [
  ['start', () => ({ kind: 'start' })],
  ['stop', () => ({ kind: 'stop' })],
  ['address and token', ({ attempt }) => ({ kind: 'resolved', attempt, token: new Secret('x'), url: 'wss://gateway.example' })],
  ['none for now', ({ attempt }) => ({ kind: 'resolve-failed', attempt, reason: 'None.', isFinal: false })],
  ['none at all', ({ attempt }) => ({ kind: 'resolve-failed', attempt, reason: 'None.', isFinal: true })],
  ['Hello', () => payload(10, { heartbeat_interval: 41_250 })],
  ['READY', () => payload(0, { session_id: 'a' }, 'READY')],
  ['RESUMED', () => payload(0, {}, 'RESUMED')],
  ['Reconnect', () => payload(7, null)],
  ['Invalid Session', () => payload(9, false)],
  ['unreadable', () => ({ kind: 'unreadable', problem: 'x' })],
  ['no answer', () => ({ kind: 'heartbeat-due' })],
  ['socket gone', () => closed(undefined)],
  ['closed for good', () => closed(GATEWAY_CLOSE_CODES.AUTHENTICATION_FAILED.code)],
  ['time is up', () => ({ kind: 'phase-due' })],
]

const CONTEXTS: readonly StepContext[] = [
  { now: NOW, jitter: 0.5, msUntilIdentify: 0 },
  { now: NOW, jitter: 0.5, msUntilIdentify: 3000 },
  { now: NOW + 15_000, jitter: 0.5, msUntilIdentify: 0 },
  { now: NOW, jitter: 0.5, msUntilIdentify: undefined },
]

/** The part of the state that determines the next transitions. */
const keyOf = ({ phase, session, heartbeat, failures, refusals, after, backoffMs }: GatewayMachine): string =>
  JSON.stringify([phase, session !== undefined, heartbeat?.isAnswered, Math.min(failures, 2), refusals, after, backoffMs > 0])

/** The arrows between different phases, with their labels. */
function arrows(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const seen = new Map([[keyOf(STOPPED), STOPPED]])
  for (const machine of seen.values())
    for (const context of CONTEXTS)
      for (const [label, input] of INPUTS) {
        const [next] = step(machine, input(machine), context)
        if (!seen.has(keyOf(next))) seen.set(keyOf(next), next)
        if (next.phase === machine.phase) continue
        const arrow = `${machine.phase} --> ${next.phase}`
        found.set(arrow, (found.get(arrow) ?? new Set()).add(label))
      }
  return found
}

const rank = (arrow: string): number => {
  const [from = '', to = ''] = arrow.split(' --> ')
  const place = (name: string): number => GATEWAY_PHASES.findIndex((phase) => phase === name)
  return place(from) * GATEWAY_PHASES.length + place(to)
}

/** Columns of the page. */
const WIDTH = 100

/** Splits an arrow into several if its labels need more lines. */
function drawn(arrow: string, words: Iterable<string>): string[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)}, ${word}`
    if (lines.length > 0 && longer.length <= WIDTH) lines[lines.length - 1] = longer
    else lines.push(`    ${arrow}: ${word}`)
  }
  return lines
}

/** A state diagram (mermaid). */
export function drawing(): string {
  const lines = [...arrows()].toSorted(([a], [b]) => rank(a) - rank(b)).flatMap(([arrow, words]) => drawn(arrow, words))
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> stopped', ...lines, '```'].join('\n')
}

const FOLLOWS = { resume: 'reconnects and resumes', 'new-session': 'reconnects and identifies', end: 'ends' } as const

/** Every close code with its action, and advice for those that end the connection. */
export function closeCodes(): string {
  const rows = Object.values<GatewayCloseRow>(GATEWAY_CLOSE_CODES)
  const other = gatewayCloseRow(undefined)
  return [
    '| Code | Reason | The daemon |',
    '|---|---|---|',
    ...rows.map((row) => `| ${row.code} | ${row.meaning} | ${FOLLOWS[row.follow]} |`),
    `| any other, none | ${other.meaning} | ${FOLLOWS[other.follow]} |`,
    '',
    '| Code | What to do |',
    '|---|---|',
    ...rows.flatMap((row) => (row.follow === 'end' ? [`| ${row.code} | ${row.todo} |`] : [])),
  ].join('\n')
}
