/** What the gateway, the desktop client and webhooks get of the bridge, and what they give it. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { EventProvider } from '../events/provider.ts'
import type { ClientRoster } from '../events/providers/desktop/client-roster.ts'
import type { DesktopClient } from '../events/providers/desktop/desktop-client.ts'
import type { BotRequests } from '../events/providers/gateway/bot-requests.ts'
import type { UserRequests } from '../events/providers/gateway/user-requests.ts'
import type { WebhookProvider } from '../events/providers/webhook/provider.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import type { GatewayState } from '../platform/gateway/gateway.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import type { OpenedEvents } from './events.ts'
import type { OpenedSessions } from './sessions.ts'
import type { OpenedStores } from './stores.ts'

export interface ClientParts
  extends Pick<OpenedSessions, 'accounts' | 'api' | 'credentials' | 'lifecycle' | 'localUser' | 'registry'>,
    Pick<OpenedEvents, 'hub' | 'imageOrigin' | 'publish' | 'routing'>,
    Pick<OpenedStores, 'grants' | 'history'> {
  readonly forwarder: Forwarder
}

export interface Clients {
  readonly providers: readonly EventProvider[]
  /** Ways to show presence, in order of preference. */
  readonly channels: readonly PresenceChannel[]
  readonly desktopClient: DesktopClient
  /** The desktop clients that the bridge has met; undefined when it connects to none. */
  readonly roster: Pick<ClientRoster, 'all' | 'changed'> | undefined
  readonly botRequests: BotRequests
  readonly userRequests: UserRequests
  /** Counters of the webhook listener, when it is on. */
  readonly webhooks: Pick<WebhookProvider, 'counters'> | undefined
  /** The state of each gateway connection. */
  gatewayStates(): readonly GatewayState['name'][]
  /** The platform's session that shows the activity of an account over the gateway. */
  sessionOf(account: AccountKey): string | undefined
}
