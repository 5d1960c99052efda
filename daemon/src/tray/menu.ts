/** The menu of the tray, as data: a pure function of what the tray knows. Texts of games and users are safe already. */
import type { BridgeState } from '@sallyport/protocol'
import { toDisplayName, toDisplayPath } from '@sallyport/core/display-text'
import { SANDBOX } from '@sallyport/core/platform-names'
import { gameName, type KnownGame, knownGames, placeText } from '@sallyport/core/known-games'
import { pagesToOpen, type PlatformChoice, type TrayAction, type TrayState } from './state.ts'

export interface MenuItem {
  readonly label: string
  /** Absent: the item cannot be chosen. */
  readonly action?: TrayAction
  /** Present: the item has a check mark, or a place for it. */
  readonly isChecked?: boolean
  readonly items?: readonly MenuItem[]
}

/** Groups are separated by a line. */
export type Menu = readonly (readonly MenuItem[])[]

const LABEL_CHARACTERS = 64
const shortPath = (path: string): string => toDisplayPath(path, LABEL_CHARACTERS)
const short = (text: string): string => toDisplayName(text, LABEL_CHARACTERS)

const fact = (label: string): MenuItem => ({ label })
/** Menus do not wrap lines. */
const sentencesOf = (text: string): readonly string[] => text.split(/(?<=\.) /)
const operate = (label: string, action: Extract<TrayAction, { do: 'operate' }>['action'], id?: string): MenuItem => ({
  label,
  action: { do: 'operate', action, ...(id === undefined ? {} : { id }) },
})

type Prompt = BridgeState['prompts'][number]
type Game = BridgeState['games'][number]
type Grant = BridgeState['grants'][number]

/** A prompt about a launch has no program, but a command. */
const programOf = ({ lines, title }: Prompt): string =>
  shortPath(lines.find(({ label }) => label === 'Program' || label === 'Starts')?.text ?? title)

/** The same lines as on every display, so that the answer is as informed; then the answers. */
const promptItem = (prompt: Prompt): MenuItem => ({
  label: `Prompt: ${programOf(prompt)}`,
  items: [
    fact(prompt.title),
    ...prompt.lines.map(({ label, text }) => fact(`${label}: ${shortPath(text)}`)),
    operate('Allow', 'allow', prompt.id),
    operate('Deny', 'deny', prompt.id),
  ],
})

/** The address is the daemon's own, so it is short, and a user may type it. */
const pageItem = ({ lines, url }: BridgeState['pages'][number]): MenuItem => ({
  label: 'Sign in: no browser could be started',
  items: [
    ...lines.map(({ label, text }) => fact(`${label}: ${shortPath(text)}`)),
    fact(url),
    { label: 'Open page', action: { do: 'open-page', url } },
  ],
})

const nameOf = ({ application_name: name, application_id: id }: Pick<Game, 'application_name' | 'application_id'>): string =>
  name ?? `Application ${id}`

type PlaceRow = BridgeState['places'][number]

/** A mark at each place that is chosen; choosing an item adds or removes its place. The last one cannot be removed: that is hiding. */
function placeItems(id: string, chosen: readonly string[] | undefined, places: readonly PlaceRow[], unset: string): readonly MenuItem[] {
  const choose = (ids?: readonly string[]): TrayAction => ({
    do: 'operate',
    action: 'choose-places',
    id,
    ...(ids === undefined ? {} : { places: ids }),
  })
  return [
    { label: unset, isChecked: chosen === undefined, action: choose() },
    ...places.map((place): MenuItem => {
      const isChecked = chosen?.includes(place.id) === true
      const next = isChecked ? chosen.filter((one) => one !== place.id) : [...(chosen ?? []), place.id]
      return { label: short(placeText(place)), isChecked, ...(next.length === 0 ? {} : { action: choose(next) }) }
    }),
  ]
}

/** Menus ask nothing, so the block is one step deeper. */
const choiceItems = ({ id, hidden, chosen_places: chosen }: KnownGame, { places }: BridgeState): readonly MenuItem[] => [
  ...(hidden === undefined
    ? [operate('Hide now', 'hide-now', id), operate('Always hide', 'hide', id)]
    : [operate(hidden === 'hidden' ? 'Show again' : 'Show again (hidden for now)', 'show', id)]),
  { label: 'Show on', items: placeItems(id, chosen, places, 'As every game') },
  { label: 'Block', items: [operate('Block this program: it gets nothing', 'block', id)] },
]

function gameItem(game: Game, known: KnownGame | undefined, state: BridgeState): MenuItem {
  return {
    label: short(game.activity ?? gameName(state, game)),
    items: [
      fact(short(gameName(state, game))),
      fact(game.user === undefined ? 'Not signed in' : `Signed in as ${game.user.username}`),
      fact(shortPath(game.program)),
      ...(game.can_link ? [operate('Link account…', 'link', game.application_id)] : []),
      ...(known?.can_choose === true ? choiceItems(known, state) : []),
    ],
  }
}

function gameItems(state: BridgeState): readonly MenuItem[] {
  const { games, omitted } = state
  const known = knownGames(state)
  const knownOf = (game: Game) => known.find((one) => one.program === game.program && one.application_id === game.application_id)
  return rowsOf(games, (game) => gameItem(game, knownOf(game), state), omitted.games)
}

/** One application links at once; of several, the user selects one. */
function linkItem(games: readonly Game[]): MenuItem {
  const linkable = [...new Map(games.filter((game) => game.can_link).map((game) => [game.application_id, game])).values()]
  const [only, ...others] = linkable
  if (only === undefined) return fact('Link account…')
  if (others.length === 0) return operate('Link account…', 'link', only.application_id)
  return { label: 'Link account', items: linkable.map((game) => operate(short(nameOf(game)), 'link', game.application_id)) }
}

const grantItem = (grant: Grant): MenuItem => ({
  label: short(grant.username === undefined ? nameOf(grant) : `${nameOf(grant)}, ${grant.username}`),
  items: [fact(shortPath(grant.program)), operate(grant.basis === 'blocked' ? 'Lift the block' : 'Revoke', 'revoke', grant.id)],
})

const warningItem = ({ message, advice }: BridgeState['warnings'][number]): MenuItem => ({
  label: short(message),
  items: sentencesOf(`${message} ${advice}`).map(fact),
})

/** More would not fit on a screen. */
const MAX_ITEMS = 24

/** An item per row, and how many are left out here and in the state. */
function rowsOf<Row>(rows: readonly Row[], itemOf: (row: Row) => MenuItem, omitted = 0): readonly MenuItem[] {
  const more = Math.max(0, rows.length - MAX_ITEMS) + omitted
  return [...rows.slice(0, MAX_ITEMS).map(itemOf), ...(more === 0 ? [] : [fact(`${more} more on the dashboard`)])]
}

const counted = (count: number, one: string, many: string): string => `${count === 0 ? 'No' : count} ${count === 1 ? one : many}`

/** One line for the tooltip and the head of the menu. */
export function stateText(state: TrayState): string {
  if (state.kind === 'absent') return 'Sallyport is not running'
  if (state.kind === 'resting') return 'Sallyport waits for the first game'
  const { games, prompts, presence_paused: isPaused } = state.bridge
  if (prompts.length > 0) return `Sallyport: ${counted(prompts.length, 'prompt waits', 'prompts wait')} for you`
  const pages = pagesToOpen(state.bridge).length
  if (pages > 0) return `Sallyport: ${counted(pages, 'page waits', 'pages wait')} for you`
  return `Sallyport: ${counted(games.length, 'game', 'games')} connected${isPaused ? ', presence paused' : ''}`
}

const QUIT: MenuItem = { label: 'Quit tray', action: { do: 'quit' } }
const LOG: MenuItem = { label: 'Show log', action: { do: 'show-log' } }
const DASHBOARD: MenuItem = { label: 'Open dashboard', action: { do: 'open-dashboard' } }

/** A game in the sandbox gets a made-up user, and no other user sees what it plays. */
const NOTES: Readonly<Record<string, string>> = { [SANDBOX]: ' (offline, for tests)' }

/** The running platform has the mark. One that waits for another start is named too. */
function platformItem({ names, set }: PlatformChoice, running = set): MenuItem {
  const all = [...new Set([...names, set, running])]
  return {
    label: running === set ? `Platform: ${short(set)}` : `Platform: ${short(running)}, set to ${short(set)}`,
    items: all.map((name) => ({
      label: `${short(name)}${NOTES[name] ?? ''}`,
      isChecked: name === running,
      ...(names.includes(name) ? { action: { do: 'set-platform', platform: name } as const } : {}),
    })),
  }
}

export function trayMenu(state: TrayState, choice: PlatformChoice): Menu {
  const head = [fact(stateText(state))]
  const platform = platformItem(choice, state.kind === 'connected' ? state.bridge.platform : undefined)
  if (state.kind === 'absent') return [head, [{ label: 'Start Sallyport', action: { do: 'start-bridge' } }, platform, LOG], [QUIT]]
  if (state.kind === 'resting') return [head, [DASHBOARD, platform, LOG], [QUIT]]
  const { games, prompts, grants, omitted, presence_paused: isPaused, warnings, places, chosen_places: chosen } = state.bridge
  return [
    [...head, ...rowsOf(warnings, warningItem, omitted.warnings)],
    rowsOf(prompts, promptItem, omitted.prompts),
    rowsOf(pagesToOpen(state.bridge), pageItem),
    games.length === 0 ? [fact('No game is connected')] : gameItems(state.bridge),
    [
      linkItem(games),
      { label: 'Grants', items: grants.length === 0 ? [fact('No program has a grant')] : rowsOf(grants, grantItem, omitted.grants) },
      ...(places.length === 0 ? [] : [{ label: 'Show games on', items: placeItems('all', chosen, places, 'First desktop client') }]),
      { ...operate('Pause presence', isPaused ? 'resume-presence' : 'pause-presence'), isChecked: isPaused },
    ],
    [DASHBOARD, platform, LOG],
    [operate('Stop Sallyport', 'stop'), QUIT],
  ].filter((group) => group.length > 0)
}

export type IconKind = 'ready' | 'prompt' | 'off'

export function iconOf(state: TrayState): IconKind {
  if (state.kind === 'absent') return 'off'
  const isWaiting = state.kind === 'connected' && (state.bridge.prompts.length > 0 || pagesToOpen(state.bridge).length > 0)
  return isWaiting ? 'prompt' : 'ready'
}
