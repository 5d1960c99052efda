/** The one place that makes concrete things and joins them. Reads top to bottom as the picture of the daemon. */
import { randomBytes } from 'node:crypto'
import type { DataOf } from '@sallyport/protocol'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { Account } from './auth/account.ts'
import { createAuthorizer } from './auth/authorizer.ts'
import { createTokenEndpoint } from './auth/token-endpoint.ts'
import { createTokenKeeper } from './auth/token-keeper.ts'
import { openEncryptedFileVault } from './auth/vault/encrypted-file.ts'
import { Bridge } from './bridge.ts'
import { bridgeSnapshot } from './bridge-snapshot.ts'
import type { Compose, ReadyLine } from './cli/bridge-port.ts'
import { json } from './codec/json.ts'
import { msgpackCodec } from './codec/msgpack.ts'
import { FAMILIES, HANDLERS } from './commands/index.ts'
import { VERSION } from './config/version.ts'
import { systemClock } from './core/clock.ts'
import { type Closer, closeAll } from './core/closer.ts'
import { Secret } from './core/secret.ts'
import { startDashboard } from './dashboard/server.ts'
import { CallerRegistry } from './dispatch/registry.ts'
import { endToken, endUse, type RevocationParts } from './dispatch/revocation.ts'
import { Router } from './dispatch/router.ts'
import type { Services } from './dispatch/context.ts'
import { consentSurface, openPlatform } from './platform.ts'
import { PresenceArbiter } from './presence/arbiter.ts'
import { latestPresence } from './presence/sinks/latest.ts'
import { SubscriptionHub } from './subscriptions/hub.ts'
import { listenLocally } from './transport/local.ts'
import { startWebPresence } from './transport/web-presence.ts'
import { fromCodedReply } from './upstream/failure.ts'
import { createForwarder } from './upstream/forwarder.ts'
import { createHttpSend } from './upstream/http.ts'

const DASHBOARD_TOKEN_BYTES = 24
const SECOND_MS = 1000

/** `//host/path` of the API without scheme and version, as READY gives it. */
const schemeless = (baseUrl: string): string => baseUrl.replace(/^https?:/, '').replace(/\/v\d+$/, '')

export const compose: Compose = async (settings, { log, ...ports }) => {
  const announce = (line: string) => ports.announce(line)
  const clock = systemClock
  const closers: Closer[] = []
  try {
    if (settings.bridgePort !== 'off') announce('Nothing is served on --bridge-port in this version.')
    const { profile, user, sandboxOrigin } = await openPlatform(settings, clock, log, closers)
    const startedAt = clock.now()

    const registry = new CallerRegistry()
    const hub = new SubscriptionHub()
    const shown = latestPresence()
    const presence = new PresenceArbiter(clock, [shown])
    closers.push(async () => presence.stop())
    const account = new Account(user, (now) => hub.publish({ name: 'CURRENT_USER_UPDATE', args: {} }, now))

    const http = createHttpSend()
    closers.push(() => http.close())
    const revocation = (): RevocationParts => ({ registry, keeper, log })
    const revoked = (applicationId: string, userId: string, reason: string) => endUse(revocation(), applicationId, userId, reason)
    const inBackground = (work: Promise<void>) => void work.catch((err: unknown) => log.error('revocation-failed', { err }))
    const forwarder = createForwarder({
      profile,
      send: http.send,
      clock,
      log: log.child({ part: 'upstream' }),
      random: Math.random,
      onUnauthorized({ kind, id, token }) {
        const [applicationId = '', userId = ''] = id.split(':')
        if (kind !== 'user') return
        // A turn later, so that the call that found out is answered before its connection hears the news.
        setImmediate(() => inBackground(endToken(revocation(), applicationId, userId, token)))
      },
    })
    closers.push(() => forwarder.close())
    const tokenEndpoint = createTokenEndpoint({
      profile,
      send: http.send,
      platformRefusal: (reply, secrets) => fromCodedReply(reply, clock.now(), secrets),
    })
    const keeper = createTokenKeeper({
      platform: profile.name,
      vault: await openEncryptedFileVault(settings.dataDir),
      tokenEndpoint,
      clock,
      log: log.child({ part: 'tokens' }),
      random: Math.random,
      onRevoked: (applicationId, userId) => inBackground(revoked(applicationId, userId, 'The platform no longer accepts the tokens.')),
    })

    const ipc: string[] = []
    const status = (): DataOf<'GET_BRIDGE_STATUS'> => ({
      version: VERSION,
      contract: CONTRACT_VERSION,
      platform: profile.name,
      uptime_s: Math.floor((clock.now() - startedAt) / SECOND_MS),
      pid: process.pid,
      ipc,
      sessions: registry.all().map(({ applicationId, channel: { peer }, signedIn }) => ({
        application_id: applicationId,
        ...(peer.pid === undefined ? {} : { pid: peer.pid }),
        ...(peer.executable === undefined ? {} : { executable: peer.executable }),
        authenticated: signedIn !== undefined,
      })),
      presences: presence.current().length,
    })
    const services: Services = {
      clock,
      log,
      authorizer: createAuthorizer({ profile, surface: consentSurface(settings, http.send, announce), clock }),
      tokenEndpoint,
      keeper,
      forwarder,
      hub,
      presence,
      account,
      botToken: settings.botToken,
      status,
      revoked,
    }

    const bridge = new Bridge({
      clock,
      log,
      codecs: { json, msgpack: msgpackCodec() },
      router: new Router(services, HANDLERS, FAMILIES),
      registry,
      hub,
      presence,
      account,
      readyConfig: { cdn_host: profile.cdnHost, api_endpoint: schemeless(profile.baseUrl) },
      version: VERSION,
      uid: process.getuid?.(),
    })
    const listening = await listenLocally({
      directory: settings.runtimeDir,
      ipcPrefix: profile.ipcPrefix,
      onLink: (link) => bridge.accept(link),
    })
    ipc.push(...listening.addresses)
    closers.push(listening.close)
    closers.push(async () => bridge.close('The bridge stops.'))

    const web = await startWebPresence()
    if (web === undefined) log.warn('web-ports-taken', {})
    else closers.push(web.close)

    let dashboardUrl: string | null = null
    if (settings.dashboardPort !== 'off') {
      const { counters } = bridge
      const dashboard = await startDashboard({
        port: settings.dashboardPort,
        token: new Secret(randomBytes(DASHBOARD_TOKEN_BYTES).toString('base64url')),
        snapshot: () =>
          bridgeSnapshot({ version: VERSION, platform: profile.name, ipc, sandboxOrigin, registry, hub, shown, keeper, counters }),
        log: log.child({ part: 'dashboard' }),
      })
      closers.push(dashboard.close)
      dashboardUrl = dashboard.url
    }

    const ready: ReadyLine = {
      event: 'ready',
      pid: process.pid,
      ipc,
      platform: profile.name,
      apiBase: profile.baseUrl,
      tokenUrl: profile.tokenUrl,
      dashboard: dashboardUrl,
    }
    log.info('ready', { ipc, platform: profile.name })
    return { ready, stop: () => closeAll(closers) }
  } catch (failure) {
    await closeAll(closers)
    throw failure
  }
}
