/** Cards of the dashboard: presences, prompts, consent pages and invites. */
import type { BridgeState } from '@sallyport/protocol'
import { button, code, definitions, linkTo, make, named, soft } from './dom.ts'

type Prompt = BridgeState['prompts'][number]
type Presence = BridgeState['presences'][number]

const KINDS: Readonly<Record<number, string>> = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }

/** Minutes and seconds, with hours if there are any. */
function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const twoDigits = (count: number): string => String(count).padStart(2, '0')
  const hours = seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : ''
  return `${hours}${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}

function timeOf({ started_at: startedAt, ends_at: endsAt }: Presence): string | undefined {
  if (endsAt !== undefined) return `${clock(endsAt - Date.now())} left`
  return startedAt === undefined ? undefined : `${clock(Date.now() - startedAt)} elapsed`
}

const line = (className: string, text: string | undefined): HTMLElement | undefined =>
  text === undefined ? undefined : make('div', className, text)

const stateOf = ({ state, party }: Presence): string | undefined =>
  state === undefined || party === undefined ? state : `${state} (${party.size} of ${party.max})`

export const presenceCard = (card: Presence): HTMLElement =>
  make(
    'div',
    'card',
    line('kind', KINDS[card.type] ?? 'Activity'),
    line('name', card.name ?? `Application ${card.application_id}`),
    line('', card.details),
    line('', stateOf(card)),
    make('div', 'meta', card.username === undefined ? undefined : named(card.username), line('', timeOf(card))),
  )

/** All games share one pause, so the path has no id of its own. */
export const pauseButton = (isPaused: boolean): HTMLElement =>
  isPaused ? button('Resume presence', '/api/presence/all/resume') : button('Pause presence', '/api/presence/all/pause')

const fields = (lines: Prompt['lines']): HTMLElement => definitions(lines.map(({ label, text }) => [label, named(text)]))

export const promptCard = ({ id, title, lines }: Prompt): HTMLElement =>
  make(
    'div',
    'card ask',
    make('p', 'title', title, ' ', soft(`prompt ${id}`)),
    fields(lines),
    make('div', 'acts', button('Allow', `/api/prompts/${id}/allow`), button('Deny', `/api/prompts/${id}/deny`)),
  )

export const pageCard = ({ url, lines }: BridgeState['pages'][number]): HTMLElement =>
  make('div', 'card ask', make('p', 'title', 'A program requests sign-in: ', linkTo(url, 'open page')), fields(lines))

/** A link, not an image: the sender chose the URL, and must not learn when the dashboard is open. */
const coverOf = (cover: string): HTMLElement =>
  /^https?:/i.test(cover) ? make('p', '', linkTo(cover, 'cover image')) : make('p', '', 'cover image ', code(cover))

export const inviteCard = ({ id, activity, cover, sender, ...invite }: BridgeState['invites'][number]): HTMLElement =>
  make(
    'div',
    'card ask',
    make(
      'p',
      '',
      named(sender),
      ' invites user ',
      code(invite.user_id),
      ' to ',
      named(invite.application_name ?? `application ${invite.application_id}`),
      '.',
    ),
    activity.name === undefined ? undefined : make('div', 'name', `${KINDS[activity.type] ?? 'Activity'} ${activity.name}`),
    line('', activity.details),
    line('', activity.state),
    cover === undefined ? undefined : coverOf(cover),
    make('div', 'acts', button('Join', `/api/invites/${id}/accept`)),
  )
