/** The snapshot of the running bridge that the dashboard shows. */
import type { StoredTokens, TokenStore } from '../auth/auth.ts'
import type { RpcCounters } from '../rpc/server.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { AuthorizationPages } from '../admin/authorization-pages.ts'
import { type DashboardGrant, type DashboardInvite, type DashboardPrompt, type DashboardSnapshot, presenceCard } from '../admin/snapshot.ts'
import type { Session } from '../sessions/session.ts'
import type { ReadyLine } from '../start/ready-line.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { promptLines, promptTitle } from '../auth/consent/prompt-text.ts'
import type { ConsentPrompt, ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import { programText } from '../identity/program-text.ts'
import type { PresenceStore } from '../presence/presence-store.ts'
import type { GameInvites } from '../social/game-invites.ts'
import type { EventProviders } from '../events/providers.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { Warnings } from '../platform/api/warnings.ts'

export interface SnapshotParts {
  readonly version: string
  readonly platform: string
  readonly ready: Pick<ReadyLine, 'ipc'>
  readonly sandboxOrigin: string | undefined
  readonly clock: Clock
  readonly registry: SessionRegistry
  readonly hub: SubscriptionRegistry<Session>
  readonly presenceStore: PresenceStore
  readonly tokenStore: TokenStore
  readonly grants: Grants
  readonly prompts: ConsentPrompts
  readonly pages: AuthorizationPages
  readonly invites: Pick<GameInvites, 'openInvites'>
  readonly providers: Pick<EventProviders, 'health'>
  readonly warnings: Pick<Warnings, 'current'>
  readonly counters: RpcCounters
  readonly isPresencePaused: () => boolean
}

/** The names that are known. */
const namesOf = ({ applicationName, username }: Grant) => ({
  ...(applicationName === undefined ? {} : { applicationName }),
  ...(username === undefined ? {} : { username }),
})

interface Stored {
  readonly stored: readonly StoredTokens[]
  /** Why stored tokens are not shown, as a sentence; null when they are. */
  readonly problem: string | null
}

/** Opening the vault may wait until the user unlocks a keychain; the prompts on the page do not wait for it. */
const VAULT_TIMEOUT_MS = 1_000
const OPENING: Stored = {
  stored: [],
  problem: 'The stored sign-ins are not open yet. When the system asks for the password of the keychain, give it there.',
}

/** The page shows why a vault does not open, and everything else. */
async function storedOf(tokenStore: TokenStore): Promise<Stored> {
  try {
    return { stored: await tokenStore.list(), problem: null }
  } catch (failure) {
    if (failure instanceof BridgeError) return { stored: [], problem: failure.message }
    throw failure
  }
}

const storedSoon = (tokenStore: TokenStore, clock: Clock): Promise<Stored> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(VAULT_TIMEOUT_MS, () => resolve(OPENING))
    storedOf(tokenStore).then(resolve, reject).finally(cancel)
  })

const grantRow = (grant: Grant): DashboardGrant => {
  const { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt } = grant
  return { id, applicationId, userId, basis, scopes, grantedAt, lastUsedAt, program: programText(grant.program), ...namesOf(grant) }
}

const promptRow = (prompt: ConsentPrompt): DashboardPrompt => ({
  id: prompt.id,
  title: promptTitle(prompt),
  lines: promptLines(prompt),
  askedAt: prompt.askedAt,
})

const inviteRow = ({ account, invite, cover }: ReturnType<GameInvites['openInvites']>[number]): DashboardInvite => {
  const { name, type = 0, details, state } = invite.shown
  return {
    id: invite.messageId,
    applicationId: invite.applicationId,
    userId: account.userId,
    from: invite.author.username,
    ...(invite.applicationName === undefined ? {} : { applicationName: invite.applicationName }),
    activity: { type, ...(name ? { name } : {}), ...(details ? { details } : {}), ...(state ? { state } : {}) },
    ...(cover === undefined ? {} : { cover }),
  }
}

export async function bridgeSnapshot({
  registry,
  hub,
  presenceStore,
  tokenStore,
  grants,
  prompts,
  pages,
  invites,
  providers,
  ready,
  warnings,
  counters,
  isPresencePaused,
  sandboxOrigin,
  clock,
  ...fixed
}: SnapshotParts): Promise<DashboardSnapshot> {
  const { stored: kept, problem } = await storedSoon(tokenStore, clock)
  return {
    ...fixed,
    ipc: ready.ipc,
    sandboxOrigin: sandboxOrigin ?? null,
    sessions: registry.all().map((session) => {
      const { id, peer } = session.connection
      return {
        id: String(id),
        applicationId: session.applicationId,
        trust: peer.trust,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        program: programText(session.program),
        ...(session.signedIn === undefined ? {} : { user: { id: session.signedIn.userId, username: session.signedIn.username } }),
        subscriptions: hub.selectorsOf(session).map((event) => event.name),
      }
    }),
    presences: presenceStore.all().map(({ applicationId, userId, stored }) => {
      const [session] = userId === undefined ? [] : registry.signedInAs({ applicationId, userId })
      const username = session?.signedIn?.username
      return { ...presenceCard(applicationId, stored.activity), ...(username === undefined ? {} : { username }) }
    }),
    presencePaused: isPresencePaused(),
    vaultProblem: problem,
    accounts: kept.map(({ account, tokens }) => {
      const { applicationId, userId } = account
      const username = grants.ofAccount(account).find((grant) => grant.username !== undefined)?.username
      return { applicationId, userId, scopes: tokens.scopes, ...(username === undefined ? {} : { username }) }
    }),
    grants: grants.live().map(grantRow),
    questions: prompts.pending().map(promptRow),
    pages: pages.all(),
    invites: invites.openInvites().map(inviteRow),
    sources: providers.health().map(({ name, state, reason }) => ({ name, state, ...(reason === undefined ? {} : { reason }) })),
    warnings: warnings.current().map(({ message }) => message),
    counters: { ...counters },
  }
}
