/** What the dashboard is told of the running bridge. */
import type { StoredTokens, TokenKeeper } from '../auth/auth.ts'
import type { BridgeCounters } from '../rpc/server.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { OpenPages } from '../admin/open-pages.ts'
import { type DashboardGrant, type DashboardQuestion, type DashboardSnapshot, presenceCard } from '../admin/snapshot.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { questionLines, questionTitle } from '../auth/grants/question-text.ts'
import type { Question, Questions } from '../auth/grants/questions.ts'
import { programInWords } from '../identity/program-words.ts'
import type { LatestPresence } from '../presence/latest.ts'
import type { Joins } from '../social/joins.ts'
import type { Sources } from '../events/sources.ts'
import type { SubscriptionHub } from '../events/hub.ts'
import type { Warnings } from '../platform/api/warnings.ts'

export interface SnapshotParts {
  readonly version: string
  readonly platform: string
  readonly ipc: readonly string[]
  readonly sandboxOrigin: string | undefined
  readonly clock: Clock
  readonly registry: SessionRegistry
  readonly hub: SubscriptionHub<Session>
  readonly shown: LatestPresence
  readonly keeper: TokenKeeper
  readonly grants: Grants
  readonly questions: Questions
  readonly pages: OpenPages
  readonly joins: Pick<Joins, 'openInvites'>
  readonly sources: Pick<Sources, 'health'>
  readonly warnings: Pick<Warnings, 'current'>
  readonly counters: BridgeCounters
}

/** The names that are known. */
const namesOf = ({ applicationName, username }: Grant) => ({
  ...(applicationName === undefined ? {} : { applicationName }),
  ...(username === undefined ? {} : { username }),
})

interface Stored {
  readonly stored: readonly StoredTokens[]
  /** Why what is stored is not told, as a sentence. */
  readonly problem: string | null
}

/** Opening the vault may take as long as its owner takes to unlock a keychain; the questions on the page do not wait for that. */
const VAULT_PATIENCE_MS = 1_000
const OPENING: Stored = {
  stored: [],
  problem: 'The stored sign-ins are not open yet. When the system asks for the password of the keychain, give it there.',
}

/** A vault that does not open is said; the rest of the page is as true as before. */
async function storedOf(keeper: TokenKeeper): Promise<Stored> {
  try {
    return { stored: await keeper.list(), problem: null }
  } catch (failure) {
    if (failure instanceof BridgeError) return { stored: [], problem: failure.message }
    throw failure
  }
}

const storedSoon = (keeper: TokenKeeper, clock: Clock): Promise<Stored> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(VAULT_PATIENCE_MS, () => resolve(OPENING))
    storedOf(keeper).then(resolve, reject).finally(cancel)
  })

const grantRow = (grant: Grant): DashboardGrant => {
  const { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt } = grant
  return { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt, program: programInWords(grant.program), ...namesOf(grant) }
}

const questionRow = (question: Question): DashboardQuestion => ({
  id: question.id,
  title: questionTitle(question),
  lines: questionLines(question),
  askedAt: question.askedAt,
})

export async function bridgeSnapshot({
  registry,
  hub,
  shown,
  keeper,
  grants,
  questions,
  pages,
  joins,
  sources,
  warnings,
  counters,
  sandboxOrigin,
  clock,
  ...fixed
}: SnapshotParts): Promise<DashboardSnapshot> {
  const { stored: kept, problem } = await storedSoon(keeper, clock)
  return {
    ...fixed,
    sandboxOrigin: sandboxOrigin ?? null,
    sessions: registry.all().map((caller) => {
      const { id, peer } = caller.channel
      return {
        id: String(id),
        applicationId: caller.applicationId,
        trust: peer.trust,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        program: programInWords(caller.program),
        ...(caller.signedIn === undefined ? {} : { user: { id: caller.signedIn.userId, username: caller.signedIn.username } }),
        subscriptions: hub.desiredBy(caller).map((event) => event.name),
      }
    }),
    presences: shown.all().map(({ applicationId, userId, stored }) => {
      const [session] = userId === undefined ? [] : registry.signedInAs(applicationId, userId)
      const username = session?.signedIn?.username
      return { ...presenceCard(applicationId, stored.activity), ...(username === undefined ? {} : { username }) }
    }),
    vaultProblem: problem,
    accounts: kept.map(({ account: { applicationId, userId }, tokens }) => {
      const username = grants.ofAccount(applicationId, userId).find((grant) => grant.username !== undefined)?.username
      return { applicationId, userId, scopes: tokens.scopes, ...(username === undefined ? {} : { username }) }
    }),
    grants: grants.live().map(grantRow),
    questions: questions.pending().map(questionRow),
    pages: pages.all(),
    invites: joins.openInvites().map(({ party, invite }) => ({
      id: invite.messageId,
      applicationId: invite.applicationId,
      userId: party.userId,
      from: invite.author.username,
      ...(invite.applicationName === undefined ? {} : { applicationName: invite.applicationName }),
    })),
    sources: sources.health().map(({ name, state, reason }) => ({ name, state, ...(reason === undefined ? {} : { reason }) })),
    warnings: warnings.current().map(({ message }) => message),
    counters: { ...counters },
  }
}
