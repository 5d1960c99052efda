/** Opens the parts that connect to the platform for events and presence: the gateway, the desktop client and webhooks. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Settings } from '../config/load.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import { publicKeysOf } from '../config/public-keys.ts'
import { noBotRequests } from '../events/providers/gateway/bot-requests.ts'
import { noUserRequests } from '../events/providers/gateway/user-requests.ts'
import type { WebhookProvider } from '../events/providers/webhook/provider.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'
import type { ClientParts, Clients } from './client-parts.ts'
import { openDesktopClient } from './desktop.ts'

export interface ClientOptions {
  readonly settings: Settings
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly network: NetworkOptions
  /** The public key of an application's webhooks, if the platform makes it known. */
  readonly webhookKey: (applicationId: string) => string | undefined
  readonly ports: Pick<OpenPorts, 'ready' | 'openBeside' | 'webhooks'>
}

/** Loads the modules of the clients that are switched on; those of the others are never loaded. Resolves with what opens them. */
export async function loadClients({ settings, profile, clock, log, network, webhookKey, ports }: ClientOptions) {
  const { gateway: gatewayMode, webhookPublicKeys } = settings
  const gatewayModule = gatewayMode === 'off' ? undefined : await import('./gateway.ts')
  const webhookModule = ports.webhooks === undefined ? undefined : await import('../events/providers/webhook/provider.ts')
  const webhooks: { provider?: WebhookProvider } = {}
  const configuredKeys = publicKeysOf(webhookPublicKeys)

  const { sockets } = await ports.openBeside()
  const ownAddresses = [...ports.ready.ipc, ...sockets.map(({ address }) => address)]

  const openClients = (parts: ClientParts): Clients => {
    const { hub, publish, api, accounts, grants, history } = parts
    if (webhookModule !== undefined && ports.webhooks !== undefined)
      webhooks.provider = new webhookModule.WebhookProvider({
        clock,
        log: log.child({ part: 'webhooks' }),
        held: ports.webhooks,
        keyOf: (applicationId) => configuredKeys.get(applicationId) ?? webhookKey(applicationId),
        deps: {
          accounts,
          hub,
          publish,
          api,
          history,
          authorizedAfter: (applicationId, userId, at) => grants.ofAccount(applicationId, userId).some(({ grantedAt }) => grantedAt > at),
        },
      })
    const gateway = gatewayModule?.openGateway({ ...parts, settings, profile, clock, log, network })
    const desktop = openDesktopClient({ ...parts, settings, profile, clock, log, ownAddresses })
    return {
      providers: [
        ...(webhooks.provider === undefined ? [] : [webhooks.provider]),
        ...(gateway === undefined ? [] : [gateway.provider]),
        ...desktop.providers,
      ],
      channels: [...desktop.channels, ...(gateway === undefined ? [] : [gateway.presence])],
      desktopClient: desktop.desktopClient,
      botRequests: gateway?.botRequests ?? noBotRequests,
      userRequests: gateway?.userRequests ?? noUserRequests,
      sessionOf: (account) => gateway?.sessionOf(account),
    }
  }
  return { openClients, webhooks }
}
