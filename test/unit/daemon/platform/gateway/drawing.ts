/** The machine as a drawing and its tables as text, for the docs to be held against. Found by walking through all that can happen. */
import { GATEWAY_CLOSE_CODES, type GatewayCloseRow, gatewayCloseRow } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import {
  GATEWAY_PHASES,
  type GatewayInput,
  type GatewayMachine,
  type Moment,
  STOPPED,
} from '../../../../../daemon/src/platform/gateway/machine.ts'
import { step } from '../../../../../daemon/src/platform/gateway/step.ts'

const NOW = 1_000_000_000
const payload = (op: number, d: unknown, t: string | null = null): GatewayInput => ({ kind: 'payload', payload: { op, d, s: 1, t } })
const closed = (code: number | undefined): GatewayInput => ({ kind: 'closed', code, problem: undefined })

/** By the words on the arrows; what depends on the machine's own counters is asked in every state of them. */
const HAPPENINGS: readonly (readonly [string, (machine: GatewayMachine) => GatewayInput])[] = [
  ['start', () => ({ kind: 'start' })],
  ['stop', () => ({ kind: 'stop' })],
  ['address and token', ({ attempt }) => ({ kind: 'asked', attempt, token: new Secret('x'), url: 'wss://gateway.example' })],
  ['none for now', ({ attempt }) => ({ kind: 'unasked', attempt, reason: 'None.', isFinal: false })],
  ['none at all', ({ attempt }) => ({ kind: 'unasked', attempt, reason: 'None.', isFinal: true })],
  ['Hello', () => payload(10, { heartbeat_interval: 41_250 })],
  ['READY', () => payload(0, { session_id: 'a' }, 'READY')],
  ['RESUMED', () => payload(0, {}, 'RESUMED')],
  ['Reconnect', () => payload(7, null)],
  ['Invalid Session', () => payload(9, false)],
  ['unreadable', () => ({ kind: 'unreadable', problem: 'x' })],
  ['no answer', () => ({ kind: 'beat-due' })],
  ['socket gone', () => closed(undefined)],
  ['closed for good', () => closed(GATEWAY_CLOSE_CODES.AUTHENTICATION_FAILED.code)],
  ['time is up', () => ({ kind: 'step-due' })],
]

const MOMENTS: readonly Moment[] = [
  { now: NOW, chance: 0.5, identifyInMs: 0 },
  { now: NOW, chance: 0.5, identifyInMs: 3000 },
  { now: NOW + 15_000, chance: 0.5, identifyInMs: 0 },
  { now: NOW, chance: 0.5, identifyInMs: undefined },
]

/** What decides what can follow; the counters only as far as they do. */
const keyOf = ({ phase, session, beat, failures, refusals, after, pauseMs }: GatewayMachine): string =>
  JSON.stringify([phase, session !== undefined, beat?.isAnswered, Math.min(failures, 2), refusals, after, pauseMs > 0])

/** The arrows between different phases, with all that leads along each. */
function arrows(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const seen = new Map([[keyOf(STOPPED), STOPPED]])
  for (const machine of seen.values())
    for (const moment of MOMENTS)
      for (const [words, happening] of HAPPENINGS) {
        const [next] = step(machine, happening(machine), moment)
        if (!seen.has(keyOf(next))) seen.set(keyOf(next), next)
        if (next.phase === machine.phase) continue
        const arrow = `${machine.phase} --> ${next.phase}`
        found.set(arrow, (found.get(arrow) ?? new Set()).add(words))
      }
  return found
}

const rank = (arrow: string): number => {
  const [from = '', to = ''] = arrow.split(' --> ')
  const place = (name: string): number => GATEWAY_PHASES.findIndex((phase) => phase === name)
  return place(from) * GATEWAY_PHASES.length + place(to)
}

/** A state diagram (mermaid). */
export function drawing(): string {
  const lines = [...arrows()].toSorted(([a], [b]) => rank(a) - rank(b)).map(([arrow, words]) => `    ${arrow}: ${[...words].join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', '    [*] --> stopped', ...lines, '```'].join('\n')
}

const FOLLOWS = { resume: 'connects again and resumes', 'new-session': 'connects again and identifies', end: 'ends' } as const

/** Every close code, and what follows. */
export function closeCodes(): string {
  const rows = Object.values<GatewayCloseRow>(GATEWAY_CLOSE_CODES).map((row) => {
    const todo = row.follow === 'end' ? `. ${row.todo}` : ''
    return `| ${row.code} | ${row.meaning} | ${FOLLOWS[row.follow]}${todo} |`
  })
  const other = gatewayCloseRow(undefined)
  return [
    '| Code | The platform says | The link |',
    '|---|---|---|',
    ...rows,
    `| any other, none | ${other.meaning} | ${FOLLOWS[other.follow]} |`,
  ].join('\n')
}
