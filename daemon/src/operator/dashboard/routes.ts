/** What the dashboard's server answers to each request, by its address and by who sends it. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Figures } from '@sallyport/core/dashboard-messages'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { TcpPeers } from '../../loopback/tcp-peer.ts'
import type { Applications } from '../../platform/applications/applications.ts'
import type { Operate } from '../operations.ts'
import type { StatePublisher } from '../state-publisher.ts'
import { type Action, actionAt } from './actions.ts'
import { type FormCalls, formCallOf } from './form-call.ts'
import type { Verdict } from './request-guard.ts'
import { answerOf, type SandboxControls, sentControlOf } from './sandbox-control.ts'
import type { StateStreams } from './state-stream.ts'
import type { TabKeys } from './tab-keys.ts'
import type { TraceSource, TraceStreams } from './trace-streams.ts'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: OutgoingHttpHeaders
}

/** Undefined: the response has begun and goes on. */
export type Answer = Reply | undefined

/** What the answers are made of. */
export interface DashboardParts {
  readonly peers: TcpPeers
  readonly keys: Pick<TabKeys, 'greet' | 'isSession' | 'newCode' | 'newKey' | 'reloadCode'>
  readonly publisher: Pick<StatePublisher, 'current' | 'watch'>
  readonly applications: Pick<Applications, 'look' | 'image'>
  readonly operate: Operate
  readonly traces: TraceSource
  readonly figures: () => Figures
  /** Undefined for another platform than the sandbox. */
  readonly controls: SandboxControls | undefined
  readonly calls: FormCalls
  /** The last lines of the log. */
  readonly readLog: () => readonly string[]
  readonly log: Logger
}

export interface Exchange extends DashboardParts {
  readonly streams: StateStreams
  readonly traceStreams: TraceStreams
  readonly response: ServerResponse
  /** The JSON of the request; undefined if it is too large, or none. */
  readonly readJson: () => Promise<unknown>
  /** Sends the head of a response that goes on. */
  readonly begin: (type: string) => void
}

export type Route = (exchange: Exchange, address: URL) => Answer | Promise<Answer>

interface RouteRow {
  readonly method: 'GET' | 'POST'
  /** Who may use it. */
  readonly verdicts: readonly Verdict[]
  readonly route: Route
}

const TEXT = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

export const plain = (status: number, body: string): Reply => ({ status, type: TEXT, body })
const WRONG_CALL = plain(400, 'A call needs the name of a command, and arguments that are an object.')
const json = (value: unknown): Reply => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(value) })

const FORBIDDEN = plain(403, 'Only this machine may open the dashboard.')
const NOT_ADMITTED = plain(401, 'This tab is not admitted. Open the dashboard again from the tray, or with: sallyport open')
const DONE = plain(200, 'Done.')
const GONE = plain(404, 'This does not exist any more.')
const TOO_MANY_PAGES = plain(503, 'Too many pages of the dashboard are open. Close one of them.')

/** Loaded when the page opens, because most daemons show none. */
const page: Route = async () => {
  const { contentSecurityPolicy, pageText } = await import('./html.ts')
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: pageText(),
    headers: { 'Content-Security-Policy': contentSecurityPolicy() },
  }
}

const icon: Route = async () => ({ status: 200, type: 'image/svg+xml', body: (await import('./html.ts')).iconText() })

const protocol: Route = async () => ({
  status: 200,
  type: JSON_TYPE,
  body: (await import('./protocol-text.ts')).protocolBytes(),
  headers: { 'Content-Encoding': 'gzip' },
})

const makeCall: Route = async ({ calls, readJson }) => {
  const call = formCallOf(await readJson())
  return call === undefined ? WRONG_CALL : json(await calls.make(call))
}

const sandbox: Route = ({ controls }) => (controls === undefined ? GONE : json({ rows: controls.rows, events: controls.events }))

const control: Route = async ({ controls, readJson }) => {
  const sent = sentControlOf(await readJson())
  const answer = controls === undefined || sent === undefined ? undefined : await answerOf(controls, sent)
  return answer === undefined ? GONE : json(answer)
}

const greet: Route = ({ keys }, { searchParams }) => {
  const greeting = keys.greet(searchParams.get('id') ?? '', searchParams.get('challenge') ?? '')
  return greeting === undefined ? NOT_ADMITTED : json(greeting)
}

/** Who looks at the state wants the accounts in it too. */
const state: Route = async ({ publisher, operate }) => {
  await operate('open-vault')
  return json(publisher.current())
}

/** The page does not wait for the vault: a change follows when it is open. */
const stream: Route = async ({ streams, operate, response, begin }) => {
  if (streams.isFull) return TOO_MANY_PAGES
  begin('text/event-stream; charset=utf-8')
  const opening = operate('open-vault')
  streams.add(response)
  await opening
  return undefined
}

const traces: Route = async ({ traceStreams, response, begin }) => {
  if (traceStreams.isFull) return TOO_MANY_PAGES
  begin('text/event-stream; charset=utf-8')
  await traceStreams.add(response)
  return undefined
}

const BOTH: readonly Verdict[] = ['tool', 'tab']
const THIS_MACHINE: readonly Verdict[] = [...BOTH, 'stranger']

const ROUTES: Readonly<Record<string, RouteRow>> = {
  '/': { method: 'GET', verdicts: THIS_MACHINE, route: page },
  '/icon.svg': { method: 'GET', verdicts: THIS_MACHINE, route: icon },
  '/api/greeting': { method: 'POST', verdicts: THIS_MACHINE, route: greet },
  '/api/keys': { method: 'POST', verdicts: ['tab'], route: ({ keys }) => json(keys.newKey()) },
  '/api/codes': { method: 'POST', verdicts: ['tool'], route: ({ keys }) => json({ code: keys.newCode() }) },
  '/api/state': { method: 'GET', verdicts: BOTH, route: state },
  '/api/state/stream': { method: 'GET', verdicts: BOTH, route: stream },
  '/api/traces/stream': { method: 'GET', verdicts: BOTH, route: traces },
  '/api/protocol': { method: 'GET', verdicts: BOTH, route: protocol },
  '/api/calls': { method: 'POST', verdicts: ['tab'], route: makeCall },
  '/api/sandbox': { method: 'GET', verdicts: BOTH, route: sandbox },
  '/api/sandbox/controls': { method: 'POST', verdicts: ['tab'], route: control },
  '/api/log': { method: 'GET', verdicts: BOTH, route: ({ readLog }) => json(readLog()) },
}

const IMAGE = /^\/api\/images\/([0-9a-f]{32})$/

const image =
  (id: string): Route =>
  ({ applications }) => {
    const found = applications.image(id)
    if (found === undefined) return GONE
    return { status: 200, type: found.type, body: found.bytes }
  }

const act =
  ({ name, id, details }: Action): Route =>
  async ({ operate }) => {
    try {
      return (await operate(name, id, details)) ? DONE : GONE
    } catch (failure) {
      // The choice was wrong, and the sentence says how.
      if (failure instanceof BridgeError && failure.error === 'INVALID_PAYLOAD') return plain(400, failure.message)
      throw failure
    }
  }

function rowOf(address: URL): RouteRow | undefined {
  const { pathname } = address
  const fixed = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined
  if (fixed !== undefined) return fixed
  const [, imageId] = IMAGE.exec(pathname) ?? []
  if (imageId !== undefined) return { method: 'GET', verdicts: BOTH, route: image(imageId) }
  const action = actionAt(address)
  return action && { method: 'POST', verdicts: BOTH, route: act(action) }
}

/** The route of a request, or the reply that rejects it. */
export function routeOf(method: string, address: URL, verdict: Verdict): Route | Reply {
  if (verdict === 'foreign') return FORBIDDEN
  const row = rowOf(address)
  const allowed = row?.method ?? 'GET'
  // Only the page answers HEAD: what others send depends on who asks.
  const isAllowed = method === allowed || (method === 'HEAD' && allowed === 'GET')
  if (!isAllowed) return plain(405, `Only ${allowed} is allowed here.`)
  if (row === undefined || (method === 'HEAD' && row.route !== page)) return plain(404, 'Not found.')
  return row.verdicts.includes(verdict) ? row.route : NOT_ADMITTED
}
