/**
 * Which events belong to a call, and which calls to an event, by what the traces say: a subscription names its event, and who got an event is
 * known. Nothing says what caused an event of the platform, so the page names what ran at that time. Pure.
 */
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import type { TraceRow } from './trace-list.ts'

export interface Related {
  /** What they are, as a title. */
  readonly title: string
  /** Newest first. */
  readonly rows: readonly TraceRow[]
}

/** Rows below one title. */
export const MOST_RELATED = 20
/** An event that a call causes may come after its response. */
const AFTERWARDS_MS = 250

interface Subscribed {
  readonly connection: number
  readonly event: string
  readonly key: string
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** Equal for equal arguments, as the daemon compares them: null is none, and order does not matter. */
const keyOfArguments = (args: unknown): string =>
  JSON.stringify(
    Object.entries(fieldsOf(args))
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

const ALL_ARGUMENTS = keyOfArguments({})

const callOf = (row: TraceRow): CallTrace | undefined => ('call' in row.trace ? row.trace.call : undefined)
const eventOf = (row: TraceRow): EventTrace | undefined => ('event' in row.trace ? row.trace.event : undefined)

function subscribedBy({ cmd, connection, result, request }: CallTrace, command: 'SUBSCRIBE' | 'UNSUBSCRIBE'): Subscribed | undefined {
  const { evt, args } = fieldsOf(request)
  if (cmd !== command || result !== 'success' || typeof evt !== 'string') return undefined
  return { connection, event: evt, key: keyOfArguments(args) }
}

const isSame = (one: Subscribed, other: Subscribed | undefined): boolean =>
  other !== undefined && one.connection === other.connection && one.event === other.event && one.key === other.key

const brings = ({ connection, event, key }: Subscribed, trace: EventTrace): boolean =>
  trace.event === event &&
  (key === ALL_ARGUMENTS || key === keyOfArguments(trace.args)) &&
  trace.to.some((receiver) => receiver.connection === connection)

const ranAt = ({ at, ms = 0 }: CallTrace, time: number): boolean => at <= time && time <= at + ms + AFTERWARDS_MS

const related = (title: string, rows: readonly TraceRow[]): readonly Related[] =>
  rows.length === 0 ? [] : [{ title, rows: rows.toReversed().slice(0, MOST_RELATED) }]

function ofSubscription(row: TraceRow, subscribed: Subscribed, rows: readonly TraceRow[]): readonly Related[] {
  const end = rows.find((other) => {
    const call = callOf(other)
    return other.at > row.at && call !== undefined && isSame(subscribed, subscribedBy(call, 'UNSUBSCRIBE'))
  })
  const isIn = ({ at }: TraceRow): boolean => at >= row.at && (end === undefined || at <= end.at)
  return related(
    'Events that this subscription brought',
    rows.filter((other) => {
      const event = eventOf(other)
      return event !== undefined && isIn(other) && brings(subscribed, event)
    }),
  )
}

function ofEvent(row: TraceRow, event: EventTrace, rows: readonly TraceRow[]): readonly Related[] {
  /** The last subscription of each connection. */
  const subscriptions = new Map<number, TraceRow>()
  for (const other of rows) {
    const call = callOf(other)
    const subscribed = call && subscribedBy(call, 'SUBSCRIBE')
    if (subscribed !== undefined && other.at <= row.at && brings(subscribed, event)) subscriptions.set(subscribed.connection, other)
  }
  const running = rows.filter((other) => {
    const call = callOf(other)
    return call !== undefined && call.cmd !== 'SUBSCRIBE' && ranAt(call, row.at)
  })
  return [...related('Subscriptions that it went to', [...subscriptions.values()]), ...related('Calls that ran when it came', running)]
}

/** `rows`: oldest first. */
export function relatedTo(row: TraceRow, rows: readonly TraceRow[]): readonly Related[] {
  const event = eventOf(row)
  if (event !== undefined) return ofEvent(row, event, rows)
  const call = callOf(row)
  if (call === undefined) return []
  const subscribed = subscribedBy(call, 'SUBSCRIBE')
  if (subscribed !== undefined) return ofSubscription(row, subscribed, rows)
  return related(
    'Events that came while it ran, or soon after',
    rows.filter((other) => eventOf(other) !== undefined && ranAt(call, other.at)),
  )
}
