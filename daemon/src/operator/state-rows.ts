/** The rows of the bridge's state. Texts of games, users and the platform are made safe to display. A row never has a secret. Pure. */
import type { Activity, BridgeState } from '@sallyport/protocol'
import type { AccountKey } from '@sallyport/core/account-key'
import { escapeInvisible, toDisplayName, toDisplayPath } from '@sallyport/core/display-text'
import { BOT, type ConsentPrompt, hasChoice } from '../auth/consent/consent-prompts.ts'
import { type Line, promptLines, promptTitle, reasonText } from '../auth/consent/prompt-text.ts'
import type { Grant, GrantPresence } from '../auth/grants/grant.ts'
import { LINK_EVENT } from '../events/account-link.ts'
import { isKnown, type Program } from '../identity/program.ts'
import { programName, programText } from '../identity/program-text.ts'
import type { Presence } from '../presence/sink.ts'
import type { Session } from '../sessions/session.ts'
import type { GameInvites } from '../social/game-invites.ts'
import type { OpenPage } from './authorization-pages.ts'

type Row<Name extends 'games' | 'prompts' | 'pages' | 'invites' | 'presences' | 'grants' | 'accounts'> = BridgeState[Name][number]

/** Fields of activities have at most 128 characters. */
const FIELD_CHARACTERS = 128
const ACTIVITY_CHARACTERS = 96
/** Of a button: as many as a game may set. */
const URL_CHARACTERS = 512

/** An object with this field, or without it when there is no such text. */
const field = <Name extends string>(name: Name, text: string | null | undefined, max?: number): Partial<Record<Name, string>> =>
  text ? ({ [name]: toDisplayName(text, max) } as Record<Name, string>) : {}

const linesOf = (lines: readonly Line[]) => lines.map(({ label, text }) => ({ label, text: escapeInvisible(text) }))
/** Shown programs by name; what the name cannot say is behind it. */
const programFields = (program: Program) => ({ program: programText(program), program_name: programName(program) })
/** Whether the user can choose what the program shows. The command line of Sallyport shows nothing. */
const canChoose = (program: Program): boolean => isKnown(program) && program.session === undefined
const scopesOf = (scopes: readonly string[]) => scopes.map((scope) => toDisplayName(scope))

const KINDS: Readonly<Record<number, string>> = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }

/** `Playing Dockside: Sorting crates, Solo`. */
function activityText({ type, name, details, state }: Activity, applicationName: string | undefined): string {
  const rest = [details, state].filter((text) => text).join(', ')
  return `${KINDS[type] ?? 'Playing'} ${name || applicationName || 'a game'}${rest === '' ? '' : `: ${rest}`}`
}

const pidField = (pid: number | undefined) => (pid === undefined ? {} : { pid })

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
    ...programFields(program),
    ...pidField(peer.pid),
    trust: peer.trust,
    ...(signedIn === undefined ? {} : { user: { id: signedIn.userId, username: toDisplayName(signedIn.username) } }),
    ...(activity === undefined ? {} : field('activity', activityText(activity, applicationName), ACTIVITY_CHARACTERS)),
    subscriptions: [...subscriptions],
    can_link: signedIn === undefined && subscriptions.includes(LINK_EVENT.name),
    can_choose: canChoose(program),
  }
}

export const promptRow = (prompt: ConsentPrompt): Row<'prompts'> => ({
  id: prompt.id,
  title: promptTitle(prompt),
  lines: linesOf(promptLines(prompt)),
  asked_at: prompt.askedAt,
  ...pidField(prompt.pid),
  kind: prompt.launch !== undefined ? 'launch' : prompt.userId === BOT.userId ? 'bot' : 'sign-in',
  application_id: prompt.applicationId,
  ...(prompt.program.executable === undefined && prompt.launch !== undefined ? {} : programFields(prompt.program)),
  ...field('username', prompt.username),
  scopes: prompt.launch === undefined ? scopesOf(prompt.scopes) : [],
  why: reasonText(prompt),
  can_choose: hasChoice(prompt),
})

export const pageRow = ({ url, lines, openedAt, pid, browser }: OpenPage): Row<'pages'> => ({
  url,
  lines: linesOf(lines),
  opened_at: openedAt,
  ...pidField(pid),
  browser,
})

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

/** What the daemon knows of a presence besides what the game set. */
interface PresenceFacts {
  readonly username: string | undefined
  /** Undefined for a session that ended. */
  readonly program: Program | undefined
  readonly shown: GrantPresence
  /** Ids of the places where it is shown now. */
  readonly shownOn: readonly string[]
  /** Where the user chose to show this game. */
  readonly places: readonly string[] | undefined
  /** The image that the dashboard serves for an asset of the application. */
  readonly imageOf: (asset: string) => string | undefined
}

function picture(asset: string | undefined, text: string | undefined, { imageOf }: PresenceFacts) {
  if (!asset) return undefined
  const image = imageOf(asset)
  return { ...(image === undefined ? {} : { image }), ...field('text', text, FIELD_CHARACTERS) }
}

/** A presence contains join secrets, so its row is made field by field. */
export function presenceRow({ applicationId, sessionId, stored }: Presence, facts: PresenceFacts): Row<'presences'> {
  const { type, name, details, state, timestamps, party, assets, buttons, metadata } = stored.activity
  const { username, program, shown, shownOn, places } = facts
  const [size, max] = party?.size ?? []
  const large = picture(assets?.large_image, assets?.large_text, facts)
  const small = picture(assets?.small_image, assets?.small_text, facts)
  const urls = metadata?.button_urls ?? []
  return {
    connection: sessionId,
    application_id: applicationId,
    ...field('username', username),
    type,
    ...field('name', name, FIELD_CHARACTERS),
    ...field('details', details, FIELD_CHARACTERS),
    ...field('state', state, FIELD_CHARACTERS),
    ...(timestamps?.start === undefined ? {} : { started_at: timestamps.start }),
    ...(timestamps?.end === undefined ? {} : { ends_at: timestamps.end }),
    ...(size === undefined || max === undefined ? {} : { party: { size, max } }),
    ...(large === undefined ? {} : { large_picture: large }),
    ...(small === undefined ? {} : { small_picture: small }),
    ...(buttons?.length
      ? { buttons: buttons.map((label, at) => ({ label: toDisplayName(label), url: toDisplayPath(urls[at] ?? '', URL_CHARACTERS) })) }
      : {}),
    ...(shown === 'shown' ? {} : { hidden: shown }),
    can_choose: program !== undefined && canChoose(program),
    ...(shownOn.length === 0 ? {} : { shown_on: [...shownOn] }),
    ...(places === undefined ? {} : { chosen_places: [...places] }),
  }
}

/** A desktop client that the bridge has met. */
export interface SeenClient {
  readonly id: string
  readonly username: string | undefined
  readonly build: string | undefined
  readonly packaging: string | undefined
  readonly isRunning: boolean
}

export const clientRow = ({ id, username, build, packaging, isRunning }: SeenClient): BridgeState['places'][number] => ({
  id,
  kind: 'client',
  ...field('username', username),
  ...field('build', build),
  ...field('package', packaging),
  running: isRunning,
})

interface StoredAccount extends AccountKey {
  readonly scopes: readonly string[]
}

/** The two ids of an account as one, for actions. */
const accountIdOf = ({ applicationId, userId }: AccountKey): string => `${applicationId}-${userId}`

export function accountOfId(id: string): AccountKey | undefined {
  const [applicationId, userId, ...rest] = id.split('-')
  return applicationId && userId && rest.length === 0 ? { applicationId, userId } : undefined
}

export const accountRow = (account: StoredAccount, username: string | undefined): Row<'accounts'> => ({
  id: accountIdOf(account),
  application_id: account.applicationId,
  user_id: account.userId,
  ...field('username', username),
  scopes: scopesOf(account.scopes),
})

export const grantRow = (grant: Grant): Row<'grants'> => ({
  id: grant.id,
  application_id: grant.applicationId,
  ...field('application_name', grant.applicationName),
  user_id: grant.userId,
  ...field('username', grant.username),
  ...programFields(grant.program),
  basis: grant.basis,
  scopes: scopesOf(grant.scopes),
  ...(grant.deniedScopes.length === 0 ? {} : { denied_scopes: scopesOf(grant.deniedScopes) }),
  ...(grant.presence === 'shown' ? {} : { presence: grant.presence }),
  ...(grant.lasts === 'kept' ? {} : { lasts: grant.lasts }),
  ...(grant.places === undefined ? {} : { chosen_places: [...grant.places] }),
  granted_at: grant.grantedAt,
  last_used_at: grant.lastUsedAt,
})
