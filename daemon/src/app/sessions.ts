/** Opens what the bridge knows of connected games and their accounts, and what ends with an account. */
import type { RpcUser } from '@sallyport/protocol'
import { currentCall, workFor } from '@sallyport/core/current-call'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import { Accounts } from '../auth/accounts/accounts.ts'
import type { Consent } from '../auth/consent/consent-prompts.ts'
import { Credentials } from '../auth/credentials.ts'
import { ChunkedUploads } from '../platform/api/chunked-uploads.ts'
import { ApiClient } from '../sessions/api-client.ts'
import { BotConsent } from '../sessions/bot-consent.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import { endSessionGrant } from '../sessions/grant-revocation.ts'
import { LocalUser } from '../sessions/local-user.ts'
import { Participants } from '../sessions/participants.ts'
import { SessionRegistry } from '../sessions/registry.ts'
import { TemporaryGrants } from '../sessions/temporary-grants.ts'
import { accountDeps, handleRejectedToken } from '../sessions/revocation.ts'
import type { OpenedApi } from './api.ts'
import type { Host } from './host.ts'
import { removedConnections } from './platform.ts'
import type { OpenedStores } from './stores.ts'

export interface SessionsParts {
  readonly host: Pick<Host, 'clock' | 'log' | 'contents'>
  readonly profile: Pick<PlatformProfile, 'removedConnections'>
  readonly lifecycle: LifecycleEvents
  readonly accounting: Accounting
  readonly api: Pick<OpenedApi, 'forwarder' | 'tokenEndpoint'>
  readonly stores: OpenedStores
  readonly consent: Consent
  /** The user whom READY names before a sign-in. */
  readonly user: RpcUser
  /** For files that games send in chunks; made at the first of them. */
  readonly uploadFolder: string
}

export type OpenedSessions = ReturnType<typeof openSessions>

export function openSessions({ host, profile, lifecycle, accounting, api, stores, consent, user, uploadFolder }: SessionsParts) {
  const { clock, log, contents } = host
  const { tokenStore, botTokens, grants, history } = stores
  const { forwarder, tokenEndpoint } = api
  const registry = new SessionRegistry(lifecycle)
  const participants = new Participants({ registry, lifecycle })
  const accounts = new Accounts(accountDeps({ registry, tokenStore, lifecycle, log }), log.child({ part: 'accounts' }))
  /** No response waits for it. */
  const inBackground = (work: () => Promise<unknown>, call = currentCall()): void =>
    void workFor(call, () => work().catch((err: unknown) => log.error('revocation-failed', { err })))
  lifecycle.on('accountEnded', (account) => tokenStore.deleteAccount(account))
  lifecycle.on('accountEnded', (account) => history.deleteAccount(account))
  lifecycle.on('tokensDeleted', (account) => grants.deleteAccount(account))
  lifecycle.on('tokensEnded', ({ cause, ...account }) => inBackground(() => accounts.apply(account, cause)))
  lifecycle.on('tokenRejected', ({ token, call, ...account }) =>
    inBackground(() => handleRejectedToken({ lifecycle, registry, tokenStore, accounts }, account, token), call),
  )

  const credentials = new Credentials({ tokenStore, botTokens, log })
  const uploads = new ChunkedUploads({ folder: uploadFolder, clock })
  lifecycle.on('sessionChanged', (session) => {
    if (registry.find(session.connection.id) !== session) uploads.endConnection(session.connection.id)
  })
  const apiClient = new ApiClient({
    clock,
    log,
    credentials,
    botConsent: new BotConsent({ grants, contents, consentPrompts: consent, clock }),
    forwarder,
    authenticatedFailures: accounting.window('authenticatedFailures'),
    grants,
    removedConnections: removedConnections(profile),
    uploads,
  })
  const revocation = { clock, log, lifecycle, registry, tokenStore, grants, accounts, tokenEndpoint }
  return Object.freeze({
    lifecycle,
    registry,
    keyedCalls: stores.openKeyedCalls(accounting),
    localUser: new LocalUser(user),
    participants,
    accounts,
    credentials,
    uploads,
    /** Calls of the HTTP API for a session. */
    api: apiClient,
    /** What ends a grant. */
    revocation,
    temporary: new TemporaryGrants({ clock, log, lifecycle, registry, grants, endGrant: (grant) => endSessionGrant(grant, revocation) }),
  })
}
