/** The daemon without a platform behind it: named pipe, sessions, router and handlers, as the test starts it on Windows. Bundled, then run by node.exe. */
import { Accounts } from '../../../daemon/src/auth/accounts/accounts.ts'
import { Accounting } from '../../../daemon/src/accounting/accounting.ts'
import { Strangers } from '../../../daemon/src/accounting/strangers.ts'
import { Account } from '../../../daemon/src/sessions/local-user.ts'
import { Bridge } from '../../../daemon/src/rpc/server.ts'
import { json } from '../../../daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '../../../daemon/src/ipc/codec/msgpack.ts'
import { FAMILIES, HANDLERS } from '../../../daemon/src/rpc/handlers/index.ts'
import { systemClock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { silentLogger } from '@sallyport/core/logger'
import type { Session } from '../../../daemon/src/sessions/session.ts'
import type { Services } from '../../../daemon/src/rpc/context.ts'
import { SessionRegistry } from '../../../daemon/src/sessions/registry.ts'
import { Router } from '../../../daemon/src/rpc/router.ts'
import { noHistory } from '../../../daemon/src/messages/history.ts'
import { Grants } from '../../../daemon/src/auth/grants/grants.ts'
import { PresenceArbiter } from '../../../daemon/src/presence/arbiter.ts'
import { noDesktopClient } from '../../../daemon/src/events/providers/desktop/desktop-client.ts'
import { noGatewayQuestions } from '../../../daemon/src/events/providers/gateway/questions.ts'
import { SubscriptionHub } from '../../../daemon/src/events/hub.ts'
import { listenLocally } from '../../../daemon/src/ipc/transport/local.ts'

const say = (event: object): void => console.log(JSON.stringify(event))

const nothingToJoin = (): never => {
  throw new BridgeError('SERVICE_UNAVAILABLE', 'Nobody is joined here.')
}

const noPlatform = (): Promise<never> => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'No platform stands behind this bridge.'))

async function main(): Promise<void> {
  const accounting = new Accounting(systemClock)
  const registry = new SessionRegistry()
  const hub = new SubscriptionHub<Session>()
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
  const account = new Account({ id: '1', username: 'player', discriminator: '0', global_name: null, avatar: null }, () => undefined)
  const services: Services = {
    clock: systemClock,
    log: silentLogger,
    authorizer: {
      authorize: noPlatform,
      abort: () => undefined,
      deliver: () => {
        throw new BridgeError('SERVICE_UNAVAILABLE', 'Nobody is asked here.')
      },
    },
    devices: { begin: noPlatform, collect: noPlatform },
    tokenEndpoint: {
      exchange: noPlatform,
      authorizeDevice: noPlatform,
      exchangeDevice: noPlatform,
      refresh: noPlatform,
      revoke: noPlatform,
    },
    keeper: { store: noPlatform, current: noPlatform, forget: noPlatform, storedFor: noPlatform, list: noPlatform },
    grants: new Grants({ platform: 'none', store: { load: () => [], put() {}, remove() {} }, clock: systemClock, newId: () => 'none' }),
    contents: { of: async () => undefined },
    consent: { ask: noPlatform },
    strangers: new Strangers({ clock: systemClock, window: accounting.window('strangerRequests') }),
    refusedRequests: accounting.window('refusedRequests'),
    forwarder: { forward: noPlatform, close: () => Promise.resolve() },
    openUpload: async (_, args) => args,
    history: noHistory,
    platform: { activityProxyHost: 'activities.invalid', removedConnections: { a: [], b: [] } },
    hub,
    sources: { welcome: () => undefined },
    presence,
    desktopClient: noDesktopClient,
    gateway: noGatewayQuestions,
    social: {
      joins: { heard: () => undefined, takeRequest: nothingToJoin, reopen: () => undefined, take: noPlatform },
      launches: { register: nothingToJoin },
      joinable: () => undefined,
      sessionOf: () => undefined,
    },
    account,
    botTokens: { of: noPlatform, refused: noPlatform, store: noPlatform, forget: noPlatform, list: noPlatform },
    isOperator: () => false,
    status: () => {
      throw new BridgeError('SERVICE_UNAVAILABLE', 'This bridge has no status.')
    },
    accounts: new Accounts(
      { deleteTokens: noPlatform, endSessions: () => undefined, stored: () => Promise.resolve(undefined) },
      silentLogger,
    ),
    revoked: noPlatform,
  }
  const bridge = new Bridge({
    clock: systemClock,
    defer: setImmediate,
    log: silentLogger,
    codecs: { json, msgpack: msgpackCodec() },
    router: new Router(services, HANDLERS, FAMILIES),
    registry,
    hub,
    presence,
    account,
    accounting,
    grants: services.grants,
    readyConfig: { cdn_host: 'cdn.invalid', api_endpoint: '//api.invalid' },
    version: '0.0.0',
    uid: process.getuid?.(),
  })
  const { addresses } = await listenLocally({
    directory: '',
    ipcPrefix: 'discord-ipc',
    hasPrivateFolder: false,
    onLink: (link) => bridge.accept(link),
  })
  say({ event: 'ready', node: process.version, platform: process.platform, addresses })
}

main().catch((failure: unknown) => {
  say({ event: 'failed', failure: String(failure) })
  process.exitCode = 1
})
