/** Calls and an event as the page of calls shows them. */
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import type { DashboardOptions } from '#daemon/src/operator/dashboard/server.ts'

const APPLICATION = '1409811209381122048'
const at = (second: number): number => Date.UTC(2026, 10, 28, 9, 12, second)

const CALLS: readonly CallTrace[] = [
  {
    id: 'c7-4',
    kept: 'whole',
    at: at(9),
    connection: 7,
    application_id: APPLICATION,
    pid: 4711,
    cmd: 'GET_CURRENT_USER_GUILDS',
    result: 'error',
    request: { cmd: 'GET_CURRENT_USER_GUILDS', nonce: '7', args: {} },
    request_bytes: 56,
    scopes: { required: [['guilds']], missing: [], held: ['guilds'] },
    token: { kind: 'user', user_id: '5', reason: 'GET_CURRENT_USER_GUILDS acts for the signed-in user.' },
    waits: [{ on: 'the rate-limit bucket of GET_CURRENT_USER_GUILDS', after_ms: 0.2, ms: 30 }],
    requests: [
      { method: 'GET', path: '/users/@me/guilds', status: 502, after_ms: 30.4, ms: 21.3 },
      { method: 'GET', path: '/users/@me/guilds', status: 429, after_ms: 64.2, ms: 12.1 },
    ],
    error: { code: 5011, message: 'The platform limits this call; try again in 3600 s.', retry_after: 3600 },
    response_bytes: 190,
    ms: 76.9,
  },
  {
    id: 'c7-3',
    kept: 'whole',
    at: at(5),
    connection: 7,
    application_id: APPLICATION,
    cmd: 'SET_ACTIVITY',
    result: 'success',
    request: { cmd: 'SET_ACTIVITY', args: { activity: { state: 'At the pier' } } },
    request_bytes: 90,
    response: { state: 'At the pier' },
    response_bytes: 130,
    ms: 0.4,
  },
  {
    id: 'c7-1',
    kept: 'failure',
    at: at(1),
    connection: 7,
    application_id: APPLICATION,
    cmd: 'GET_GUILD',
    result: 'error',
    error: { code: 4006, message: 'Sign in first.' },
  },
]

const EVENTS: readonly EventTrace[] = [
  {
    id: 'e3',
    at: at(7),
    event: 'LOBBY_MESSAGE',
    args: {},
    origin: 'bridge',
    data: { content: 'Ahoy' },
    delivered: 1,
    to: [{ connection: 7, application_id: APPLICATION }],
    withheld: [{ connection: 8, application_id: APPLICATION, reason: 'copy' }],
  },
]

/** Of a daemon's calls, newest first. */
export const SAMPLE_TRACES = { calls: CALLS, events: EVENTS }

/** What else the page of calls shows: figures that grow, and the controls of a sandbox. */
export const SAMPLE_CALLS_PAGE = {
  figures: () => ({
    calls: Math.floor(performance.now() / 10),
    events: Math.floor(performance.now() / 100),
    share: 0.25,
    skipped: 0,
    memory: 50 * 1024 * 1024,
    buckets: [{ command: 'GET_CURRENT_USER_GUILDS', limit: 5, free: 1, waiting: 2 }],
  }),
  controls: {
    rows: [
      { method: 'POST', path: '/sandbox/faults', does: 'lets the next requests fail', body: { match: { path: '/users/@me' }, times: 2 } },
    ],
    events: ['MESSAGE_CREATE'],
    send: async () => ({ status: 201, body: '{"waiting":1}' }),
  },
} satisfies Partial<DashboardOptions>
