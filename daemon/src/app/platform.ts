/** The platform a run serves, and how its users are asked: what differs between the sandbox and a real platform. */
import { join } from 'node:path'
import { REMOVED_CONNECTIONS, type RpcUser } from '@sallyport/protocol'
import { UNKNOWN_USER } from '../sessions/local-user.ts'
import type { AuthorizationPrompt, PageRequester } from '../auth/auth.ts'
import { autoAllow } from '../auth/prompts/auto-allow.ts'
import { deny } from '../auth/prompts/deny.ts'
import { systemBrowser } from '../auth/prompts/system-browser.ts'
import type { Settings } from '../config/load.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformFacts } from '../rpc/context.ts'
import { formatLines, type Line } from '../auth/grants/prompt-text.ts'
import type { Secret } from '@sallyport/core/secret'
import type { HttpSend } from '../platform/api/forwarder-port.ts'

export interface Platform {
  readonly profile: PlatformProfile
  /** Whom READY announces before anybody signs in. */
  readonly user: RpcUser
  /** Page of the sandbox; undefined for other platforms. */
  readonly sandboxOrigin: string | undefined
  /** The public key of an application's webhooks, where the platform is one that we know the keys of. */
  readonly webhookKey: (applicationId: string) => string | undefined
}

/** What handlers need of the profile; kinds of removed connections that it does not name stay as they are known. */
export const platformFacts = ({ activityProxyHost, removedConnections }: PlatformProfile): PlatformFacts => ({
  activityProxyHost,
  removedConnections: {
    a: removedConnections?.a ?? REMOVED_CONNECTIONS.a,
    b: removedConnections?.b ?? REMOVED_CONNECTIONS.b,
  },
})

export async function openPlatform(settings: Settings, clock: Clock, log: Logger, closers: Closer[]): Promise<Platform> {
  if (settings.profile !== undefined)
    return { profile: settings.profile, user: UNKNOWN_USER, sandboxOrigin: undefined, webhookKey: () => undefined }
  const { startSandbox } = await import('@sallyport/sandbox/sandbox')
  const sandbox = await startSandbox({
    port: settings.sandboxPort,
    seed: settings.sandboxSeed,
    dataFile: join(settings.dataDir, 'sandbox.sqlite'),
    autoConsent: settings.consent === 'allow',
    clock,
    log: log.child({ part: 'sandbox' }),
  })
  closers.push(() => sandbox.close())
  return { profile: sandbox.profile, user: sandbox.defaultUser, sandboxOrigin: sandbox.origin, webhookKey: (id) => sandbox.verifyKey(id) }
}

export const consentSurface = (
  settings: Settings,
  send: HttpSend,
  deliver: (url: Secret<string>) => unknown,
  announce: (text: string) => void,
  linesOf: (who: PageRequester) => readonly Line[],
): AuthorizationPrompt =>
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
  })[settings.consent]()
