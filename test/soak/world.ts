/** The parts of a soak, built once: a platform and a desktop client that outlive the daemon, the daemon, and ordinary games. */
import { join } from 'node:path'
import type { Folders, Target } from '../e2e/support/daemon.ts'
import { sallyport } from '../e2e/support/daemon.ts'
import { DesktopClient } from './desktop-client.ts'
import { Game, type GamePlan } from './game.ts'
import { Ledger } from './ledger.ts'
import { Operator } from './operator.ts'
import type { Probe } from './probes.ts'
import { allowPrograms, followPages } from './permissions.ts'
import { BridgeProcess, PlatformProcess } from './processes.ts'
import { writeProfile } from './profile.ts'
import { botTokenOf, SandboxControl } from './sandbox-control.ts'

/** `main` has a bot, a lobby and webhooks; `other` has nothing but its players; no user signs in to `silent`. */
const APPLICATIONS = { main: '9101000000000000001', other: '9101000000000000002', silent: '9101000000000000003' } as const

const PLANS: readonly GamePlan[] = [
  { name: 'ada', applicationId: APPLICATIONS.main, user: 'ada', signIn: 'page', encoding: 'json' },
  { name: 'grace', applicationId: APPLICATIONS.main, user: 'grace', signIn: 'token', encoding: 'msgpack' },
  { name: 'ada elsewhere', applicationId: APPLICATIONS.other, user: 'ada', signIn: 'token', encoding: 'msgpack' },
  { name: 'signed out', applicationId: APPLICATIONS.silent, signIn: 'none', encoding: 'json' },
]

const SCOPES = ['openid', 'identify', 'guilds', 'rpc', 'sdk.social_layer'] as const
const LOBBY_SECRET = 'soak'
const WEBHOOK_TYPES = [
  'APPLICATION_DEAUTHORIZED',
  'ENTITLEMENT_CREATE',
  'ENTITLEMENT_UPDATE',
  'ENTITLEMENT_DELETE',
  'LOBBY_MESSAGE_CREATE',
  'GAME_DIRECT_MESSAGE_CREATE',
]
const CONNECT_MS = 20_000

/** What the gateway wants of its clients here, so that a missing answer shows within a step. */
export const HEARTBEAT_MS = 1_500

/** The platform forgets it when it is killed. */
export const quickenHeartbeats = (platform: SandboxControl): Promise<unknown> =>
  platform.control('gateway', { action: 'hello', heartbeat_interval: HEARTBEAT_MS })

export type Closer = () => Promise<void>

export interface World {
  readonly applications: typeof APPLICATIONS
  readonly users: { readonly ada: string; readonly grace: string }
  readonly guildId: string
  readonly skuId: string
  readonly lobbyId: string
  /** Token of a player whose game is not on this machine, for the main application. */
  readonly stranger: string
  readonly platformProcess: PlatformProcess
  readonly platform: SandboxControl
  readonly bridge: BridgeProcess
  readonly client: DesktopClient
  readonly operator: Operator
  readonly games: readonly Game[]
  readonly ledger: Ledger
  /** What the daemon logged as its own failure. */
  readonly errors: readonly string[]
}

/** What of the daemon's words is a failure of its own. */
const ERROR_LINE = /^\{"level":"?(?:error|fatal|50|60)"?.*$/gm

async function introduce(game: Game, platform: SandboxControl): Promise<void> {
  const { plan, client } = game
  await client.connect({ timeoutMs: CONNECT_MS })
  if (plan.signIn === 'page') await client.askToSignIn({ scopes: SCOPES })
  if (plan.signIn === 'token') {
    await client.call('AUTHENTICATE', { access_token: await platform.tokenOf(plan.user ?? '', plan.applicationId, SCOPES) })
  }
  await game.show('at the start')
}

/** Builds it all. `closers` get what ends each part, as soon as it is there. */
export async function buildWorld(target: Target, at: Folders, probes: readonly Probe[], closers: Closer[]): Promise<World> {
  const { main } = APPLICATIONS
  const ledger = new Ledger()
  const errors: string[] = []
  const platformProcess = await PlatformProcess.start(target, join(at.base, 'platform'))
  closers.push(() => platformProcess.end('SIGTERM'))
  const platform = new SandboxControl(platformProcess.ready)
  await quickenHeartbeats(platform)
  const profile = await writeProfile(at.base, 'soak', platformProcess.ready)
  const keys = await Promise.all(Object.values(APPLICATIONS).map(async (id) => `${id}=${await platform.verifyKey(id)}`))
  const flags = ['--platform', profile, '--consent', 'prompt', '--webhook-public-keys', keys.join(), '--log-level', 'warn']
  const bridge = new BridgeProcess(target, at, flags, (text) => {
    followPages(text)
    allowPrograms(text, bridge.running.ready.dashboard)
    for (const [line] of text.matchAll(ERROR_LINE)) errors.push(line)
  })
  closers.push(() => bridge.end('SIGTERM'))
  await bridge.start()
  const stored = await sallyport(target, ['login', '--bot', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data], {
    SALLYPORT_BOT_TOKEN: botTokenOf(main),
    HOME: at.data,
  })
  if (stored.code !== 0) throw new Error(`the bot token was not stored: ${stored.err}`)

  const { users, guilds } = await platform.state()
  const idOf = (name: string): string => users.find(({ username }) => username === name)?.id ?? ''
  const ada = idOf('ada')
  const client = await DesktopClient.start(at.runtime, { id: ada, username: 'ada' }, platformProcess.ready.apiBase)
  closers.push(() => client.kill())
  const bot = `Bot ${botTokenOf(main)}`
  await platform.api('PATCH', '/applications/@me', bot, {
    event_webhooks_url: `${bridge.running.ready.webhooks}${main}`,
    event_webhooks_status: 2,
    event_webhooks_types: WEBHOOK_TYPES,
  })
  const stranger = await platform.tokenOf('mary', main, SCOPES)
  const [sku] = (await platform.api('GET', `/applications/${main}/skus`, bot)) as { readonly id: string }[]
  const lobbyOf = async (token: string) =>
    (await platform.api('PUT', '/lobbies', `Bearer ${token}`, { secret: LOBBY_SECRET })) as { readonly id: string }
  const lobby = await lobbyOf(stranger)

  const games = PLANS.map((plan) => new Game(plan, at.runtime, ledger))
  closers.push(async () => void (await Promise.all(games.map((game) => game.client.close()))))
  const world: World = {
    applications: APPLICATIONS,
    users: { ada, grace: idOf('grace') },
    guildId: guilds.find(({ name }) => name === 'Harbour')?.id ?? '',
    skuId: sku?.id ?? '',
    lobbyId: lobby.id,
    stranger,
    platformProcess,
    platform,
    bridge,
    client,
    operator: new Operator(at.data),
    games,
    ledger,
    errors,
  }
  for (const game of games) {
    await introduce(game, platform)
    if (game.plan.applicationId === main) await game.client.call('CREATE_OR_JOIN_LOBBY', { secret: LOBBY_SECRET })
    for (const { isSubscribedBy, args, ...probe } of probes) {
      if (isSubscribedBy(game, world)) game.listen({ ...probe, args: args(world) })
    }
  }
  return world
}
