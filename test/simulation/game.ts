/** A game on the bindings, as a process of the simulated machine. The seed says what it does; the binding reconnects it. */
import { createConnection, type Socket } from 'node:net'
import { CallError, CallTimeoutError, ConnectionLostError, type EventName, SallyportClient, ServerNotFoundError } from '@sallyport/client'
import { below, pick, type Random } from './machine/random.ts'
import { asOwner, type Owner } from './machine/timeline.ts'
import type { WriteCheck } from './write-check.ts'

export interface GamePlan {
  /** Its first word is the name of its program. */
  readonly name: string
  readonly applicationId: string
  readonly encoding: 'json' | 'msgpack'
  /** Undefined: no user signs in. */
  readonly user: string | undefined
}

const SCOPES = ['identify', 'guilds', 'rpc', 'sdk.social_layer'] as const

const EVENTS = [
  'RELATIONSHIP_UPDATE',
  'LOBBY_MESSAGE_CREATE',
  'LOBBY_MESSAGE_UPDATE',
  'LOBBY_MEMBER_UPDATE',
  'ACTIVITY_JOIN',
  'CURRENT_USER_UPDATE',
] as const satisfies readonly EventName[]

interface Action {
  readonly weight: number
  readonly needsUser: boolean
  readonly run: (game: Game, random: Random) => Promise<unknown>
}

const ACTIONS: readonly Action[] = [
  { weight: 4, needsUser: false, run: (game) => game.showActivity() },
  { weight: 3, needsUser: false, run: (game) => game.client.clearActivity() },
  { weight: 3, needsUser: false, run: (game) => game.client.request('GET_BRIDGE_STATUS', {}) },
  { weight: 4, needsUser: true, run: (game) => game.client.request('GET_RELATIONSHIPS', {}) },
  { weight: 2, needsUser: true, run: (game) => game.client.request('GET_CURRENT_USER_GUILDS', {}) },
  { weight: 2, needsUser: true, run: (game) => game.client.request('GET_GUILDS', {}) },
  { weight: 3, needsUser: true, run: (game, random) => game.joinLobby(`harbour ${below(random, 2)}`) },
  { weight: 3, needsUser: true, run: (game) => game.writeToLobby() },
  { weight: 1, needsUser: true, run: (game) => game.leaveLobby() },
  { weight: 2, needsUser: true, run: (game) => game.writeToFriend() },
  { weight: 2, needsUser: false, run: async (game, random) => game.toggle(pick(random, EVENTS)) },
]

/** What a game must be able to handle: the server refused, answered too late, or went away. */
const isExpected = (failure: unknown): boolean =>
  failure instanceof CallError ||
  failure instanceof CallTimeoutError ||
  failure instanceof ConnectionLostError ||
  failure instanceof ServerNotFoundError

export interface GameEnvironment {
  readonly runtimeDir: string
  /** The id of a user of the platform. */
  readonly idOf: (user: string) => string
  /** Whether a server listens at the path. */
  readonly exists: (path: string) => boolean
  readonly onUnexpected: (what: string) => void
  readonly writes: WriteCheck
}

export class Game {
  readonly plan: GamePlan
  /** Another one after each start. */
  client: SallyportClient
  readonly owner: Owner
  readonly #environment: GameEnvironment
  readonly #subscriptions = new Map<EventName, { close(): void }>()
  #lobbyId: string | undefined
  #shown = 0
  #written = 0
  /** Calls that it made, and those that ended. */
  begun = 0
  ended = 0

  constructor(plan: GamePlan, environment: GameEnvironment) {
    this.plan = plan
    this.owner = { name: plan.name, isDead: false }
    this.#environment = environment
    this.client = this.#open()
  }

  #open(): SallyportClient {
    const { runtimeDir, exists } = this.#environment
    const client = asOwner(
      this.owner,
      () =>
        new SallyportClient({
          applicationId: this.plan.applicationId,
          runtimeDir,
          requireBridge: true,
          encoding: this.plan.encoding,
          environment: {
            connect: connectTo,
            exists,
            env: {},
            platform: 'linux',
            ownFolder: (folder) => folder,
            isContained: () => false,
            watch: () => () => {},
          },
        }),
    )
    client.onAuthorizeRequest(() => {})
    this.#subscriptions.clear()
    for (const event of EVENTS.slice(0, 3)) this.#subscriptions.set(event, client.on(event, {} as never, (() => {}) as never))
    return client
  }

  /** Ends, and starts again after so many ms. It remembers nothing. Does nothing while it has ended already. */
  async quit(pauseMs: number): Promise<void> {
    if (this.client.state.name === 'closed') return
    await this.stop()
    await asOwner(this.owner, () => new Promise((resolve) => void setTimeout(resolve, pauseMs)))
    this.client = this.#open()
    this.#lobbyId = undefined
    await this.start()
  }

  /** Connects, and signs in if it has a user. What fails is tried again by later actions. */
  start(): Promise<void> {
    return this.#do(async () => {
      await this.client.connect({ timeoutMs: 60_000 })
      await this.#signIn()
    })
  }

  /** As a game at its start screen: asks to sign in if it is not. */
  ensureSignedIn(): Promise<void> {
    return this.#do(async () => {
      if (this.client.state.name === 'ready' && this.client.account !== 'signed-in') await this.#signIn()
    })
  }

  /** One thing that games do. */
  act(random: Random): Promise<void> {
    return this.#do(async () => {
      if (this.client.state.name !== 'ready') return
      if (this.plan.user !== undefined && this.client.account !== 'signed-in') return this.#signIn()
      const possible = ACTIONS.filter(({ needsUser }) => !needsUser || this.plan.user !== undefined)
      const all = possible.flatMap((action) => Array.from({ length: action.weight }, () => action))
      await pick(random, all).run(this, random)
    })
  }

  stop(): Promise<void> {
    return this.#do(() => this.client.close())
  }

  toggle(event: EventName): void {
    const found = this.#subscriptions.get(event)
    found?.close()
    if (found === undefined) this.#subscriptions.set(event, this.client.on(event, {} as never, (() => {}) as never))
    else this.#subscriptions.delete(event)
  }

  /** No two activities are the same, so that it is known whose one is. */
  showActivity(): Promise<unknown> {
    this.#shown += 1
    return this.client.setActivity({ details: `${this.owner.name} shows ${this.#shown}` })
  }

  async joinLobby(secret: string): Promise<void> {
    const { id } = (await this.client.request('CREATE_OR_JOIN_LOBBY', { secret })) as { readonly id: string }
    this.#lobbyId = id
  }

  async writeToLobby(): Promise<void> {
    if (this.#lobbyId !== undefined) await this.#write('SEND_LOBBY_MESSAGE', { lobby_id: this.#lobbyId })
  }

  async writeToFriend(): Promise<void> {
    await this.#write('SEND_USER_MESSAGE', { user_id: this.#environment.idOf(this.plan.user === 'ada' ? 'grace' : 'ada') })
  }

  /** No two texts are the same, so that it is known which call sent one. */
  #write(command: 'SEND_LOBBY_MESSAGE' | 'SEND_USER_MESSAGE', where: object): Promise<unknown> {
    this.#written += 1
    const content = `${this.owner.name} says ${this.#written}`
    return this.#environment.writes.follow(content, command, this.client.request(command, { ...where, content }))
  }

  async leaveLobby(): Promise<void> {
    const lobbyId = this.#lobbyId
    this.#lobbyId = undefined
    if (lobbyId !== undefined) await this.client.request('LEAVE_LOBBY', { lobby_id: lobbyId })
  }

  /** With what is stored for its user, else by a page. */
  async #signIn(): Promise<void> {
    if (this.plan.user === undefined) return
    try {
      await this.client.request('AUTHENTICATE', { user_id: this.#environment.idOf(this.plan.user) })
    } catch (failure) {
      if (!(failure instanceof CallError) || failure.errorName !== 'INVALID_TOKEN') throw failure
      await this.client.askToSignIn({ scopes: SCOPES })
    }
  }

  /** By a page, although it may be signed in: its user stores new tokens over those that are in use. */
  signInAnew(): Promise<void> {
    return this.#do(async () => {
      if (this.plan.user !== undefined && this.client.state.name === 'ready') await this.client.askToSignIn({ scopes: SCOPES })
    })
  }

  /** Writes into its lobby, so that every member gets an event. */
  chat(random: Random): Promise<void> {
    return this.#do(async () => {
      if (this.client.state.name !== 'ready' || this.client.account !== 'signed-in') return
      await (this.#lobbyId === undefined ? this.joinLobby(`harbour ${below(random, 2)}`) : this.writeToLobby())
    })
  }

  #do(work: () => Promise<unknown>): Promise<void> {
    this.begun += 1
    return asOwner(this.owner, async () => {
      try {
        await work()
      } catch (failure) {
        if (!isExpected(failure)) this.#environment.onUnexpected(`${this.owner.name}: ${String(failure)}`)
      } finally {
        this.ended += 1
      }
    })
  }
}

function connectTo(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
