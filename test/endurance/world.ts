/** The processes of a run: the packaged daemon as a player has it, a platform, and the floor server. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICE_ENVIRONMENT } from '#daemon/src/install/linux-files.ts'
import { Part } from '../bench/contestants/part.ts'
import { type Folders, type Ready, type Target } from '../e2e/support/daemon.ts'
import { allowPrograms } from '../soak/permissions.ts'
import { PlatformProcess, Running } from '../soak/processes.ts'
import { writeProfile } from '../soak/profile.ts'
import { SandboxControl } from '../soak/sandbox-control.ts'
import type { GamePlan } from './plan.ts'
import type { Account } from './trouble.ts'

const SCOPES = ['openid', 'identify', 'guilds', 'connections', 'sdk.social_layer'] as const
const GUILD = 'Harbour'
const LOBBY_SECRET = 'endurance'
const PRIVATE_MODE = 0o700
/** What of the daemon's words is a failure of its own. */
const ERROR_LINE = /^\{"level":"?(?:error|fatal|50|60)"?.*$/gm

const keyOf = ({ applicationId, user }: Account): string => `${applicationId} ${user}`

/** Access tokens of all accounts, which can end. */
export class Tokens {
  readonly #platform: SandboxControl
  readonly #tokens = new Map<string, string>()
  readonly accounts: readonly Account[]

  constructor(platform: SandboxControl, plans: readonly GamePlan[]) {
    this.#platform = platform
    this.accounts = [...new Map(plans.map(({ applicationId, user }) => [keyOf({ applicationId, user }), { applicationId, user }])).values()]
  }

  /** Throws before the first `renew`. */
  of(account: Account): string {
    const token = this.#tokens.get(keyOf(account))
    if (token === undefined) throw new Error(`${account.user} has no token for ${account.applicationId}`)
    return token
  }

  async renew(account: Account): Promise<void> {
    const { user, applicationId } = account
    this.#tokens.set(keyOf(account), await this.#platform.tokenOf(user, applicationId, SCOPES))
  }
}

export interface World {
  readonly daemon: Running<Ready>
  /** Where the games connect. */
  readonly socket: string
  readonly runtimeDir: string
  readonly floorPath: string
  readonly platform: SandboxControl
  readonly tokens: Tokens
  readonly guildId: string
  /** By application. */
  readonly lobbies: ReadonlyMap<string, string>
  /** What the daemon logged as its own failure. */
  readonly errors: readonly string[]
}

type Closer = () => Promise<void>

/** The folders of a user, and nothing of the user who runs this. No PATH: no browser can be started. */
function environmentOf({ base, runtime }: Folders): NodeJS.ProcessEnv {
  const home = join(base, 'home')
  return {
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    SALLYPORT_VAULT: 'file',
    ...SERVICE_ENVIRONMENT,
    PATH: '/nonexistent',
  }
}

/** All members of one lobby, by application. */
async function lobbiesOf(platform: SandboxControl, tokens: Tokens): Promise<ReadonlyMap<string, string>> {
  const lobbies = new Map<string, string>()
  for (const account of tokens.accounts) {
    const lobby = await platform.api('PUT', '/lobbies', `Bearer ${tokens.of(account)}`, { secret: LOBBY_SECRET })
    lobbies.set(account.applicationId, (lobby as { readonly id: string }).id)
  }
  return lobbies
}

/** `closers` get what ends each part, as soon as it is there. */
export async function buildWorld(target: Target, at: Folders, plans: readonly GamePlan[], closers: Closer[]): Promise<World> {
  const platformProcess = await PlatformProcess.start(target, join(at.base, 'platform'))
  closers.push(() => platformProcess.end('SIGTERM'))
  const platform = new SandboxControl(platformProcess.ready)
  const tokens = new Tokens(platform, plans)
  for (const account of tokens.accounts) await tokens.renew(account)
  const lobbies = await lobbiesOf(platform, tokens)
  const { guilds } = await platform.state()

  const floorPath = join(at.base, 'floor')
  const floor = new Part('floor-server.mjs', [floorPath, '--json'])
  closers.push(() => floor.stop())
  await floor.line()

  const profile = await writeProfile(at.base, 'endurance', platformProcess.ready)
  await mkdir(at.runtime, { mode: PRIVATE_MODE })
  const errors: string[] = []
  const words = ['run', '--json', '--platform', profile, '--log-level', 'warn']
  const daemon = await Running.start<Ready>(target, words, environmentOf(at), (text) => {
    allowPrograms(text, daemon.ready.dashboard)
    for (const [line] of text.matchAll(ERROR_LINE)) errors.push(line)
  })
  closers.push(() => daemon.end('SIGTERM'))
  const [socket] = daemon.ready.ipc
  if (socket === undefined) throw new Error('the daemon listens nowhere')
  return {
    daemon,
    socket,
    runtimeDir: at.runtime,
    floorPath,
    platform,
    tokens,
    guildId: guilds.find(({ name }) => name === GUILD)?.id ?? '',
    lobbies,
    errors,
  }
}
