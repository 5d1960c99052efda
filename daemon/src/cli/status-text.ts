/** The state of the bridge for people: one line for each fact. Pure. */
import type { BridgeState } from '@sallyport/protocol'
import type { Look } from './help.ts'
import { asColumns } from './wrap.ts'

/** What a game learns is a part of it. */
type State = Partial<BridgeState>

/** The platform of the settings, which a bridge that runs may not have yet. */
export interface ChosenPlatform {
  readonly platform: string
  readonly from: string
}

type Row = readonly [string, string]

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/** `2 h 5 min`, in its two largest units. */
export function durationText(seconds: number): string {
  if (seconds < MINUTE_S) return `${Math.max(0, seconds)} s`
  const days = Math.floor(seconds / DAY_S)
  const hours = Math.floor((seconds % DAY_S) / HOUR_S)
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S)
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

const bridgeRow = ({ version, uptime_s: uptime }: State): Row => [
  'Bridge',
  `running${uptime === undefined ? '' : ` for ${durationText(uptime)}`}${version === undefined ? '' : `, version ${version}`}`,
]

const platformRow = ({ platform = '-' }: State, chosen: ChosenPlatform): Row => [
  'Platform',
  chosen.platform === platform ? platform : `${platform}; the settings say ${chosen.platform}, which a bridge has that starts now`,
]

/** What the user does there is said first, as other players see it. */
function gameText({
  application_name: name,
  application_id: id,
  program_name: program,
  user,
  activity,
}: BridgeState['games'][number]): string {
  const who = user === undefined ? 'not signed in' : `signed in as ${user.username}`
  return `${activity ?? name ?? `application ${id}`} (${program}, ${who})`
}

/** The label stands on the first line only. `none`: the text for an empty list, which has no line without it. */
const list = (label: string, texts: readonly string[], left: number | undefined, none?: string): readonly Row[] => {
  const all = left === undefined ? texts : [...texts, `and ${left} more`]
  return all.length === 0 && none !== undefined ? [[label, none]] : all.map((text, at) => [at === 0 ? label : '', text])
}

function presenceRows({ presence_paused: isPaused, presence_feed: feed }: State): readonly Row[] {
  if (isPaused === undefined) return []
  const pages = feed && [many(feed.pages, 'web page'), feed.address ?? 'no port was free', feed.reason].filter(Boolean).join('; ')
  return [
    ['Presence', isPaused ? 'paused: no activity is shown. To show them again: sallyport presence resume' : 'shown'],
    ...(pages === undefined ? [] : [['Web pages', pages] as const]),
  ]
}

const ANSWER: Row = ['', 'Answer in the tray or on the dashboard.']

/** Native games need no such port. */
const websocketRows = ({ websocket_problem: problem }: State): readonly Row[] => (problem === undefined ? [] : [['Browser games', problem]])

function operatorRows({
  games,
  prompts = [],
  grants = [],
  accounts = [],
  bots = [],
  omitted = {},
  vault_problem: problem,
}: State): readonly Row[] {
  if (games === undefined) return []
  const waiting = prompts.map(({ title, program_name: program }) => (program === undefined ? title : `${program}: ${title}`))
  const stored = `${many(accounts.length + (omitted.accounts ?? 0), 'account')}, ${many(bots.length + (omitted.bots ?? 0), 'bot')}`
  return [
    ...list('Games', games.map(gameText), omitted.games, 'none is connected'),
    ...list('Waits for you', waiting, omitted.prompts),
    ...(waiting.length === 0 ? [] : [ANSWER]),
    ['Signed in', problem ?? stored],
    ['Grants', `${many(grants.length + (omitted.grants ?? 0), 'program')}; to list them: sallyport grants`],
  ]
}

/** Sources that do not run on this machine are no fault, and one that is failing is a warning. */
const warningTexts = ({ warnings = [], peers }: State): readonly string[] => [
  ...warnings.map(({ message, advice }) => `${message} ${advice}`),
  ...(peers?.state === 'unknown' ? [peers.reason ?? 'The system does not identify the programs that connect.'] : []),
]

const WARNING = 'Warning'

export function statusText(state: State, chosen: ChosenPlatform, { columns, paint }: Look): string {
  const rows: readonly Row[] = [
    bridgeRow(state),
    platformRow(state, chosen),
    ...websocketRows(state),
    ...presenceRows(state),
    ...operatorRows(state),
    ...list(WARNING, warningTexts(state), state.omitted?.warnings),
  ]
  const text = asColumns(rows, columns)
  return text.replace(new RegExp(`^( *)${WARNING}`, 'm'), (_, indent: string) => `${indent}${paint('yellow', WARNING)}`)
}
