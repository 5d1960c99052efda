/** The daemon without a platform behind it: named pipe, sessions, router and handlers, as the test starts it on Windows. Bundled, then run by node.exe. */
import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import { Accounts } from '#daemon/src/auth/accounts/accounts.ts'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { UnauthenticatedRequests } from '#daemon/src/accounting/unauthenticated-requests.ts'
import { LocalUser } from '#daemon/src/sessions/local-user.ts'
import { RpcServer } from '#daemon/src/rpc/server.ts'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { createDefaultHandlers, createHandlers, type HandlerDeps } from '#daemon/src/rpc/handlers/index.ts'
import { systemClock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { TurnQueue } from '@sallyport/core/turn-queue'
import { silentLogger } from '#test/support/silent-logger.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { SessionRegistry } from '#daemon/src/sessions/registry.ts'
import { OperatorConnections } from '#daemon/src/operator/connections.ts'
import { Meter } from '#daemon/src/operator/metrics/meter.ts'
import { StatePublisher } from '#daemon/src/operator/state-publisher.ts'
import { CallRecords } from '#daemon/src/rpc/call-records.ts'
import { FrameInspector } from '#daemon/src/rpc/frame-inspector.ts'
import { Router } from '#daemon/src/rpc/router.ts'
import { noHistory } from '#test/support/no-history.ts'
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import { PresenceArbiter } from '#daemon/src/presence/arbiter.ts'
import { noDesktopClient } from '#daemon/src/events/providers/desktop/desktop-client.ts'
import { noBotRequests } from '#daemon/src/events/providers/gateway/bot-requests.ts'
import { noUserRequests } from '#daemon/src/events/providers/gateway/user-requests.ts'
import { SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'
import { openLocalSockets } from '#daemon/src/ipc/transport/local.ts'
import { nodeIpcListener } from '#daemon/src/ipc/transport/node-ipc-listener.ts'
import { supplyBoundSocket } from './node-22.ts'

const say = (event: object): void => console.log(JSON.stringify(event))

const nothingToJoin = (): never => {
  throw new BridgeError('SERVICE_UNAVAILABLE', 'Joining is not available here.')
}

const noPlatform = (): Promise<never> => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'No platform stands behind this bridge.'))

const noState = (): never => {
  throw new BridgeError('SERVICE_UNAVAILABLE', 'This bridge has no state to watch.')
}

async function main(): Promise<void> {
  supplyBoundSocket()
  const accounting = new Accounting(systemClock)
  const registry = new SessionRegistry(new LifecycleEvents())
  const hub = new SubscriptionRegistry<Session>()
  const presence = new PresenceArbiter({
    clock: systemClock,
    sinks: [
      {
        show: ({ applicationId: application }, shown) =>
          say({ event: 'presence', application, details: shown?.stored.activity.details ?? null }),
      },
    ],
    userOf: () => undefined,
  })
  const account = new LocalUser({ id: '1', username: 'player', discriminator: '0', global_name: null, avatar: null })
  const inspector = new FrameInspector(
    systemClock,
    () => undefined,
    () => false,
  )
  const operators = new OperatorConnections(systemClock, new StatePublisher(systemClock, noState))
  const grants = new Grants({ platform: 'none', store: { load: () => [], put() {}, remove() {} }, clock: systemClock, newId: () => 'none' })
  const calls = new CallRecords(systemClock, () => undefined, { watcher: undefined }, process.pid)
  const handlerDeps: HandlerDeps = {
    inspector,
    calls,
    operators,
    sessions: registry,
    operate: noPlatform,
    readMetrics: noPlatform,
    clock: systemClock,
    log: silentLogger,
    authorizer: {
      reserve: () => {
        throw new BridgeError('SERVICE_UNAVAILABLE', 'Sign-ins are not available here.')
      },
      abort: () => undefined,
      deliver: () => {
        throw new BridgeError('SERVICE_UNAVAILABLE', 'Prompts are not available here.')
      },
    },
    devices: { begin: noPlatform, collect: noPlatform },
    tokenEndpoint: { exchange: noPlatform, refresh: noPlatform, revoke: noPlatform },
    tokenStore: { store: noPlatform, current: noPlatform, storedFor: noPlatform, list: noPlatform },
    grants,
    contents: { of: async () => undefined },
    consentPrompts: { ask: noPlatform },
    unauthenticatedRequests: new UnauthenticatedRequests({
      clock: systemClock,
      window: accounting.window('unauthenticatedFailures'),
      isGranted: () => false,
    }),
    forwarder: { forward: noPlatform },
    prepareHttp: () => undefined,
    api: { asSessionWithin: noPlatform, plan: () => ({ token: 'user', needsConsent: false }), obtainBotConsent: noPlatform },
    keyedCalls: { run: noPlatform },
    uploads: { begin: nothingToJoin, append: noPlatform, cancel: () => undefined },
    accounting,
    messageHistory: noHistory,
    platform: { activityProxyHost: 'activities.invalid' },
    subscriptions: hub,
    eventProviders: { confirm: () => undefined, unserved: () => undefined },
    presence,
    desktopClient: noDesktopClient,
    botRequests: noBotRequests,
    outbound: { notCarried: () => [] },
    applications: { nameOf: () => undefined, download: async () => undefined },
    userRequests: noUserRequests,
    imageOrigin: 'https://cdn.invalid',
    social: {
      gameInvites: { onMessage: () => undefined, consumeRequest: nothingToJoin, reopenRequest: () => undefined, accept: noPlatform },
      launcher: { register: nothingToJoin },
      joinableActivity: () => undefined,
      sessionOf: () => undefined,
    },
    localUser: account,
    participants: { of: () => [], signedIn: () => undefined },
    botTokens: { store: noPlatform, delete: noPlatform, list: noPlatform },
    redeemOperatorProof: () => false,
    statusFor: () => {
      throw new BridgeError('SERVICE_UNAVAILABLE', 'This bridge has no status.')
    },
    accounts: new Accounts(
      { deleteTokens: noPlatform, endSessions: () => undefined, stored: () => Promise.resolve(undefined) },
      silentLogger,
    ),
  }
  const bridge = new RpcServer({
    clock: systemClock,
    scheduleEndOfTurn: setImmediate,
    quiet: { start: () => {}, touch: () => {} },
    log: silentLogger,
    codecs: { json, msgpack: msgpackCodec() },
    router: new Router(
      systemClock,
      createHandlers(handlerDeps),
      createDefaultHandlers(handlerDeps),
      new TurnQueue(systemClock, setImmediate),
      { strictArguments: true },
    ),
    inspector,
    calls,
    operators,
    counters: { connections: 0, calls: 0 },
    meter: new Meter(systemClock),
    sessions: registry,
    subscriptions: hub,
    presence,
    localUser: account,
    accounting,
    grants,
    readyConfig: { cdn_host: 'cdn.invalid', api_endpoint: '//api.invalid' },
    version: '0.0.0',
    uid: process.getuid?.(),
  })
  const { sockets } = await openLocalSockets({ directory: '', ipcPrefix: 'discord-ipc', hasPrivateFolder: false, onNeeded: () => {} })
  for (const socket of sockets) await nodeIpcListener(socket).listen((channel) => bridge.openStream(channel))
  const addresses = sockets.map(({ address }) => address)
  say({ event: 'ready', node: process.version, platform: process.platform, addresses })
}

main().catch((failure: unknown) => {
  say({ event: 'failed', failure: String(failure) })
  process.exitCode = 1
})
