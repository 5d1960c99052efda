/** Joins the sources of events with the hub: the second half of the picture in compose.ts. */
import type { DataOf } from '@sallyport/protocol'
import type { Accounts } from './account/accounts.ts'
import type { PlatformProfile } from './config/profile.ts'
import type { Settings } from './config/load.ts'
import { publicKeysOf } from './config/public-keys.ts'
import type { Clock } from './core/clock.ts'
import type { Logger } from './core/logger.ts'
import type { Caller } from './dispatch/caller.ts'
import type { Grants } from './grants/grants.ts'
import type { MessageHistory } from './history/history.ts'
import { GuildStatusPoll } from './sources/poll/guild-status-poll.ts'
import { Sources } from './sources/sources.ts'
import type { WebhookOptions, WebhookSource } from './sources/webhook/webhook.ts'
import type { SubscriptionHub } from './subscriptions/hub.ts'

export interface LiveParts {
  readonly settings: Pick<Settings, 'webhookPort' | 'webhookPublicKeys'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly hub: SubscriptionHub<Caller>
  readonly accounts: Accounts
  readonly grants: Grants
  readonly history: MessageHistory
  /** The public key of an application's webhooks, where the platform is one that we know the keys of. */
  readonly webhookKey: (applicationId: string) => string | undefined
  /** A call in the name of a session, as if its game had made it. */
  readonly call: (caller: Caller, cmd: string, args: unknown) => unknown
}

export interface Live {
  readonly sources: Sources
  /** Undefined when webhooks are off. */
  readonly webhooks: WebhookSource | undefined
}

/** Images come the way the API does: by https, but for a sandbox. */
const imageOrigin = ({ baseUrl, cdnHost }: Pick<PlatformProfile, 'baseUrl' | 'cdnHost'>): string =>
  `${new URL(baseUrl).protocol}//${cdnHost}`

/** Undefined when webhooks are off; then nothing of it is loaded. */
async function webhookSource(
  { webhookPort, webhookPublicKeys }: LiveParts['settings'],
  ownKey: (applicationId: string) => string | undefined,
  parts: Omit<WebhookOptions, 'port' | 'keyOf'>,
): Promise<WebhookSource | undefined> {
  if (webhookPort === 'off') return undefined
  const { WebhookSource } = await import('./sources/webhook/webhook.ts')
  const given = publicKeysOf(webhookPublicKeys)
  return new WebhookSource({ ...parts, port: webhookPort, keyOf: (applicationId) => given.get(applicationId) ?? ownKey(applicationId) })
}

export async function openSources(parts: LiveParts): Promise<Live> {
  const { settings, profile, clock, log, hub, accounts, grants, history, webhookKey, call } = parts
  const webhooks = await webhookSource(settings, webhookKey, {
    clock,
    log: log.child({ part: 'webhooks' }),
    ports: {
      accounts,
      hub,
      history,
      allowedSince: (applicationId, userId, at) => grants.ofAccount(applicationId, userId).some(({ grantedAt }) => grantedAt > at),
    },
  })
  const poll = new GuildStatusPoll({
    hub,
    clock,
    log: log.child({ part: 'guild-status-poll' }),
    random: Math.random,
    imageOrigin: imageOrigin(profile),
    read: async (caller) => call(caller, 'GET_CURRENT_USER_GUILDS', { with_counts: true }) as Promise<DataOf<'GET_CURRENT_USER_GUILDS'>>,
  })
  return { sources: new Sources(hub, [...(webhooks === undefined ? [] : [webhooks]), poll]), webhooks }
}
