/**
 * Starts the bridge: opens what lies outside, then sessions, events, presence and calls, then serves the open ports. Each line needs only the
 * lines above it.
 */
import { join } from 'node:path'
import { systemClock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { MemoryGrowth } from '@sallyport/core/memory-growth'
import { loadLateModules } from '@sallyport/core/os/late-modules'
import { releaseWhenQuiet, relieveMemory } from '@sallyport/core/os/release-memory'
import type { Quiet } from '@sallyport/core/quiet'
import { markBridgeLoaded, unmarkBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { isPresencePaused, rememberPresencePaused } from '@sallyport/core/storage/presence-paused'
import { DataHealth } from '@sallyport/core/storage/data-health'
import { redeemOperatorProof } from '@sallyport/core/storage/operator-proof'
import { TurnQueue } from '@sallyport/core/turn-queue'
import { VERSION } from '@sallyport/core/version'
import { Accounting } from '../accounting/accounting.ts'
import { programContents } from '../identity/content.ts'
import { openPeers } from '../identity/systems.ts'
import { openTcpPeers } from '../loopback/tcp-peer.ts'
import { Meter } from '../operator/metrics/meter.ts'
import { startTrayForQuestions } from '../operator/tray-start.ts'
import { sweepGrants } from '../sessions/grant-revocation.ts'
import { LifecycleEvents } from '../sessions/lifecycle.ts'
import { announceFindings } from './announce-findings.ts'
import { openApi } from './api.ts'
import { openClients } from './clients.ts'
import { openDashboard } from './dashboard.ts'
import { openEvents } from './events.ts'
import { serveGames } from './games.ts'
import type { Host } from './host.ts'
import { untilIdle } from '../sessions/idle.ts'
import { openLauncher } from './launcher.ts'
import { openMetrics } from './metrics.ts'
import { openOtlp } from './otlp.ts'
import { openPlatform } from './platform.ts'
import { feedSinks, openFeed, openPresence } from './presence.ts'
import type { OperatorParts } from './operator.ts'
import { openRpc } from './rpc.ts'
import type { StartBridge } from './running-bridge.ts'
import { openSessions } from './sessions.ts'
import { openSignIn } from './sign-in.ts'
import { openStores } from './stores.ts'

/** Rate-limit buckets that the dashboard shows. */
const SHOWN_BUCKETS = 8
const NEVER: Pick<Quiet, 'start' | 'stop' | 'touch'> = { start: () => {}, stop: () => {}, touch: () => {} }

export const startBridge: StartBridge = async (settings, { log, startTray, ...terminal }, ports, answer = (send) => send) => {
  const clock = systemClock
  await using scope = new AsyncDisposableStack()
  const localPeers = openPeers(process.platform)
  const peers = openTcpPeers({ onUnknown: () => log.info('web-users-unknown', { platform: process.platform }) })
  const health = new DataHealth({ folder: settings.dataDir, clock, log: log.child({ part: 'data' }) })
  const { profile, user, sandboxOrigin, findings, controls, webhookKey, connectActivities } = await openPlatform({
    settings,
    ports,
    clock,
    log,
    peers,
    health,
    scope,
  })

  const quiet = settings.releaseMemory === 'auto' ? releaseWhenQuiet(clock) : NEVER
  scope.defer(() => quiet.stop())
  const lifecycle = new LifecycleEvents()
  const meter = new Meter(clock)
  const base = { settings, ports, profile, clock, log, scope, peers, lifecycle, meter }
  const api = openApi({ ...base, answer })
  const stores = openStores({ ...base, api, health, pauseForGood: () => rememberPresencePaused(settings.dataDir, true) })
  const { grants } = stores
  const growth = new MemoryGrowth({ clock, sizeOf: () => process.memoryUsage.rss(), relieve: relieveMemory })
  const onHeld = settings.releaseMemory === 'auto' ? growth.held.bind(growth) : undefined
  const accounting = new Accounting(clock, (program) => grants.has(program), onHeld)
  const signIn = openSignIn({ ...base, ...terminal, accounting, grants, api, health })
  const launcher = openLauncher({ ...base, consent: signIn.consent, grants, health })
  const feed = openFeed(base)
  if (feed !== undefined) scope.defer(feed.close)
  const beside = await ports.openBeside()

  const host: Host = {
    clock,
    log,
    meter,
    random: Math.random,
    uid: process.getuid?.(),
    version: VERSION,
    scheduleEndOfTurn: setImmediate,
    turns: new TurnQueue(clock, setImmediate),
    quiet,
    contents: programContents(),
  }
  const uploadFolder = join(settings.dataDir, 'uploads')
  const sessions = openSessions({ host, profile, lifecycle, accounting, api, stores, consent: signIn.consent, user, uploadFolder })
  const events = openEvents({ host, accounting, profile, sessions })
  const clients = await openClients({
    ...base,
    ...sessions,
    ...events,
    ...stores,
    turns: host.turns,
    quiet,
    forwarder: api.forwarder,
    network: api.network,
    webhookKey,
    webhookPort: ports.webhooks,
    ownAddresses: () => [...ports.local.sockets, ...beside.sockets].map(({ address }) => address),
  })
  const isPaused = stores.areChoicesLost() || isPresencePaused(settings.dataDir)
  const presence = openPresence({ host, sessions, grants, events, clients, launcher, pages: feedSinks(feed), isPaused })
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>()
  const outside: OperatorParts['outside'] = {
    ready: ports.ready,
    addresses: () => ports.local.sockets.map(({ address }) => address),
    startedAt: clock.elapsed() - process.uptime() * SECOND_MS,
    sandboxOrigin,
    findings,
    localPeers,
    tcpPeers: peers,
    feed,
    health,
    redeemProof: (proof) => redeemOperatorProof(settings.dataDir, proof),
    rememberPresencePaused: (paused) => rememberPresencePaused(settings.dataDir, paused),
    requestStop,
  }
  const rpc = openRpc({
    host,
    profile,
    accounting,
    api,
    stores,
    signIn,
    launcher,
    outside,
    sessions,
    events,
    clients,
    presence,
  })
  const { calls, figures, server, providers, publisher, operate, operators, readMetrics } = rpc
  const { prompts, pages } = signIn
  if (startTray !== undefined)
    startTrayForQuestions({
      clock,
      changed: [prompts.changed, pages.changed],
      isWaiting: () => prompts.pending().length > 0 || pages.all().some(({ browser }) => browser === 'missing'),
      isShown: () => operators.showPrompts,
      start: startTray,
    })
  scope.defer(() => presence.arbiter.stop())
  scope.defer(() => sessions.temporary.stop())
  scope.defer(() => providers.stop())
  scope.defer(() => presence.headless.stop())
  if (findings !== undefined) announceFindings({ findings, lifecycle, registry: sessions.registry, log, announce: terminal.announce })
  if (settings.trace === 'on') await calls.traceAlways()
  await openOtlp({ ...base, version: VERSION, read: readMetrics, calls })
  await providers.start()
  await serveGames(server, { ...base, accounting, beside })
  connectActivities(ports.ready.websocket)

  void sweepGrants(sessions.revocation).catch((err: unknown) => log.error('revocation-failed', { err }))
  openDashboard({
    ...base,
    dashboard: ports.dashboard,
    publisher,
    operate,
    applications: api.applications,
    traces: calls,
    figures: () => ({ ...figures(), buckets: api.fullestBuckets(SHOWN_BUCKETS) }),
    addresses: outside.addresses,
    controls,
  })
  await openMetrics({ ...base, held: ports.metrics, read: readMetrics })

  markBridgeLoaded(settings.dataDir)
  scope.defer(() => unmarkBridgeLoaded(settings.dataDir))
  quiet.start()
  scope.defer(loadLateModules(clock))
  // In a later slot, an ended bridge would not take the first one when it falls free.
  const unused = ports.firstSlot.then(() =>
    untilIdle({ seconds: settings.idleExit, clock, registry: sessions.registry, lifecycle, prompts }),
  )
  const running = scope.move()
  const ended = Promise.race([unused.then(() => 'idle' as const), stopRequested.then(() => 'operator' as const)])
  return { ended, stop: () => running.disposeAsync() }
}
