/** Joins the platform's own desktop client with the rest: whose tokens it is shown, what it may announce, how it is found. */
import type { RpcUser } from '@sallyport/protocol'
import type { TokenStore } from '../auth/auth.ts'
import type { Settings } from '../config/load.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import { type DesktopClient, noDesktopClient } from '../events/providers/desktop/desktop-client.ts'
import { desktopClientChannel } from '../events/providers/desktop/presence-channel.ts'
import { DesktopClientProvider } from '../events/providers/desktop/provider.ts'
import type { EventProvider } from '../events/provider.ts'
import type { Publish } from '../events/outgoing-event.ts'
import type { SubscriptionRegistry } from '../events/subscription-registry.ts'
import { createDialer } from '../ipc/transport/dial.ts'

export interface ClientLinkParts {
  readonly settings: Pick<Settings, 'desktopClient' | 'runtimeDir'>
  readonly profile: Pick<PlatformProfile, 'ipcPrefix' | 'baseUrl'>
  readonly clock: Clock
  readonly log: Logger
  readonly hub: SubscriptionRegistry<Session>
  readonly registry: SessionRegistry
  readonly keeper: Pick<TokenStore, 'current'>
  readonly publish: Publish
  /** Whether a session hears of this from a gateway. */
  readonly isProvidedByGateway: (caller: Session, event: string) => boolean
  readonly onUser: (user: RpcUser) => boolean
  readonly ownAddresses: () => readonly string[]
}

export interface ClientLink {
  readonly desktopClient: DesktopClient
  /** None when it is switched off. */
  readonly sources: readonly EventProvider[]
  readonly carriers: readonly PresenceChannel[]
}

const TOKEN_MS = 10_000

/** The token that stands for the user of a session now: a stored one may have been refreshed since it signed in. */
const tokenOf =
  ({ keeper, clock }: Pick<ClientLinkParts, 'keeper' | 'clock'>) =>
  async (caller: Session): Promise<Secret<string>> => {
    const { signedIn } = caller
    if (signedIn === undefined) throw new BridgeError('INVALID_PERMISSIONS', 'Sign in with AUTHORIZE and AUTHENTICATE first.')
    if (!signedIn.isManaged) return signedIn.accessToken
    const timeout = new AbortController()
    const cancelTimer = clock.after(TOKEN_MS, () => timeout.abort())
    try {
      const tokens = await keeper.current(caller.account(signedIn.userId), timeout.signal)
      if (tokens !== undefined) return tokens.accessToken
    } finally {
      cancelTimer()
    }
    throw new BridgeError('INVALID_TOKEN', 'The stored grant is gone: the user signed out or the platform ended it. Sign in again.')
  }

export function openClientLink({ settings, profile, keeper, log, ...parts }: ClientLinkParts): ClientLink {
  if (settings.desktopClient === 'off') return { desktopClient: noDesktopClient, sources: [], carriers: [] }
  const { platform } = process
  const client = new DesktopClientProvider({
    ...parts,
    log: log.child({ part: 'desktop-client' }),
    place: { directory: settings.runtimeDir, ipcPrefix: profile.ipcPrefix, platform },
    dialer: createDialer(platform, process.getuid?.()),
    tokenOf: tokenOf({ keeper, clock: parts.clock }),
    apiEndpoint: profile.baseUrl,
  })
  return { desktopClient: client, sources: [client], carriers: [desktopClientChannel(client)] }
}
