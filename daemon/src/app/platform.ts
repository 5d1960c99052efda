/** The platform a run serves, and how its users are asked: what differs between the sandbox and a real platform. */
import { REMOVED_CONNECTIONS, type RemovedConnections, type RpcUser } from '@sallyport/protocol'
import { UNKNOWN_USER } from '../sessions/local-user.ts'
import type { PageOpener, PageRequester } from '../auth/auth.ts'
import { autoAllow } from '../auth/pages/auto-allow.ts'
import { deny } from '../auth/pages/deny.ts'
import { systemBrowser } from '../auth/pages/system-browser.ts'
import { consentingUser, consentMode } from '../config/consent.ts'
import type { Settings } from '../config/load.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import { formatLines, type Line } from '../auth/consent/prompt-text.ts'
import type { SandboxControls } from '../operator/dashboard/sandbox-control.ts'
import type { SandboxFindings } from '../operator/state-warnings.ts'
import type { Secret } from '@sallyport/core/secret'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { HttpSend } from '../platform/api/forwarder-port.ts'

export interface Platform {
  readonly profile: PlatformProfile
  /** The user whom READY names before a sign-in. */
  readonly user: RpcUser
  /** Page of the sandbox; undefined for other platforms. */
  readonly sandboxOrigin: string | undefined
  /** What the relaxed sandbox let pass; undefined for other platforms. */
  readonly findings: SandboxFindings | undefined
  /** Undefined for other platforms. */
  readonly controls: SandboxControls | undefined
  /** The public key of an application's webhooks, where the platform is one that we know the keys of. */
  readonly webhookKey: (applicationId: string) => string | undefined
  /** Connects the embedded activities that the platform serves to the websocket of the bridge. */
  readonly connectActivities: (websocket: string | undefined) => void
}

/** The connections that the platform has removed. Kinds that the profile does not name have their known values. */
export const removedConnections = ({ removedConnections: named }: Pick<PlatformProfile, 'removedConnections'>): RemovedConnections => ({
  a: named?.a ?? REMOVED_CONNECTIONS.a,
  b: named?.b ?? REMOVED_CONNECTIONS.b,
})

interface PlatformParts {
  readonly settings: Settings
  readonly ports: Pick<OpenPorts, 'platform'>
  readonly clock: Clock
  readonly log: Logger
  readonly peers: TcpPeers
  readonly health: DataHealth
  readonly scope: AsyncDisposableStack
}

export async function openPlatform({ settings, ports, clock, log, peers, health, scope }: PlatformParts): Promise<Platform> {
  if ('profile' in ports.platform)
    return {
      profile: ports.platform.profile,
      user: UNKNOWN_USER,
      sandboxOrigin: undefined,
      findings: undefined,
      controls: undefined,
      webhookKey: () => undefined,
      connectActivities: () => {},
    }
  const { startSandbox } = await import('@sallyport/sandbox/sandbox')
  const sandbox = await startSandbox({
    held: ports.platform.sandbox,
    activityPort: settings.sandboxActivityPort,
    isOwnPeer: async (socket) => (await peers.ownerOf(socket)) !== 'another-user',
    seed: settings.sandboxSeed,
    mode: settings.sandbox ?? 'relaxed',
    data: health,
    autoConsent: consentMode(settings.consent) === 'allow',
    username: consentingUser(settings.consent),
    isIsolated: settings.isIsolated,
    clock,
    log: log.child({ part: 'sandbox' }),
  })
  scope.defer(() => sandbox.close())
  return {
    profile: sandbox.profile,
    user: sandbox.defaultUser,
    sandboxOrigin: sandbox.origin,
    findings: sandbox.findings,
    controls: sandbox.controls,
    webhookKey: (id) => sandbox.verifyKey(id),
    connectActivities: (websocket) => sandbox.connectActivities(websocket),
  }
}

export const pageOpener = (
  settings: Pick<Settings, 'consent'>,
  send: HttpSend,
  deliver: (url: Secret<string>) => unknown,
  announce: (text: string) => void,
  linesOf: (who: PageRequester) => readonly Line[],
): PageOpener =>
  ({
    allow: () => autoAllow({ send, deliver }),
    deny: () => deny(),
    prompt: () =>
      systemBrowser({
        showAddress(url, who) {
          announce(`A program asks to sign in. If no browser opens, go to ${url.href}\n${formatLines(linesOf(who))}`)
          return true
        },
      }),
  })[consentMode(settings.consent)]()
