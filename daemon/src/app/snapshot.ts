/** What the dashboard is told of the running bridge. */
import type { StoredTokens, TokenStore } from '../auth/auth.ts'
import type { RpcCounters } from '../rpc/server.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { AuthorizationPages } from '../admin/authorization-pages.ts'
import { type DashboardGrant, type DashboardPrompt, type DashboardSnapshot, presenceCard } from '../admin/snapshot.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { promptLines, promptTitle } from '../auth/grants/prompt-text.ts'
import type { ConsentPrompt, ConsentPrompts } from '../auth/grants/consent-prompts.ts'
import { programText } from '../identity/program-text.ts'
import type { PresenceStore } from '../presence/presence-store.ts'
import type { GameInvites } from '../social/game-invites.ts'
import type { EventProviders } from '../events/providers.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { Warnings } from '../platform/api/warnings.ts'

export interface SnapshotParts {
  readonly version: string
  readonly platform: string
  readonly ipc: readonly string[]
  readonly sandboxOrigin: string | undefined
  readonly clock: Clock
  readonly registry: SessionRegistry
  readonly hub: SubscriptionRegistry<Session>
  readonly shown: PresenceStore
  readonly keeper: TokenStore
  readonly grants: Grants
  readonly questions: ConsentPrompts
  readonly pages: AuthorizationPages
  readonly joins: Pick<GameInvites, 'openInvites'>
  readonly sources: Pick<EventProviders, 'health'>
  readonly warnings: Pick<Warnings, 'current'>
  readonly counters: RpcCounters
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
async function storedOf(keeper: TokenStore): Promise<Stored> {
  try {
    return { stored: await keeper.list(), problem: null }
  } catch (failure) {
    if (failure instanceof BridgeError) return { stored: [], problem: failure.message }
    throw failure
  }
}

const storedSoon = (keeper: TokenStore, clock: Clock): Promise<Stored> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(VAULT_PATIENCE_MS, () => resolve(OPENING))
    storedOf(keeper).then(resolve, reject).finally(cancel)
  })

const grantRow = (grant: Grant): DashboardGrant => {
  const { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt } = grant
  return { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt, program: programText(grant.program), ...namesOf(grant) }
}

const questionRow = (question: ConsentPrompt): DashboardPrompt => ({
  id: question.id,
  title: promptTitle(question),
  lines: promptLines(question),
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
      const { id, peer } = caller.connection
      return {
        id: String(id),
        applicationId: caller.applicationId,
        trust: peer.trust,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        program: programText(caller.program),
        ...(caller.signedIn === undefined ? {} : { user: { id: caller.signedIn.userId, username: caller.signedIn.username } }),
        subscriptions: hub.selectorsOf(caller).map((event) => event.name),
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
    invites: joins.openInvites().map(({ account: party, invite }) => ({
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
