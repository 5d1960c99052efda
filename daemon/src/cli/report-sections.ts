/**
 * What `sallyport bugreport` takes from the running bridge. Only fields that are named here go into a report: texts, names and ids of users,
 * and responses stay out, and of requests only their form is shown. Pure.
 */
import type { BridgeState, CallTrace } from '@sallyport/protocol'
import { type TracedMessage, withoutTexts } from './report-texts.ts'

/** A part of a report. */
export interface Section {
  readonly name: string
  /** What it holds, for the user who decides. */
  readonly holds: string
  readonly lines: readonly string[]
}

const FACTS = [
  ...(['version', 'contract', 'platform', 'uptime_s', 'ipc', 'websocket', 'peers', 'web_users_checked'] as const),
  ...(['presence_paused', 'presence_feed', 'vault_problem', 'counters', 'omitted'] as const),
] as const satisfies readonly (keyof BridgeState)[]
const GAME = ['connection', 'application_id', 'program', 'pid', 'trust', 'subscriptions'] as const
const COUNTED = ['prompts', 'pages', 'invites', 'presences', 'grants', 'accounts', 'bots'] as const satisfies readonly (keyof BridgeState)[]
const CALL = [
  ...(['id', 'kept', 'at', 'connection', 'application_id', 'pid', 'cmd', 'result', 'scopes', 'waits', 'requests'] as const),
  ...(['request_bytes', 'response_bytes', 'error', 'ms'] as const),
] as const satisfies readonly (keyof CallTrace)[]

const picked = <T extends object>(value: T, keys: readonly (keyof T)[]): object =>
  Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]))

/** One line per fact, game, provider and warning. */
export const stateLines = (state: BridgeState): readonly string[] => [
  JSON.stringify(picked(state, FACTS)),
  JSON.stringify({ counts: Object.fromEntries(COUNTED.map((name) => [name, state[name].length])) }),
  ...state.games.map((game) => JSON.stringify({ game: picked(game, GAME) })),
  ...state.providers.map((provider) => JSON.stringify({ provider })),
  ...state.warnings.map((warning) => JSON.stringify({ warning })),
]

/** One line per call, newest first. */
export const traceLines = (calls: readonly CallTrace[]): readonly string[] =>
  calls.map((call) => {
    const { token, request } = call
    return JSON.stringify({
      ...picked(call, CALL),
      ...(request === undefined ? {} : { request: withoutTexts(request as TracedMessage) }),
      ...(token === undefined ? {} : { token: { kind: token.kind, reason: token.reason } }),
    })
  })

/** The file. `home`: the home folder of the user, which names them; shown as `~`. */
export function reportText(sections: readonly Section[], home: string): string {
  const text = sections.map(({ name, holds, lines }) => `== ${name}: ${holds}\n${lines.map((line) => `${line}\n`).join('')}`).join('\n')
  // In JSON a backslash of Windows is two.
  return [home, JSON.stringify(home).slice(1, -1)].reduce((before, path) => (path.length > 1 ? before.replaceAll(path, '~') : before), text)
}

const NAME_WIDTH = 10
const COUNT_WIDTH = 6

/** One line per section. */
export const listed = (sections: readonly Section[]): readonly string[] =>
  sections.map(({ name, holds, lines }) => `${name.padEnd(NAME_WIDTH)}${String(lines.length).padStart(COUNT_WIDTH)} lines  ${holds}`)
