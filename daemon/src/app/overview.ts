/** The overview of the running bridge for operators. Every text of games, users and the platform is made safe to display. */
import { BUDGETS } from '@sallyport/core/budgets'
import { toDisplayName } from '@sallyport/core/display-text'
import type { ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { promptLines, promptTitle } from '../auth/consent/prompt-text.ts'
import { LINK_EVENT } from '../events/account-link.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import { programText } from '../identity/program-text.ts'
import type { Warnings } from '../platform/api/warnings.ts'
import type { PresenceArbiter } from '../presence/arbiter.ts'
import type { PresenceOwner } from '../presence/sink.ts'
import type { Overview } from '../rpc/bridge-watch.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Session } from '../sessions/session.ts'

export interface OverviewParts {
  readonly version: string
  readonly platform: string
  readonly registry: Pick<SessionRegistry, 'all'>
  readonly hub: Pick<SubscriptionRegistry<Session>, 'selectorsOf'>
  readonly arbiter: Pick<PresenceArbiter, 'of' | 'isPaused'>
  readonly userOf: (sessionId: number) => string | undefined
  readonly grants: Pick<Grants, 'live' | 'applicationName'>
  readonly prompts: Pick<ConsentPrompts, 'pending'>
  readonly warnings: Pick<Warnings, 'current'>
}

const KINDS: Readonly<Record<number, string>> = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }
const ACTIVITY_CHARACTERS = 96

/** `Playing Dockside: Sorting crates, Solo`. */
function activityText({ arbiter, grants }: OverviewParts, owner: PresenceOwner): string | undefined {
  const activity = arbiter.of(owner)?.stored.activity
  if (activity === undefined) return undefined
  const name = activity.name || grants.applicationName(owner.applicationId) || 'a game'
  const rest = [activity.details, activity.state].filter((text) => text).join(', ')
  return toDisplayName(`${KINDS[activity.type] ?? 'Playing'} ${name}${rest === '' ? '' : `: ${rest}`}`, ACTIVITY_CHARACTERS)
}

const named = (name: string | undefined) => (name === undefined ? {} : { application_name: toDisplayName(name) })

function gameRow(parts: OverviewParts, session: Session): Overview['games'][number] {
  const { applicationId, signedIn, connection } = session
  const activity = activityText(parts, { applicationId, userId: parts.userOf(connection.id) })
  return {
    application_id: applicationId,
    ...named(parts.grants.applicationName(applicationId)),
    program: programText(session.program),
    ...(connection.peer.pid === undefined ? {} : { pid: connection.peer.pid }),
    ...(signedIn === undefined ? {} : { username: toDisplayName(signedIn.username) }),
    ...(activity === undefined ? {} : { activity }),
    can_link: signedIn === undefined && parts.hub.selectorsOf(session).some(({ name }) => name === LINK_EVENT.name),
  }
}

const MAX_ROWS = BUDGETS.overviewRows.value
const first = <Row>(rows: readonly Row[]): readonly Row[] => rows.slice(0, MAX_ROWS)

export function bridgeOverview(parts: OverviewParts): Overview {
  const { version, platform, registry, arbiter, grants, prompts, warnings } = parts
  const lists = { sessions: registry.all(), prompts: prompts.pending(), grants: grants.live() }
  return {
    version,
    platform,
    presence_paused: arbiter.isPaused,
    games: first(lists.sessions).map((session) => gameRow(parts, session)),
    prompts: first(lists.prompts).map((prompt) => ({
      id: prompt.id,
      title: promptTitle(prompt),
      lines: promptLines(prompt).map((line) => ({ ...line })),
    })),
    grants: first(lists.grants).map(({ id, applicationId, applicationName, username, program }) => ({
      id,
      application_id: applicationId,
      ...named(applicationName),
      ...(username === undefined ? {} : { username: toDisplayName(username) }),
      program: programText(program),
    })),
    omitted: Object.values(lists).reduce((sum, { length }) => sum + Math.max(0, length - MAX_ROWS), 0),
    warnings: warnings.current().map(({ message }) => message),
  }
}
