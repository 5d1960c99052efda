/** A platform that lives on, and a daemon and a game in processes of their own, which are killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment, type Folders, folders, type Ready, SOURCE } from '../e2e/support/daemon.ts'
import { programMade } from '../e2e/support/program.ts'
import { allowPrograms } from '../soak/permissions.ts'
import { PlatformProcess, Running } from '../soak/processes.ts'
import { writeProfile } from '../soak/profile.ts'
import { botTokenOf, SandboxControl } from '../soak/sandbox-control.ts'

const APPLICATION = '555000777'
const SCOPES = ['openid', 'sdk.social_layer'] as const
/** A game that writes now and then: a call takes about 3 ms. */
const PACE_MS = 40
const GAME = pathToFileURL(join(import.meta.dirname, 'game.ts')).href

interface Channels {
  readonly guilds: readonly { readonly channels: readonly { readonly id: string; readonly name: string }[] }[]
}
interface Message {
  readonly id: string
  readonly content: string
}

export class World {
  readonly #at: Folders
  readonly #platform: PlatformProcess
  readonly #control: SandboxControl
  readonly #daemonWords: readonly string[]
  readonly #gameEnvironment: NodeJS.ProcessEnv
  readonly #lobbyPath: string
  readonly #channelPath: string
  readonly #user: string
  #daemon: Running<Ready> | undefined
  #game: ChildProcess | undefined
  /** A script of its own is a program of its own, which may keep as many keys. */
  #script = ''
  #scripts = 0
  #onLine: (line: string) => void = () => {}
  /** Ids of the messages with each text. */
  readonly #seen = new Map<string, Set<string>>()

  private constructor(parts: {
    at: Folders
    platform: PlatformProcess
    control: SandboxControl
    profile: string
    token: string
    lobby: string
    channel: string
  }) {
    const { at, platform, control, profile, token, lobby, channel } = parts
    this.#at = at
    this.#platform = platform
    this.#control = control
    this.#user = `Bearer ${token}`
    this.#lobbyPath = `/lobbies/${lobby}/messages?limit=200`
    this.#channelPath = `/channels/${channel}/messages?limit=100`
    this.#daemonWords = ['run', '--json', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data, '--log-level', 'warn']
    this.#gameEnvironment = {
      ...cleanEnvironment(),
      GAME_APPLICATION: APPLICATION,
      GAME_RUNTIME: at.runtime,
      GAME_TOKEN: token,
      GAME_LOBBY: lobby,
      GAME_CHANNEL: channel,
      GAME_FILE: this.file,
      GAME_PACE_MS: String(PACE_MS),
    }
  }

  static async open(): Promise<World> {
    await programMade()
    const at = await folders()
    const platform = await PlatformProcess.start(SOURCE, join(at.base, 'platform'))
    const control = new SandboxControl(platform.ready)
    const profile = await writeProfile(at.base, 'once', platform.ready)
    const token = await control.tokenOf('ada', APPLICATION, SCOPES)
    const lobby = (await control.api('PUT', '/lobbies', `Bearer ${token}`, { secret: 'once' })) as { readonly id: string }
    const { guilds } = (await control.state()) as unknown as Channels
    const channel = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')
    if (channel === undefined) throw new Error('the sandbox has no channel general')
    const world = new World({ at, platform, control, profile, token, lobby: lobby.id, channel: channel.id })
    await world.startDaemon()
    await world.startNewGame()
    return world
  }

  /** The intents of the game. */
  get file(): string {
    return join(this.#at.base, 'intents.jsonl')
  }

  async startDaemon(): Promise<void> {
    const env = { HOME: this.#at.data, SALLYPORT_VAULT: 'file', PATH: '/nonexistent', SALLYPORT_BOT_TOKEN: botTokenOf(APPLICATION) }
    this.#daemon = await Running.start<Ready>(SOURCE, this.#daemonWords, env, (text) =>
      allowPrograms(text, this.#daemon?.ready.dashboard ?? null),
    )
  }

  /** Starts another program that goes on from the same file. */
  async startNewGame(): Promise<void> {
    this.#script = join(this.#at.base, `game-${++this.#scripts}.mjs`)
    await writeFile(this.#script, `import ${JSON.stringify(GAME)}\n`)
    await this.startGame()
  }

  /** Resolves when it has ended between two calls. */
  async stopGame(): Promise<void> {
    this.#game?.kill('SIGTERM')
    if (this.#game !== undefined) await ended(this.#game)
  }

  /** Resolves when it is signed in. */
  startGame(): Promise<void> {
    const game = spawn(process.execPath, ['--conditions=sallyport-source', this.#script], {
      env: this.#gameEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#game = game
    let printed = ''
    game.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
    createInterface({ input: game.stdout }).on('line', (line) => this.#onLine(line))
    return Promise.race([
      this.#line((line) => line === 'ready'),
      ended(game).then((code) => {
        throw new Error(`the game ended with ${code}: ${printed}`)
      }),
    ])
  }

  async kill(victim: 'game' | 'daemon'): Promise<void> {
    if (victim === 'daemon') return this.#daemon?.end('SIGKILL')
    this.#game?.kill('SIGKILL')
    if (this.#game !== undefined) await ended(this.#game)
  }

  /** Resolves when so many calls have ended from now on. */
  calls(count: number): Promise<void> {
    let left = count
    return this.#line((line) => line.startsWith('ended ') && --left === 0)
  }

  /** How often each message was sent, of the last hundreds and of those seen before. */
  async effects(): Promise<ReadonlyMap<string, number>> {
    const lists = (await Promise.all([
      this.#control.api('GET', this.#lobbyPath, this.#user),
      this.#control.api('GET', this.#channelPath, `Bot ${botTokenOf(APPLICATION)}`),
    ])) as readonly (readonly Message[])[]
    for (const { id, content } of lists.flat()) {
      const ids = this.#seen.get(content) ?? new Set()
      this.#seen.set(content, ids.add(id))
    }
    return new Map([...this.#seen].map(([content, ids]) => [content, ids.size]))
  }

  async close(): Promise<void> {
    await this.kill('game')
    await this.#daemon?.end('SIGTERM')
    await this.#platform.end('SIGTERM')
    await this.#at.remove()
  }

  #line(fits: (line: string) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onLine = (line) => {
        if (fits(line)) resolve()
      }
    })
  }
}
