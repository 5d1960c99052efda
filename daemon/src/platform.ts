/** The platform a run serves, and how its users are asked: what differs between the sandbox and a real platform. */
import { join } from 'node:path'
import { REMOVED_CONNECTIONS, type RpcUser } from '@sallyport/protocol'
import { NOBODY } from './auth/account.ts'
import type { ConsentSurface, PageAsker } from './auth/auth.ts'
import { autoAllow } from './auth/surfaces/auto-allow.ts'
import { deny } from './auth/surfaces/deny.ts'
import { systemBrowser } from './auth/surfaces/system-browser.ts'
import type { Settings } from './config/load.ts'
import type { PlatformProfile } from './config/profile.ts'
import type { Clock } from './core/clock.ts'
import type { Closer } from './core/closer.ts'
import type { Logger } from './core/logger.ts'
import type { PlatformFacts } from './dispatch/context.ts'
import { laidOut, type Line } from './grants/question-text.ts'
import type { Secret } from './core/secret.ts'
import type { HttpSend } from './upstream/upstream.ts'

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
    return { profile: settings.profile, user: NOBODY, sandboxOrigin: undefined, webhookKey: () => undefined }
  const { startSandbox } = await import('./sandbox/sandbox.ts')
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
  linesOf: (who: PageAsker) => readonly Line[],
): ConsentSurface =>
  ({
    allow: () => autoAllow({ send, deliver }),
    deny: () => deny(),
    prompt: () =>
      systemBrowser({
        announce(url, who) {
          announce(`A program asks to sign in. If no browser opens, go to ${url.href}\n${laidOut(linesOf(who))}`)
          return true
        },
      }),
  })[settings.consent]()
