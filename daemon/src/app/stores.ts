/** What is stored in the data folder: tokens, grants, messages and calls with a key. */
import { existsSync } from 'node:fs'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { removeDatabase } from '@sallyport/core/storage/data-files'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { TokenStore } from '../auth/auth.ts'
import { Grants } from '../auth/grants/grants.ts'
import { shortId } from '../auth/grants/short-id.ts'
import { openKeptStore } from '../auth/grants/kept-store.ts'
import { botIdentity } from '../auth/tokens/bot-identity.ts'
import { type BotTokens, createBotTokens } from '../auth/tokens/bot-tokens.ts'
import { createTokenStore } from '../auth/tokens/token-store.ts'
import { isVaultMissing, openVault } from '../auth/vault/encrypted-file.ts'
import { createKeychainClient, selfCommand } from '../auth/vault/keychain-client.ts'
import { keychain } from '../auth/vault/keychain.ts'
import { lazyVault } from '../auth/vault/lazy-vault.ts'
import type { Accounting } from '../accounting/accounting.ts'
import type { Settings } from '../config/load.ts'
import type { MessageHistory } from '../events/messages/history.ts'
import { storedHistory } from '../events/messages/stored-history.ts'
import { KeyedCalls } from '../sessions/keys/keyed-calls.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import type { OpenedApi } from './api.ts'

interface StoreParts {
  readonly settings: Pick<Settings, 'botToken' | 'dataDir' | 'vault'>
  readonly profile: Pick<PlatformProfile, 'name'>
  readonly clock: Clock
  readonly log: Logger
  readonly lifecycle: LifecycleEvents
  readonly api: Pick<OpenedApi, 'forwarder' | 'tokenEndpoint'>
  readonly health: DataHealth
  /** See openKeptStore. */
  readonly pauseForGood: () => void
  readonly scope: AsyncDisposableStack
}

export interface OpenedStores {
  readonly tokenStore: TokenStore
  readonly botTokens: BotTokens
  readonly grants: Grants
  readonly history: MessageHistory
  /** Opens the calls with a key, of which accounting counts what is kept. */
  readonly openKeyedCalls: (accounting: Accounting) => KeyedCalls
  /** Whether no file says which games are hidden. */
  readonly areChoicesLost: () => boolean
}

export function openStores({ settings, profile, clock, log, lifecycle, api, health, pauseForGood, scope }: StoreParts): OpenedStores {
  const { dataDir } = settings
  const platform = profile.name
  const keychainHelper = createKeychainClient(selfCommand())
  scope.defer(() => keychainHelper.close())
  const open = async () => {
    const opened = await openVault({ dataDirectory: dataDir, store: settings.vault, keychain: keychain(keychainHelper.send) })
    log.info('vault-opened', { keyIn: opened.keyIn })
    return opened
  }
  const vault = lazyVault({ open, isMissing: () => isVaultMissing(dataDir), clock })
  const tokenStore = createTokenStore({
    platform,
    vault: vault.tokens,
    tokenEndpoint: api.tokenEndpoint,
    clock,
    log: log.child({ part: 'tokens' }),
    random: Math.random,
    onEnded: ({ applicationId, userId }, cause) => lifecycle.emit('tokensEnded', { applicationId, userId, cause }),
    onDeleted: ({ applicationId, userId }) => lifecycle.emit('tokensDeleted', { applicationId, userId }),
  })
  const botTokens = createBotTokens({
    platform,
    collection: vault.bots,
    configuredToken: settings.botToken,
    identify: botIdentity(api.forwarder),
    onChange: (applicationId) => lifecycle.emit('botTokenChanged', { applicationId }),
  })
  const history = storedHistory({ health, platform, clock, log: log.child({ part: 'history' }) })
  scope.defer(() => history.close())
  const grantStore = openKeptStore({ health, pauseForGood })
  scope.defer(() => grantStore.close())
  const openKeyedCalls = (accounting: Accounting): KeyedCalls => {
    const parts = { vault, health, accounting, clock, log: log.child({ part: 'keys' }) }
    const keyedCalls = new KeyedCalls({
      clock,
      platform,
      open: async () => (await import('../sessions/keys/open-keys.ts')).openKeys(parts),
      removeOld: oldKeys(health, log),
    })
    scope.defer(() => keyedCalls.close())
    return keyedCalls
  }
  const grants = new Grants({ platform, store: grantStore, clock, newId: shortId })
  return { tokenStore, botTokens, grants, history, openKeyedCalls, areChoicesLost: () => grantStore.areChoicesLost() }
}

/** For the list of calls with a key that an earlier daemon left. */
function oldKeys(health: DataHealth, log: Logger): (() => void) | undefined {
  const file = health.pathOf('calls.sqlite')
  if (!existsSync(file)) return undefined
  return () => {
    try {
      removeDatabase(file)
    } catch (failure) {
      log.warn('call-keys-not-removed', { err: failure })
    }
  }
}
