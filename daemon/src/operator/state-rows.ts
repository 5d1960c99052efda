/** The rows of the bridge's state. Texts of games, users and the platform are made safe to display. A row never has a secret. Pure. */
import type { Activity, BridgeState } from '@sallyport/protocol'
import { escapeInvisible, toDisplayName } from '@sallyport/core/display-text'
import type { ConsentPrompt } from '../auth/consent/consent-prompts.ts'
import { type Line, promptLines, promptTitle } from '../auth/consent/prompt-text.ts'
import type { Grant } from '../auth/grants/grant.ts'
import { LINK_EVENT } from '../events/account-link.ts'
import { programText } from '../identity/program-text.ts'
import type { Presence } from '../presence/sink.ts'
import type { Session } from '../sessions/session.ts'
import type { GameInvites } from '../social/game-invites.ts'
import type { OpenPage } from './authorization-pages.ts'

type Row<Name extends 'games' | 'prompts' | 'pages' | 'invites' | 'presences' | 'grants'> = BridgeState[Name][number]

/** Fields of activities have at most 128 characters. */
const FIELD_CHARACTERS = 128
const ACTIVITY_CHARACTERS = 96

/** An object with this field, or without it when there is no such text. */
const field = <Name extends string>(name: Name, text: string | null | undefined, max?: number): Partial<Record<Name, string>> =>
  text ? ({ [name]: toDisplayName(text, max) } as Record<Name, string>) : {}

const linesOf = (lines: readonly Line[]) => lines.map(({ label, text }) => ({ label, text: escapeInvisible(text) }))
const scopesOf = (scopes: readonly string[]) => scopes.map((scope) => toDisplayName(scope))

const KINDS: Readonly<Record<number, string>> = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }

/** `Playing Dockside: Sorting crates, Solo`. */
function activityText({ type, name, details, state }: Activity, applicationName: string | undefined): string {
  const rest = [details, state].filter((text) => text).join(', ')
  return `${KINDS[type] ?? 'Playing'} ${name || applicationName || 'a game'}${rest === '' ? '' : `: ${rest}`}`
}

/** What the daemon knows of a game besides its session. */
interface GameFacts {
  readonly applicationName: string | undefined
  /** What it set, whether or not it is shown. */
  readonly activity: Activity | undefined
  readonly subscriptions: readonly string[]
}

export function gameRow({ applicationId, connection, program, signedIn }: Session, facts: GameFacts): Row<'games'> {
  const { id, peer } = connection
  const { applicationName, activity, subscriptions } = facts
  return {
    connection: id,
    application_id: applicationId,
    ...field('application_name', applicationName),
    program: programText(program),
    ...(peer.pid === undefined ? {} : { pid: peer.pid }),
    trust: peer.trust,
    ...(signedIn === undefined ? {} : { user: { id: signedIn.userId, username: toDisplayName(signedIn.username) } }),
    ...(activity === undefined ? {} : field('activity', activityText(activity, applicationName), ACTIVITY_CHARACTERS)),
    subscriptions: [...subscriptions],
    can_link: signedIn === undefined && subscriptions.includes(LINK_EVENT.name),
  }
}

export const promptRow = (prompt: ConsentPrompt): Row<'prompts'> => ({
  id: prompt.id,
  title: promptTitle(prompt),
  lines: linesOf(promptLines(prompt)),
  asked_at: prompt.askedAt,
})

export const pageRow = ({ url, lines, openedAt }: OpenPage): Row<'pages'> => ({ url, lines: linesOf(lines), opened_at: openedAt })

export function inviteRow({ account, invite, cover }: ReturnType<GameInvites['openInvites']>[number]): Row<'invites'> {
  const { name, type = 0, details, state } = invite.shown
  return {
    id: invite.messageId,
    application_id: invite.applicationId,
    ...field('application_name', invite.applicationName),
    user_id: account.userId,
    sender: toDisplayName(invite.author.username),
    activity: {
      type,
      ...field('name', name, FIELD_CHARACTERS),
      ...field('details', details, FIELD_CHARACTERS),
      ...field('state', state, FIELD_CHARACTERS),
    },
    ...(cover === undefined ? {} : { cover: escapeInvisible(cover) }),
  }
}

/** A presence contains join secrets, so its row is made field by field. */
export function presenceRow({ applicationId, stored }: Presence, username: string | undefined): Row<'presences'> {
  const { type, name, details, state, timestamps, party } = stored.activity
  const [size, max] = party?.size ?? []
  return {
    application_id: applicationId,
    ...field('username', username),
    type,
    ...field('name', name, FIELD_CHARACTERS),
    ...field('details', details, FIELD_CHARACTERS),
    ...field('state', state, FIELD_CHARACTERS),
    ...(timestamps?.start === undefined ? {} : { started_at: timestamps.start }),
    ...(timestamps?.end === undefined ? {} : { ends_at: timestamps.end }),
    ...(size === undefined || max === undefined ? {} : { party: { size, max } }),
  }
}

export const grantRow = (grant: Grant): Row<'grants'> => ({
  id: grant.id,
  application_id: grant.applicationId,
  ...field('application_name', grant.applicationName),
  user_id: grant.userId,
  ...field('username', grant.username),
  program: programText(grant.program),
  basis: grant.basis,
  scopes: scopesOf(grant.scopes),
  ...(grant.deniedScopes.length === 0 ? {} : { denied_scopes: scopesOf(grant.deniedScopes) }),
  ...(grant.presence === 'shown' ? {} : { presence: grant.presence }),
  ...(grant.lasts === 'kept' ? {} : { lasts: grant.lasts }),
  granted_at: grant.grantedAt,
  last_used_at: grant.lastUsedAt,
})
