/** What the gateway, the desktop client and webhooks get from the assembly, and what they give it. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { Credentials } from '../auth/credentials.ts'
import type { Grants } from '../auth/grants/grants.ts'
import type { Publish } from '../events/outgoing-event.ts'
import type { EventProvider } from '../events/provider.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import type { BotRequests } from '../events/providers/gateway/bot-requests.ts'
import type { UserRequests } from '../events/providers/gateway/user-requests.ts'
import type { EventRouting } from '../events/routing.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import type { MessageHistory } from '../events/messages/history.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import type { ApiClient } from '../sessions/api-client.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import type { LocalUser } from '../sessions/local-user.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Session } from '../sessions/session.ts'

export interface ClientParts {
  readonly hub: SubscriptionRegistry<Session>
  readonly registry: SessionRegistry
  readonly lifecycle: LifecycleEvents
  readonly routing: EventRouting
  readonly publish: Publish
  readonly credentials: Credentials
  readonly api: ApiClient
  readonly accounts: Accounts
  readonly grants: Grants
  readonly history: MessageHistory
  readonly forwarder: Forwarder
  readonly localUser: LocalUser
  /** Where the platform serves images. */
  readonly imageOrigin: string
}

export interface Clients {
  readonly providers: readonly EventProvider[]
  /** Ways to show presence, in order of preference. */
  readonly channels: readonly PresenceChannel[]
  readonly desktopClient: DesktopClient
  readonly botRequests: BotRequests
  readonly userRequests: UserRequests
  /** The platform's session that shows the activity of an account over the gateway. */
  sessionOf(account: AccountKey): string | undefined
}
