/** The story of one call or event, as lines for a terminal. Pure. */
import { remedyOf } from '@sallyport/core/call-remedy'
import { escapeInvisible } from '@sallyport/core/display-text'
import type { CallTrace, EventTrace } from '@sallyport/protocol'

const TIME_FROM = 11
const TIME_TO = 23
const WIDTH = 12
const MOST_TEXT = 300

const line = (title: string, text: string): string => `${title.padEnd(WIDTH)}${escapeInvisible(text)}`
const short = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}
const timeOf = (at: number): string => new Date(at).toISOString().slice(TIME_FROM, TIME_TO)
const setsText = (sets: readonly (readonly string[])[]): string => sets.map((set) => set.join(' + ')).join(' or ') || 'none'
const bytesText = (bytes: number | undefined): string => (bytes === undefined ? '' : ` (${bytes} bytes)`)

function resultText({ result, error }: CallTrace): string {
  if (error === undefined) return result === 'pending' ? 'no response yet' : 'success'
  return `error ${error.code}: ${error.message ?? 'no message'}`
}

function scopesLine({ required, missing }: NonNullable<CallTrace['scopes']>): string {
  return line('scopes', `requires ${setsText(required)}; ${missing.length === 0 ? 'held' : `missing: ${missing.join(', ')}`}`)
}

/** What the error says beside its message. */
function detailLines({ error }: CallTrace): readonly string[] {
  if (error === undefined) return []
  const { path, http_status: status, platform_code: code, retry_after: retryAfter } = error
  return [
    ...(path === undefined || path === '' ? [] : [line('argument', path)]),
    ...(status === undefined ? [] : [line('platform', `HTTP ${status}${code === undefined ? '' : `, code ${code}`}`)]),
    ...(retryAfter === undefined ? [] : [line('retry', `after ${retryAfter} s`)]),
  ]
}

/** Lines that name subscribers, before the rest is counted. */
const MOST_SUBSCRIBERS = 5

/** One line for a list of calls. */
export const summaryOf = (call: CallTrace): string =>
  [timeOf(call.at), call.id, call.application_id ?? '-', call.cmd, resultText(call)].map(escapeInvisible).join('  ')

export function storyOf(call: CallTrace): readonly string[] {
  const { id, kept, at, application_id: application, pid, cmd, scopes, token, waits = [], requests = [], ms } = call
  const remedy = remedyOf(call)
  return [
    line('call', `${id} ${cmd}`),
    line('game', `application ${application ?? 'unknown'}${pid === undefined ? '' : `, process ${pid}`}`),
    line(kept === 'whole' ? 'came' : 'failed', `${timeOf(at)} UTC`),
    ...(call.request_bytes === undefined ? [] : [line('request', `${short(call.request ?? 'too large')}${bytesText(call.request_bytes)}`)]),
    ...(scopes === undefined ? [] : [scopesLine(scopes)]),
    ...(token === undefined
      ? []
      : [line('token', `${token.kind}${token.user_id === undefined ? '' : ` ${token.user_id}`}: ${token.reason}`)]),
    ...waits.map((wait) => line('wait', `${wait.ms} ms for ${wait.on}`)),
    ...requests.map((one) => line('HTTP', `${one.method} ${one.path} → ${one.status ?? one.failure ?? 'failed'}, ${one.ms} ms`)),
    line('result', `${resultText(call)}${ms === undefined ? '' : `, ${ms} ms`}`),
    ...detailLines(call),
    ...(remedy === undefined ? [] : [line('to do', remedy)]),
    ...(call.response === undefined ? [] : [line('response', `${short(call.response)}${bytesText(call.response_bytes)}`)]),
    ...(kept === 'failure'
      ? [
          line(
            'kept',
            'only the failure, because no operator watched. While `sallyport inspect` runs, and with `sallyport run --trace on`, calls are kept whole.',
          ),
        ]
      : []),
  ]
}

/** One line for a list of events. */
export const eventSummaryOf = ({ at, id, event, origin, delivered, withheld }: EventTrace): string =>
  [timeOf(at), id, origin, event, `to ${delivered}`, ...(withheld.length === 0 ? [] : [`not to ${withheld.length}`])]
    .map(escapeInvisible)
    .join('  ')

const REASONS: Readonly<Record<EventTrace['withheld'][number]['reason'], string>> = {
  copy: 'dropped as a copy, because another origin had brought it',
  scopes: 'lacks a scope that the event requires',
  unchanged: 'has this value already',
}

function subscriberLines(title: string, all: number, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_SUBSCRIBERS)
  return [...shown.map((text) => line(title, text)), ...(all > shown.length ? [line(title, `${all - shown.length} more`)] : [])]
}

const subscriberText = ({ connection, application_id: application }: EventTrace['to'][number]): string =>
  `connection ${connection}${application === undefined ? '' : `, application ${application}`}`

export const eventStoryOf = ({ id, at, event, args, origin, data, delivered, to, withheld }: EventTrace): readonly string[] => [
  line('event', `${id} ${event}`),
  line('from', origin),
  line('came', `${timeOf(at)} UTC`),
  line('arguments', short(args)),
  line('data', data === undefined ? 'too large' : short(data)),
  ...(delivered === 0 ? [line('to', 'no game')] : subscriberLines('to', delivered, to.map(subscriberText))),
  ...subscriberLines(
    'not to',
    withheld.length,
    withheld.map((one) => `${subscriberText(one)}: ${REASONS[one.reason]}`),
  ),
]
