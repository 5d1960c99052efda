/** The one place that makes concrete things and joins them. Reads top to bottom as the picture of the daemon. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Accounts } from '../auth/accounts/accounts.ts'
import { Accounting } from '../accounting/accounting.ts'
import { pageCharges } from '../accounting/pages.ts'
import { UnverifiedRequests } from '../accounting/unverified-requests.ts'
import { LocalUser } from '../sessions/local-user.ts'
import type { PageRequester } from '../auth/auth.ts'
import { createAuthorizer } from '../auth/oauth/authorizer.ts'
import { CallbackRegistry } from '../auth/oauth/callback-registry.ts'
import { createDeviceSignIns } from '../auth/oauth/device-sign-ins.ts'
import { PendingNonces } from '../auth/oauth/pending-nonces.ts'
import { createTokenEndpoint } from '../auth/oauth/token-endpoint.ts'
import { createTokenStore } from '../auth/tokens/token-store.ts'
import { createBotTokens } from '../auth/tokens/bot-tokens.ts'
import { openVault } from '../auth/vault/encrypted-file.ts'
import { keychain } from '../auth/vault/keychain.ts'
import { createKeychainClient, selfCommand } from '../auth/vault/keychain-client.ts'
import { lazyVault } from '../auth/vault/lazy-vault.ts'
import { RpcServer } from '../rpc/server.ts'
import { bridgeSnapshot } from './snapshot.ts'
import { bridgeStatus } from './status.ts'
import type { Compose, ReadyLine } from './bridge-port.ts'
import { json } from '../ipc/codec/json.ts'
import { msgpackCodec } from '../ipc/codec/msgpack.ts'
import { openClientLink } from './desktop.ts'
import { DEFAULT_HANDLERS, HANDLERS } from '../rpc/handlers/index.ts'
import { readCertificates } from '../config/certificates.ts'
import { rpcOriginRules } from '../config/web-origins.ts'
import { VERSION } from '@sallyport/core/version'
import { systemClock } from '@sallyport/core/clock'
import { type Closer, closeAll } from '@sallyport/core/closer'
import { Secret } from '@sallyport/core/secret'
import { removeAddress, writeAddress } from '../admin/address-file.ts'
import { AuthorizationPages } from '../admin/authorization-pages.ts'
import { startDashboard } from '../admin/server.ts'
import type { Session } from '../sessions/session.ts'
import { type GrantRevocationDeps, revokeGrant, sweepGrants } from '../sessions/grant-revocation.ts'
import { SessionRegistry } from '../sessions/registry.ts'
import { accountDeps, handleRejectedToken } from '../sessions/revocation.ts'
import { Router } from '../rpc/router.ts'
import { consentOf } from '../auth/grants/consent.ts'
import { Grants } from '../auth/grants/grants.ts'
import { ConsentPrompts } from '../auth/grants/consent-prompts.ts'
import { createPromptLimits } from '../auth/grants/prompt-limits.ts'
import { requesterLines } from '../auth/grants/prompt-text.ts'
import { promptId, shortId } from '../auth/grants/short-id.ts'
import { openGrantStore } from '../auth/grants/store.ts'
import { promptDisplays } from '../auth/grants/prompt-displays.ts'
import type { Services } from '../rpc/context.ts'
import { storedHistory } from '../messages/stored-history.ts'
import { programContents } from '../identity/content.ts'
import { openPeers } from '../identity/systems.ts'
import { openJoining } from './social.ts'
import { openSources } from './events.ts'
import { consentSurface, openPlatform, platformFacts } from './platform.ts'
import { openShowing } from './presence.ts'
import { type Program, programOf } from '../identity/program.ts'
import { noBotRequests } from '../events/providers/gateway/bot-requests.ts'
import { requestAccountLink } from '../events/account-link.ts'
import { createPublisher } from '../events/publisher.ts'
import { SubscriptionRegistry } from '../events/subscription-registry.ts'
import { redeemOperatorProof } from '@sallyport/core/storage/operator-proof'
import { removeSocketAddress, writeSocketAddress } from '@sallyport/core/storage/socket-address'
import { isLaterSlot } from '../ipc/transport/address.ts'
import { listenLocally } from '../ipc/transport/local.ts'
import { openTcpPeers } from '../loopback/tcp-peer.ts'
import { listenRpcWebSocket } from '../ipc/transport/rpc-websocket.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'
import { errorFromCodedReply } from '../platform/api/failure.ts'
import { botIdentity } from '../auth/tokens/bot-identity.ts'
import { createForwarder } from '../platform/api/forwarder.ts'
import { createHttpSend } from '../platform/api/http.ts'
import { Warnings } from '../platform/api/warnings.ts'
import { openUpload } from '../platform/api/open-upload.ts'

const DASHBOARD_TOKEN_BYTES = 24

/** `//host/path` of the API without scheme and version, as READY gives it. */
const schemeless = (baseUrl: string): string => baseUrl.replace(/^https?:/, '').replace(/\/v\d+$/, '')

export const compose: Compose = async (settings, { log, ...ports }) => {
  const announce = (line: string) => ports.announce(line)
  const clock = systemClock
  const closers: Closer[] = []
  try {
    const localPeers = openPeers(process.platform)
    const [{ profile, user, sandboxOrigin, webhookKey }, peers] = await Promise.all([
      openPlatform(settings, clock, log, closers),
      openTcpPeers(),
    ])
    const accounting = new Accounting(clock)
    if (!peers.areKnown) log.info('web-users-unknown', { platform: process.platform })

    const registry = new SessionRegistry()
    const hub = new SubscriptionRegistry<Session>()
    const call = (caller: Session, cmd: string, args: unknown) => router.route(caller, { cmd, args, evt: undefined, nonce: null })
    const showing = await openShowing({ settings, profile, clock, log, peers, registry, call, announce, closers })
    const { presence, users, shown, headless } = showing
    const account = new LocalUser(user, (now) => hub.publish({ name: 'CURRENT_USER_UPDATE', args: {} }, now))

    const keychainHelper = createKeychainClient(selfCommand())
    closers.push(async () => keychainHelper.close())
    const vault = lazyVault(async () => {
      const opened = await openVault({ dataDirectory: settings.dataDir, store: settings.vault, keychain: keychain(keychainHelper.send) })
      log.info('vault-opened', { keyIn: opened.keyIn })
      return opened
    }, clock)
    const certificates = settings.caFile === undefined ? {} : { certificates: readCertificates(settings.caFile) }
    const egress: NetworkOptions = { proxies: settings.proxies, ...certificates }
    const http = createHttpSend(egress)
    closers.push(() => http.close())
    const history = storedHistory({
      file: join(settings.dataDir, 'history.sqlite'),
      platform: profile.name,
      clock,
      log: log.child({ part: 'history' }),
    })
    closers.push(() => history.close())
    const accounts = new Accounts(
      accountDeps(() => ({ registry, tokenStore: keeper, history, joins, log })),
      log.child({ part: 'accounts' }),
    )
    const inBackground = (work: Promise<unknown>) => void work.catch((err: unknown) => log.error('revocation-failed', { err }))
    const upstreamLog = log.child({ part: 'upstream' })
    const warnings = new Warnings(clock, upstreamLog)
    const forwarder = createForwarder({
      profile,
      send: http.send,
      clock,
      log: upstreamLog,
      warnings,
      random: Math.random,
      onUnauthorized({ kind, id, token }) {
        const [applicationId = '', userId = ''] = id.split(':')
        if (kind !== 'user') return
        // A turn later, so that the call that found out is answered before its connection hears the news.
        setImmediate(() => inBackground(handleRejectedToken({ registry, tokenStore: keeper, accounts, log }, applicationId, userId, token)))
      },
    })
    closers.push(() => forwarder.close())
    const callbacks = new CallbackRegistry(accounting.window('wrongCallbacks'))
    const nonces = new PendingNonces(clock)
    const pages = new AuthorizationPages()
    const linesOf = (who: PageRequester) => requesterLines({ ...who, applicationName: grants.applicationName(who.applicationId) })
    const consentPages = consentSurface(settings, http.send, (url) => callbacks.deliver(url, 'bridge'), announce, linesOf)
    const surface = settings.consent === 'prompt' ? pages.track(consentPages, { linesOf, now: () => clock.now() }) : consentPages
    const tokenEndpoint = createTokenEndpoint({
      profile,
      send: http.send,
      platformRefusal: (reply, secrets) => errorFromCodedReply(reply, clock.now(), secrets),
      nonces,
    })
    const grantStore = openGrantStore(join(settings.dataDir, 'grants.sqlite'))
    closers.push(grantStore.close)
    const grants = new Grants({ platform: profile.name, store: grantStore, clock, newId: shortId })
    const questions = new ConsentPrompts({
      clock,
      log: log.child({ part: 'grants' }),
      newId: promptId,
      limits: createPromptLimits({
        clock,
        isKnown: (program) => grants.has(program),
        charge: (program) => accounting.charge('questions', program),
      }),
      displays: promptDisplays(ports, settings.dashboardPort !== 'off'),
      isListShown: settings.dashboardPort !== 'off',
    })
    const consent = consentOf(settings.consent, questions)
    const keeper = createTokenStore({
      platform: profile.name,
      vault: vault.tokens,
      tokenEndpoint,
      clock,
      log: log.child({ part: 'tokens' }),
      random: Math.random,
      onEnded: (applicationId, userId, cause) => inBackground(accounts.apply(applicationId, userId, cause)),
      onDeleted: (applicationId, userId) => {
        gateway?.source.closeAccount(applicationId, userId)
        grants.deleteAccount(applicationId, userId)
      },
    })

    const tell = createPublisher({ hub, clock })
    const { desktopClient, ...client } = openClientLink({
      settings,
      profile,
      clock,
      log,
      hub,
      registry,
      keeper,
      publish: tell,
      isProvidedByGateway: (caller, event) => gateway?.source.covers(caller, event) === true,
      onUser: (named) => account.setFromClient(named),
      ownAddresses: () => ipc,
    })
    const { launches, parts: joining } = openJoining({
      dataDir: settings.dataDir,
      profile,
      clock,
      log,
      registry,
      presence,
      users,
      keeper,
      forwarder,
      desktopClient,
      consent,
      grants,
      closers,
    })
    const botTokens = createBotTokens({
      platform: profile.name,
      collection: vault.bots,
      configuredToken: settings.botToken,
      identify: botIdentity(forwarder),
      onChange: (applicationId) => gateway?.source.botChanged(applicationId),
    })
    const { sources, webhooks, joins, gateway } = await openSources({
      settings,
      profile,
      clock,
      log,
      hub,
      accounts,
      grants,
      history,
      joining,
      client: client.sources,
      tell,
      gateway: { registry, tokenStore: keeper, botTokens, forwarder, egress },
      webhookKey,
      call,
    })
    closers.push(() => sources.stop())
    showing.use([...client.carriers, ...(gateway === undefined ? [] : [gateway.presence])])
    closers.push(() => headless.stop())

    const ipc: string[] = []
    let websocket: string | undefined
    const status = bridgeStatus({
      platform: profile.name,
      ipc,
      localPeers,
      tcpPeers: peers,
      clock,
      registry,
      presence,
      showing,
      sources,
      warnings,
      webhooks,
      websocket: () => websocket,
    })
    const isGranted = (program: Program, applicationId: string) => grants.has(program, applicationId)
    // Only pages that a person sees are few.
    const chargePage = settings.consent === 'prompt' ? pageCharges({ accounting, isGranted }) : () => () => {}
    const services: Services = {
      clock,
      log,
      authorizer: createAuthorizer({ profile, prompt: surface, callbacks, nonces, clock, peers, chargePage }),
      devices: createDeviceSignIns({ tokenEndpoint, clock, charge: (program) => accounting.charge('deviceSignIns', program) }),
      unverifiedRequests: new UnverifiedRequests({ clock, window: accounting.window('strangerRequests') }),
      rejectedRequests: accounting.window('refusedRequests'),
      tokenEndpoint,
      tokenStore: keeper,
      grants,
      contents: programContents(),
      consentPrompts: consent,
      forwarder,
      openUpload,
      messageHistory: history,
      platform: platformFacts(profile),
      subscriptions: hub,
      eventProviders: sources,
      presence,
      desktopClient,
      botRequests: gateway?.questions ?? noBotRequests,
      social: {
        gameInvites: joins,
        launcher: launches,
        joinableActivity: joining.joinableActivity,
        sessionOf: ({ applicationId, userId }) => gateway?.sessionOf(applicationId, userId) ?? headless.sessionOf(applicationId, userId),
      },
      localUser: account,
      botTokens,
      redeemOperatorProof: (proof) => redeemOperatorProof(settings.dataDir, proof),
      status,
      accounts,
      async revokeAccount(applicationId, userId, reason, cause = 'revoked_by_user') {
        await accounts.apply(applicationId, userId, cause, reason)
      },
    }

    const router = new Router(services, HANDLERS, DEFAULT_HANDLERS)
    await sources.start()
    const bridge = new RpcServer({
      clock,
      scheduleEndOfTurn: setImmediate,
      log,
      codecs: { json, msgpack: msgpackCodec() },
      router,
      sessions: registry,
      subscriptions: hub,
      presence,
      localUser: account,
      accounting,
      grants,
      readyConfig: { cdn_host: profile.cdnHost, api_endpoint: schemeless(profile.baseUrl) },
      version: VERSION,
      uid: process.getuid?.(),
    })
    const listening = await listenLocally({
      directory: settings.runtimeDir,
      ipcPrefix: profile.ipcPrefix,
      hasPrivateFolder: settings.isRuntimeDirDefault,
      onChannel: (link) => bridge.openConnection(link),
    })
    ipc.push(...listening.addresses)
    if (ipc.some(isLaterSlot)) {
      log.warn('first-slot-taken', { ipc })
      announce(
        `Another server, perhaps the platform's own client, has the first slot: games that look no further reach that one and not ${ipc.join(', ')}. To be first, stop it, start this bridge, then start it again.`,
      )
    }
    closers.push(listening.close)
    if (listening.ownAddress !== undefined) {
      writeSocketAddress(settings.dataDir, listening.ownAddress)
      closers.push(async () => removeSocketAddress(settings.dataDir))
    }
    const web = await listenRpcWebSocket({
      clock,
      log,
      peers,
      isAllowed: rpcOriginRules(profile.rpcOrigins, settings.rpcOrigins),
      charge: (origin) => accounting.charge('webConnections', programOf({ origin })),
      onChannel: (link) => bridge.openConnection(link),
    })
    if (web === undefined) log.warn('web-ports-taken', {})
    else {
      closers.push(web.close)
      websocket = `ws://127.0.0.1:${web.port}`
    }
    closers.push(async () => bridge.close('The bridge stops.'))

    const grantRevocation: GrantRevocationDeps = { registry, tokenStore: keeper, log, grants, accounts, tokenEndpoint, clock }
    inBackground(sweepGrants(grantRevocation))

    let dashboardUrl: string | null = null
    if (settings.dashboardPort !== 'off') {
      const { counters } = bridge
      const about = { version: VERSION, platform: profile.name, ipc, sandboxOrigin, clock }
      const dashboard = await startDashboard({
        clock,
        peers,
        port: settings.dashboardPort,
        token: new Secret(randomBytes(DASHBOARD_TOKEN_BYTES).toString('base64url')),
        snapshot: () =>
          bridgeSnapshot({ ...about, registry, hub, shown, keeper, grants, questions, pages, joins, sources, warnings, counters }),
        actions: {
          answer: (id, isAllowed) => questions.answer(id, isAllowed),
          revoke: (id) => revokeGrant(id, grantRevocation),
          acceptInvite: (messageId) => joins.acceptInvite(messageId),
          link: (applicationId) => requestAccountLink(hub, applicationId) > 0,
        },
        log: log.child({ part: 'dashboard' }),
      })
      writeAddress(settings.dataDir, dashboard.url)
      closers.push(dashboard.close)
      closers.push(async () => removeAddress(settings.dataDir))
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
      ...(webhooks?.base === undefined ? {} : { webhooks: webhooks.base }),
      ...(websocket === undefined ? {} : { websocket }),
      ...(showing.bridgeAddress === undefined ? {} : { bridge: showing.bridgeAddress }),
    }
    log.info('ready', { ipc, platform: profile.name })
    return { ready, stop: () => closeAll(closers) }
  } catch (failure) {
    await closeAll(closers)
    throw failure
  }
}
