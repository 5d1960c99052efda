/** Opens the connection to the desktop client: where it is found, and with whose tokens it is used. */
import type { Settings } from '../config/load.ts'
import type { ClientParts } from './client-parts.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { TimedCall } from '../sessions/timed-call.ts'
import type { ClientRoster } from '../events/providers/desktop/client-roster.ts'
import type { PresenceChannel } from '../presence/channel.ts'
import { placesOfSession } from '../sessions/chosen-places.ts'
import { type DesktopClient, noDesktopClient } from '../events/providers/desktop/desktop-client.ts'
import { desktopClientChannel } from '../events/providers/desktop/presence-channel.ts'
import { DesktopClientProvider } from '../events/providers/desktop/provider.ts'
import type { EventProvider } from '../events/provider.ts'
import { mayServeFor } from '../identity/packaged-server.ts'
import { systemProc } from '../identity/proc.ts'
import { createDialer } from '../ipc/transport/dial.ts'

interface DesktopParts extends ClientParts {
  readonly settings: Pick<Settings, 'desktopClient' | 'runtimeDir'>
  readonly profile: Pick<PlatformProfile, 'ipcPrefix' | 'baseUrl'>
  readonly clock: Clock
  readonly log: Logger
  readonly ownAddresses: () => readonly string[]
}

interface OpenedDesktopClient {
  readonly desktopClient: DesktopClient
  /** Empty when it is switched off. */
  readonly providers: readonly EventProvider[]
  readonly channels: readonly PresenceChannel[]
  readonly roster: ClientRoster | undefined
}

const TOKEN_MS = 10_000

export function openDesktopClient({ settings, profile, log, localUser, credentials, clock, ...parts }: DesktopParts): OpenedDesktopClient {
  if (settings.desktopClient === 'off') return { desktopClient: noDesktopClient, providers: [], channels: [], roster: undefined }
  const { platform } = process
  const client = new DesktopClientProvider({
    ...parts,
    clock,
    log: log.child({ part: 'desktop-client' }),
    place: { directory: settings.runtimeDir, ipcPrefix: profile.ipcPrefix, platform },
    isClient: ({ kind, id }, pid) => mayServeFor({ kind, id }, pid, systemProc),
    dialer: createDialer(platform, process.getuid?.()),
    async tokenOf(session) {
      const { token } = await new TimedCall(clock, TOKEN_MS).run(async ({ cancelSignal }) => credentials.forSession(session, cancelSignal))
      return token
    },
    onUser: (user) => localUser.setFromClient(user),
    apiEndpoint: profile.baseUrl,
    placesOf: ({ sessionId }) => placesOfSession(sessionId, parts),
  })
  return { desktopClient: client, providers: [client], channels: [desktopClientChannel(client)], roster: client.clients }
}
