/** The sandbox platform on loopback: HTTP API, gateway, OAuth pages and made-up users, to develop and test games offline. */
import type { RpcUser } from '@sallyport/protocol'
import type { PlatformProfile } from '@sallyport/core/profile'
import { SANDBOX, SANDBOX_IPC_PREFIX, SANDBOX_USERS, type SandboxUser } from '@sallyport/core/platform-names'
import { VERSION } from '@sallyport/core/version'
import type { Clock } from '@sallyport/core/clock'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { Logger } from '@sallyport/core/logger'
import type { HeldPort } from '@sallyport/core/net/held-port'
import { LOOPBACK_ORIGINS } from '@sallyport/core/origins'
import type { SignalSource } from '@sallyport/core/signal'
import { sandboxOrigin, sandboxUrls } from './addresses.ts'
import { ATTACHMENT_PATH, serveAttachment } from './api/attachments.ts'
import { ActivityProxy } from './embedded/activity-proxy.ts'
import { activityRoutes } from './embedded/routes.ts'
import { gatewayUrl, getGateway } from './api/gateway.ts'
import { endpointRoutes } from './api/operations.ts'
import { pictureRoutes, publicApplicationRoutes } from './api/public-applications.ts'
import { listStickerPacks } from './api/stickers.ts'
import type { ControlContext } from './control/control-context.ts'
import { controlPageRoutes } from './control/control-page.ts'
import { controlRoutes } from './control/control.ts'
import { type OpenControls, openControls } from './control/open-controls.ts'
import { Journal } from './control/journal.ts'
import { pageRoutes } from './control/page-actions.ts'
import { stateReport } from './control/state.ts'
import { failureReply } from './http/failure-reply.ts'
import { PlatformError } from './platform-error.ts'
import { CALL_ID_HEADER, createRequestHandler } from './request-handler.ts'
import { Faults } from './faults.ts'
import { Router, type Route } from './http/router.ts'
import { SessionStartLimit } from './gateway/session-start-limit.ts'
import { GatewayFaults } from './gateway/gateway-faults.ts'
import { Gateway } from './gateway/gateway.ts'
import { gatewayUpgrade } from './gateway/upgrade.ts'
import type { IsOwnPeer } from './http/peer.ts'
import { serveHttp } from './http/server.ts'
import { decideAuthorize, showAuthorize } from './oauth/authorize.ts'
import { keys, metadata } from './oauth/discovery.ts'
import { decideActivate, requestDeviceCode, showActivate } from './oauth/device.ts'
import { IdTokens } from './oauth/id-token.ts'
import { requestChildToken, requestProvisionalToken, unmergeProvisionalAccount } from './oauth/partner.ts'
import { requestRpcToken, requestToken, revokeToken } from './oauth/token-endpoint.ts'
import { frontPage } from './pages/front.ts'
import { MovableClock } from './movable-clock.ts'
import { Patterns } from './api/patterns.ts'
import { defaultUser, type Platform } from './platform.ts'
import { RateLimits } from './rate-limits.ts'
import { RequestLog } from './request-log.ts'
import { seedWrites } from './seed/seed.ts'
import { SnowflakeSource } from './snowflake.ts'
import { type FindingReport, type SandboxMode, Strictness } from './strict/strictness.ts'
import { copyLinkedMessages } from './social/linked-channels.ts'
import { ShownActivities } from './social/shown-activities.ts'
import { openSealer } from './store/sealer.ts'
import { openSqliteBackend } from './store/sqlite.ts'
import { Store } from './store/store.ts'
import { webhookEvents } from './webhooks/webhook-events.ts'
import { verifyKey } from './webhooks/signing-key.ts'
import { post, postNothing } from './webhooks/post.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export interface SandboxOptions {
  /** Its port, of `holdSandboxPort`. */
  readonly held: HeldPort
  /** Port of the proxy of embedded activities; 0 for any free port. */
  readonly activityPort: number
  readonly isOwnPeer: IsOwnPeer
  /** The ids of the initial data derive from it. A data file with data keeps its own ids. */
  readonly seed: string
  /** `strict` refuses what the platform refuses; `relaxed` remembers it as findings. */
  readonly mode: SandboxMode
  /** Where the file of the state is; undefined keeps it in memory only. */
  readonly data: Pick<DataHealth, 'pathOf' | 'setAside'> | undefined
  /** Allows every authorization at once, without the consent page. */
  readonly autoConsent: boolean
  /** The user who is signed in unless a request names another. Default: the first one. */
  readonly username?: SandboxUser | undefined
  /** Sends nothing to the webhook and interaction addresses of applications. Default: false. */
  readonly isIsolated?: boolean
  readonly clock: Clock
  readonly log: Logger
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly profile: PlatformProfile
  /** The user in READY. */
  readonly defaultUser: RpcUser
  /** What the platform would have refused, as far as the relaxed sandbox saw. */
  readonly findings: { current(): readonly FindingReport[]; readonly changed: SignalSource<void> }
  /** The public key, in hexadecimal, of the application's webhooks. */
  verifyKey(applicationId: string): string
  readonly controls: OpenControls
  /** Connects the pages of embedded activities to the websocket of a bridge. */
  connectActivities(bridge: string | undefined): void
  close(): Promise<void>
}

/** Games register their callback with the scheme of the real platform. */
const CUSTOM_SCHEME_PREFIX = 'discord'

/** Rejects with SERVICE_UNAVAILABLE when the data file or the port of the activity proxy cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, seed } = options
  const clock = new MovableClock(options.clock)
  const strictness = new Strictness(options.mode)
  const store = new Store(options.data === undefined ? undefined : openSqliteBackend(options.data))
  try {
    if (store.empty) store.commit(seedWrites(store, seed))
    const patterns = new Patterns()
    await patterns.load(store.moderationRules.all())
    const ids = new SnowflakeSource(
      clock,
      [
        ...store.users.all(),
        ...store.lobbies.all(),
        ...store.messages.all(),
        ...store.channelMessages.all(),
        ...store.userMessages.all(),
        ...store.authorizations.all(),
        ...store.sounds.all(),
        ...store.emojis.all(),
        ...store.entitlements.all(),
        ...store.subscriptions.all(),
        ...store.interactions.all(),
        ...store.commands.all(),
        ...store.moderationRules.all(),
        ...store.auditEntries.all(),
        ...store.headlessSessions.all(),
        ...store.files.all(),
      ].map(({ id }) => id),
    )
    const { port } = options.held
    const origin = () => sandboxOrigin(port)
    const sealer = openSealer(options.data === undefined ? undefined : `${options.data.pathOf('sandbox.sqlite')}.key`)
    const webhooks = new Webhooks({ store, clock, log, seed, post: options.isIsolated === true ? postNothing : post })
    const sessionStarts = new SessionStartLimit(clock)
    const faults = new GatewayFaults()
    const platform: Platform = {
      store,
      sealer,
      clock,
      wallClock: options.clock,
      log,
      ids,
      seed,
      username: options.username ?? SANDBOX_USERS[0],
      webhooks,
      patterns,
      strictness,
      shownActivities: new ShownActivities(),
      gatewayControls: { sessionStarts, faults },
      origin,
    }
    const gateway = new Gateway(platform)
    const activities = new ActivityProxy({ platform, port: options.activityPort, isOwnPeer: options.isOwnPeer })
    store.watch((changes) => {
      for (const { applicationId, type, data } of webhookEvents(changes, platform)) webhooks.publish(applicationId, type, data)
    })
    store.watch((changes) => gateway.applyChanges(changes))
    // The last one: its own changes follow the events of these.
    store.watch((changes) => copyLinkedMessages(platform, changes))
    await activities.openIfMapped()
    const serve = serveOf({ platform, gateway, activities, clock, options, port: () => port })
    const closeServer = serveHttp(options.held, {
      clock: options.clock,
      isOwnPeer: options.isOwnPeer,
      serve,
      upgrade: gatewayUpgrade(gateway, () => port),
      refusal: failureReply(new PlatformError('anotherUser'), log),
    })
    return {
      origin: origin(),
      profile: profileOf(origin(), activities),
      defaultUser: rpcUser(platform),
      findings: { current: () => strictness.findings(), changed: strictness.changed },
      controls: openControls(serve, port),
      verifyKey: (applicationId) => verifyKey(seed, applicationId),
      connectActivities(bridge) {
        activities.bridge = bridge
      },
      async close() {
        webhooks.close()
        gateway.close()
        await activities.close()
        await closeServer()
        store.close()
      },
    }
  } catch (failure) {
    store.close()
    throw failure
  }
}

interface Served {
  readonly platform: Platform
  readonly gateway: Gateway
  readonly activities: ActivityProxy
  readonly clock: MovableClock
  readonly options: Pick<SandboxOptions, 'autoConsent'>
  readonly port: () => number
}

function serveOf({ platform, gateway, activities, clock, options, port }: Served) {
  const idTokens = new IdTokens(platform)
  const limits = new RateLimits(clock, platform.strictness)
  const controlled: ControlContext = {
    platform,
    gateway,
    clock,
    journal: new Journal(platform.store),
    faults: new Faults(),
    limits,
    requests: new RequestLog(),
    port,
  }
  const controls = [...controlRoutes(controlled), ...activityRoutes(platform, activities, port)]
  const consent = { autoConsent: options.autoConsent, customSchemePrefix: CUSTOM_SCHEME_PREFIX }
  const authorize: Route[] = [
    { method: 'GET', path: '/oauth2/authorize', handle: showAuthorize(platform, idTokens, consent) },
    { method: 'POST', path: '/oauth2/authorize', handle: decideAuthorize(platform, consent, port) },
  ]
  const api: Route[] = [
    ...endpointRoutes(platform, {
      GET_GATEWAY: getGateway(platform),
      LIST_STICKER_PACKS: listStickerPacks,
      REQUEST_CHILD_TOKEN: requestChildToken(platform),
      REQUEST_PROVISIONAL_ACCOUNT_UNMERGE: unmergeProvisionalAccount(platform),
      REQUEST_PROVISIONAL_TOKEN: requestProvisionalToken(platform, idTokens),
      REQUEST_TOKEN: requestToken(platform, idTokens),
    }),
    ...authorize,
    { method: 'POST', path: '/oauth2/token/revoke', handle: revokeToken(platform) },
    { method: 'POST', path: '/oauth2/token/rpc', handle: requestRpcToken(platform) },
    { method: 'POST', path: '/oauth2/device/authorize', handle: requestDeviceCode(platform, consent) },
    { method: 'GET', path: '/oauth2/keys', handle: keys(idTokens) },
    ...publicApplicationRoutes(platform),
  ]
  const site: Route[] = [
    ...authorize,
    { method: 'GET', path: '/activate', handle: showActivate(platform) },
    { method: 'POST', path: '/activate', handle: decideActivate(platform, port) },
    ...controls,
    ...pageRoutes(controlled),
    ...controlPageRoutes(controls, port),
    { method: 'GET', path: '/', handle: () => frontPage(stateReport(controlled), `${platform.origin()}/api/v10`) },
    { method: 'GET', path: ATTACHMENT_PATH, handle: serveAttachment(platform) },
    ...pictureRoutes,
    { method: 'GET', path: '/.well-known/openid-configuration', handle: metadata(platform) },
    { method: 'GET', path: '/.well-known/oauth-authorization-server', handle: metadata(platform) },
  ]
  return createRequestHandler({ ...controlled, api: new Router(api), site: new Router(site) })
}

const profileOf = (origin: string, activities: ActivityProxy): PlatformProfile => ({
  name: SANDBOX,
  ipcPrefix: SANDBOX_IPC_PREFIX,
  ...sandboxUrls(origin),
  gatewayUrl: gatewayUrl(origin),
  cdnHost: new URL(origin).host,
  get activityProxyHost() {
    return activities.host
  },
  presenceOrigins: [...LOOPBACK_ORIGINS],
  rpcOrigins: [...LOOPBACK_ORIGINS],
  userAgent: `DiscordBot (sallyport, ${VERSION})`,
  callIdHeader: CALL_ID_HEADER,
  customSchemePrefix: CUSTOM_SCHEME_PREFIX,
})

function rpcUser(platform: Platform): RpcUser {
  const { id, username, globalName } = defaultUser(platform)
  return {
    id,
    username,
    discriminator: '0',
    global_name: globalName,
    avatar: null,
    avatar_decoration_data: null,
    bot: false,
    flags: 0,
    premium_type: 0,
  }
}
