/** Starts the bridge: opens what lies outside, assembles the parts, then serves the open ports. Each line needs only the lines above it. */
import { join } from 'node:path'
import { systemClock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { releaseWhenQuiet } from '@sallyport/core/os/release-memory'
import type { Quiet } from '@sallyport/core/quiet'
import { markBridgeLoaded, unmarkBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { isPresencePaused, rememberPresencePaused } from '@sallyport/core/storage/presence-paused'
import { redeemOperatorProof } from '@sallyport/core/storage/operator-proof'
import { VERSION } from '@sallyport/core/version'
import { Accounting } from '../accounting/accounting.ts'
import { programContents } from '../identity/content.ts'
import { openPeers } from '../identity/systems.ts'
import { openTcpPeers } from '../loopback/tcp-peer.ts'
import { sweepGrants } from '../sessions/grant-revocation.ts'
import { LifecycleEvents } from '../sessions/lifecycle.ts'
import { openApi } from './api.ts'
import { assemble } from './assembly.ts'
import { loadClients } from './clients.ts'
import { openDashboard } from './dashboard.ts'
import { serveGames } from './games.ts'
import { untilIdle } from './idle.ts'
import { openLauncher } from './launcher.ts'
import { openPlatform } from './platform.ts'
import { feedSinks, openFeed } from './presence.ts'
import type { StartBridge } from './running-bridge.ts'
import { openSignIn } from './sign-in.ts'
import { bridgeStatus } from './status.ts'
import { openStores } from './stores.ts'

const NEVER: Pick<Quiet, 'start' | 'stop' | 'touch'> = { start: () => {}, stop: () => {}, touch: () => {} }

export const startBridge: StartBridge = async (settings, { log, ...terminal }, ports) => {
  const clock = systemClock
  await using scope = new AsyncDisposableStack()
  const localPeers = openPeers(process.platform)
  const peers = await openTcpPeers()
  if (!peers.areKnown) log.info('web-users-unknown', { platform: process.platform })
  const { profile, user, sandboxOrigin, webhookKey, connectActivities } = await openPlatform({ settings, ports, clock, log, peers, scope })

  const quiet = settings.releaseMemory === 'auto' ? releaseWhenQuiet(clock) : NEVER
  scope.defer(() => quiet.stop())
  const accounting = new Accounting(clock)
  const lifecycle = new LifecycleEvents()
  const base = { settings, ports, profile, clock, log, scope, peers, accounting, lifecycle }
  const api = openApi(base)
  const stores = openStores({ ...base, api })
  const { grants, tokenStore } = stores
  const { consent, prompts, pages, authorizer } = openSignIn({ ...base, ...terminal, grants, api })
  const launcher = openLauncher({ ...base, dataDir: settings.dataDir, consent, grants })
  const feed = await openFeed(base)
  if (feed !== undefined) scope.defer(feed.close)
  const clients = await loadClients({ ...base, network: api.network, webhookKey })

  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const { server, registry, hub, presence, invites, providers, operations, revocation } = assemble({
    ...base,
    ...api,
    ...stores,
    uploadFolder: join(settings.dataDir, 'uploads'),
    random: Math.random,
    uid: process.getuid?.(),
    scheduleEndOfTurn: setImmediate,
    version: VERSION,
    quiet,
    user,
    contents: programContents(),
    consent,
    authorizer,
    launcher,
    redeemOperatorProof: (proof) => redeemOperatorProof(settings.dataDir, proof),
    prompts,
    presencePause: {
      isPaused: isPresencePaused(settings.dataDir),
      remember: (isPaused) => rememberPresencePaused(settings.dataDir, isPaused),
    },
    warnings: api.warnings,
    requestStop,
    presenceSinks: feedSinks(feed),
    openClients: clients.openClients,
    openStatus: bridgeStatus({
      platform: profile.name,
      clock,
      ready: ports.ready,
      startedAt: clock.now() - process.uptime() * SECOND_MS,
      localPeers,
      tcpPeers: peers,
      feed,
      warnings: api.warnings,
      webhooks: clients.webhooks,
    }),
  })
  scope.defer(() => presence.arbiter.stop())
  scope.defer(() => providers.stop())
  scope.defer(() => presence.headless.stop())
  await providers.start()
  await serveGames(server, base)
  connectActivities(ports.ready.websocket)

  void sweepGrants(revocation).catch((err: unknown) => log.error('revocation-failed', { err }))
  openDashboard({
    ...base,
    dashboard: ports.dashboard,
    operations,
    acceptInvite: (messageId) => invites.acceptInvite(messageId),
    snapshot: {
      version: VERSION,
      platform: profile.name,
      ready: ports.ready,
      sandboxOrigin,
      clock,
      registry,
      hub,
      presenceStore: presence.store,
      isPresencePaused: () => presence.arbiter.isPaused,
      tokenStore,
      grants,
      prompts,
      pages,
      invites,
      providers,
      warnings: api.warnings,
      counters: server.counters,
    },
  })

  markBridgeLoaded(settings.dataDir)
  scope.defer(() => unmarkBridgeLoaded(settings.dataDir))
  quiet.start()
  const unused = untilIdle({ seconds: settings.idleExit, clock, registry, lifecycle })
  const running = scope.move()
  return { ended: Promise.race([unused, stopRequested]), stop: () => running.disposeAsync() }
}
