/** The sandbox platform: an HTTP API, a gateway, OAuth pages and a world of made-up users on loopback, so that games can be built and tested offline. */
import type { RpcUser } from '@sallyport/protocol'
import { type PlatformProfile, SANDBOX, SANDBOX_IPC_PREFIX } from '@sallyport/core/profile'
import { VERSION } from '@sallyport/core/version'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { LOOPBACK_ORIGINS } from '@sallyport/core/origins'
import { SANDBOX_PROVIDER_B } from './api/connections.ts'
import { ATTACHMENT_PATH, serveAttachment } from './api/attachments.ts'
import { gatewayUrl, getGateway } from './api/gateway.ts'
import { endpointRoutes } from './api/operations.ts'
import { controlRoutes } from './control/control.ts'
import { pageRoutes } from './control/page-actions.ts'
import { stateReport } from './control/state.ts'
import { dispatcher } from './dispatch.ts'
import { Faults } from './faults.ts'
import { Router, type Route } from './http/router.ts'
import { Allowance } from './gateway/allowance.ts'
import { Breaks } from './gateway/breaks.ts'
import { Gateway } from './gateway/gateway.ts'
import { gatewayUpgrade } from './gateway/upgrade.ts'
import { startHttpServer } from './http/server.ts'
import { decideAuthorize, showAuthorize } from './oauth/authorize.ts'
import { keys, metadata, userInfo } from './oauth/discovery.ts'
import { decideActivate, requestDeviceCode, showActivate } from './oauth/device.ts'
import { IdTokens } from './oauth/id-token.ts'
import { requestChildToken, requestProvisionalToken, unmergeProvisionalAccount } from './oauth/partner.ts'
import { requestRpcToken, requestToken, revokeToken } from './oauth/token-endpoint.ts'
import { frontPage } from './pages/front.ts'
import { defaultUser, type Platform } from './platform.ts'
import { RateLimits } from './rate-limits.ts'
import { RequestLog } from './request-log.ts'
import { seedWrites } from './seed/seed.ts'
import { SnowflakeSource } from './snowflake.ts'
import { ShownActivities } from './social/shown-activities.ts'
import { openSealer } from './store/sealer.ts'
import { openSqliteBacking } from './store/sqlite.ts'
import { Store } from './store/store.ts'
import { happenings } from './webhooks/happenings.ts'
import { verifyKey } from './webhooks/signing-key.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export interface SandboxOptions {
  /** 0 for any. */
  readonly port: number
  /** Ids of the seeded world follow from it; a data file that has a world keeps its own. */
  readonly seed: string
  /** SQLite file that the state survives in; undefined: memory only. */
  readonly dataFile: string | undefined
  /** Allow every authorization at once, without a page. */
  readonly autoConsent: boolean
  readonly clock: Clock
  readonly log: Logger
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly profile: PlatformProfile
  /** The user whom READY names. */
  readonly defaultUser: RpcUser
  /** The public key of what is sent to the webhook address of an application, in hexadecimal. */
  verifyKey(applicationId: string): string
  close(): Promise<void>
}

/** Games register their callback under the same name as with the platform they were made for. */
const CUSTOM_SCHEME_PREFIX = 'discord'

/** Rejects with SERVICE_UNAVAILABLE when the port or the data file cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, log, seed } = options
  const store = new Store(options.dataFile === undefined ? undefined : openSqliteBacking(options.dataFile))
  try {
    if (store.empty) store.commit(seedWrites(store, seed))
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
    let port = options.port
    const origin = () => `http://127.0.0.1:${port}`
    const sealer = openSealer(options.dataFile === undefined ? undefined : `${options.dataFile}.key`)
    const webhooks = new Webhooks({ store, clock, log, seed })
    const allowance = new Allowance(clock)
    const breaks = new Breaks()
    const platform: Platform = {
      store,
      sealer,
      clock,
      log,
      ids,
      seed,
      webhooks,
      shown: new ShownActivities(),
      gatewayUse: { allowance, breaks },
      origin,
    }
    const gateway = new Gateway(platform)
    store.watch((changes) => {
      for (const { applicationId, type, data } of happenings(changes, platform)) webhooks.tell(applicationId, type, data)
    })
    store.watch((changes) => gateway.follow(changes))
    const server = await startHttpServer(
      options.port,
      clock,
      serveOf(platform, gateway, options, () => port),
      gatewayUpgrade(gateway, () => port),
    )
    port = server.port
    return {
      origin: origin(),
      profile: profileOf(origin()),
      defaultUser: rpcUser(platform),
      verifyKey: (applicationId) => verifyKey(seed, applicationId),
      async close() {
        webhooks.close()
        gateway.close()
        await server.close()
        store.close()
      },
    }
  } catch (failure) {
    store.close()
    throw failure
  }
}

function serveOf(platform: Platform, gateway: Gateway, { autoConsent }: SandboxOptions, port: () => number) {
  const idTokens = new IdTokens(platform)
  const controlled = { platform, gateway, faults: new Faults(), limits: new RateLimits(platform.clock), requests: new RequestLog(), port }
  const consent = { autoConsent, customSchemePrefix: CUSTOM_SCHEME_PREFIX }
  const authorize: Route[] = [
    { method: 'GET', path: '/oauth2/authorize', answer: showAuthorize(platform, idTokens, consent) },
    { method: 'POST', path: '/oauth2/authorize', answer: decideAuthorize(platform, consent, port) },
  ]
  const api: Route[] = [
    ...endpointRoutes(platform, {
      GET_GATEWAY: getGateway(platform),
      REQUEST_CHILD_TOKEN: requestChildToken(platform),
      REQUEST_PROVISIONAL_ACCOUNT_UNMERGE: unmergeProvisionalAccount(platform),
      REQUEST_PROVISIONAL_TOKEN: requestProvisionalToken(platform, idTokens),
      REQUEST_TOKEN: requestToken(platform, idTokens),
    }),
    ...authorize,
    { method: 'POST', path: '/oauth2/token/revoke', answer: revokeToken(platform) },
    { method: 'POST', path: '/oauth2/token/rpc', answer: requestRpcToken(platform) },
    { method: 'POST', path: '/oauth2/device/authorize', answer: requestDeviceCode(platform, consent) },
    { method: 'GET', path: '/oauth2/keys', answer: keys(idTokens) },
    { method: 'GET', path: '/oauth2/userinfo', answer: userInfo(platform) },
  ]
  const site: Route[] = [
    ...authorize,
    { method: 'GET', path: '/activate', answer: showActivate(platform) },
    { method: 'POST', path: '/activate', answer: decideActivate(platform, port) },
    ...controlRoutes(controlled),
    ...pageRoutes(platform, port),
    { method: 'GET', path: '/', answer: () => frontPage(stateReport(controlled), `${platform.origin()}/api/v10`) },
    { method: 'GET', path: ATTACHMENT_PATH, answer: serveAttachment(platform) },
    { method: 'GET', path: '/.well-known/openid-configuration', answer: metadata(platform) },
    { method: 'GET', path: '/.well-known/oauth-authorization-server', answer: metadata(platform) },
  ]
  return dispatcher({ ...controlled, api: new Router(api), site: new Router(site) })
}

const profileOf = (origin: string): PlatformProfile => ({
  name: SANDBOX,
  ipcPrefix: SANDBOX_IPC_PREFIX,
  baseUrl: `${origin}/api/v10`,
  authorizeUrl: `${origin}/oauth2/authorize`,
  tokenUrl: `${origin}/api/v10/oauth2/token`,
  revokeUrl: `${origin}/api/v10/oauth2/token/revoke`,
  gatewayUrl: gatewayUrl(origin),
  cdnHost: new URL(origin).host,
  // Every name below localhost leads to this machine.
  activityProxyHost: `localhost:${new URL(origin).port}`,
  removedConnections: { b: [SANDBOX_PROVIDER_B] },
  bridgeOrigins: [...LOOPBACK_ORIGINS],
  rpcOrigins: [...LOOPBACK_ORIGINS],
  userAgent: `DiscordBot (sallyport, ${VERSION})`,
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
