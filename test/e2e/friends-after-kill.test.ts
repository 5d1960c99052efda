/**
 * Two games of two users who become friends, on one daemon, with a platform that lives on. After each step of what friends do, the daemon is
 * killed while a call is under way, and started again: both games are back as they were, and so is all that the platform keeps.
 */
import { join } from 'node:path'
import { type EventDataOf, type EventName, SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { allowPrograms } from '../soak/permissions.ts'
import { PlatformProcess, Running } from '../soak/processes.ts'
import { writeProfile } from '../soak/profile.ts'
import { botTokenOf, SandboxControl } from '../soak/sandbox-control.ts'
import { type Folders, folders, type Ready, SOURCE } from './support/daemon.ts'
import { programMade } from './support/program.ts'

const APPLICATION = '555000420'
const SCOPES = ['openid', 'sdk.social_layer'] as const
const SECRET = 'the crew of the Copper Wren'
const CAN_LINK = 1
const BLOCKED = 2
const EVENTS = ['CURRENT_USER_UPDATE', 'RELATIONSHIP_UPDATE', 'ACTIVITY_INVITE', 'ACTIVITY_JOIN', 'GAME_DIRECT_MESSAGE_CREATE'] as const
/** Longer than the daemon lives. */
const HANGS_MS = 60_000

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly channels: readonly { readonly id: string; readonly name: string }[] }[]
  readonly headless_sessions: readonly {
    readonly user_id: string
    readonly activity: { readonly details?: string }
    readonly changed_at: string
  }[]
  readonly faults: readonly unknown[]
}

/** A game of one user, and what it received since the last look. */
class Game {
  readonly name: string
  readonly id: string
  readonly token: string
  readonly client: SallyportClient
  #received: { readonly evt: EventName; readonly data: any }[] = []

  constructor(name: string, id: string, token: string, runtimeDir: string) {
    this.name = name
    this.id = id
    this.token = token
    this.client = new SallyportClient({ applicationId: APPLICATION, runtimeDir, requireBridge: true })
  }

  async start(lobbyId: string): Promise<void> {
    await this.client.connect({ timeoutMs: 20_000 })
    await this.client.call('AUTHENTICATE', { access_token: this.token })
    for (const evt of EVENTS) await this.client.on(evt, (data) => this.#received.push({ evt, data })).active
    const lobby = { lobby_id: lobbyId }
    await this.client.on('LOBBY_MESSAGE_CREATE', lobby, (data) => this.#received.push({ evt: 'LOBBY_MESSAGE_CREATE', data })).active
    const activity = {
      details: this.name,
      party: { id: this.name, size: [1, 4] as [number, number] },
      secrets: { join: `rope of ${this.name}` },
    }
    await this.client.setActivity(activity)
  }

  /** The next event of this name that fits. */
  async next<Name extends EventName>(evt: Name, fits: (data: EventDataOf<Name>) => boolean = () => true): Promise<EventDataOf<Name>> {
    return vi.waitFor(() => {
      const index = this.#received.findIndex((one) => one.evt === evt && fits(one.data as EventDataOf<Name>))
      expect(index, `${evt} for ${this.name}, who has ${JSON.stringify(this.#received)}`).toBeGreaterThanOrEqual(0)
      return this.#received.splice(index, 1)[0]?.data as EventDataOf<Name>
    }, SOON)
  }
}

let at: Folders
let platformProcess: PlatformProcess
let platform: SandboxControl
let profile = ''
let bridge: Running<Ready>
const games: Game[] = []

function startBridge(): Promise<Running<Ready>> {
  const words = ['run', '--json', '--platform', profile, '--runtime-dir', at.runtime, '--data-dir', at.data, '--log-level', 'warn']
  return Running.start<Ready>(SOURCE, words, { HOME: at.data, SALLYPORT_VAULT: 'file', PATH: '/nonexistent' }, (text) =>
    allowPrograms(text, bridge.ready.dashboard),
  )
}

beforeEach(async () => {
  await programMade()
  at = await folders()
  platformProcess = await PlatformProcess.start(SOURCE, join(at.base, 'platform'))
  platform = new SandboxControl(platformProcess.ready)
  profile = await writeProfile(at.base, 'friends', platformProcess.ready)
  bridge = await startBridge()
})
afterEach(async () => {
  for (const { client } of games.splice(0)) await client.close()
  await bridge.end('SIGTERM')
  await platformProcess.end('SIGTERM')
  await at.remove()
})

const stateOf = async (): Promise<State> => (await platform.state()) as unknown as State
const asUser = (game: Game, method: string, path: string, body?: object) => platform.api(method, path, `Bearer ${game.token}`, body)

/** What the platform keeps of the two: friends, messages to each other, and those of the lobby. */
const kept = (lobbyId: string) =>
  Promise.all(
    games.flatMap((game) => [
      asUser(game, 'GET', '/users/@me/relationships'),
      asUser(game, 'GET', `/lobbies/${lobbyId}/messages?limit=50`),
      // Users without messages have no channel.
      ...games.filter((other) => other !== game).map(({ id }) => asUser(game, 'GET', `/users/${id}/messages?limit=50`).catch(String)),
    ]),
  )

/** When each user's presence was last shown. */
const shownAt = async (): Promise<ReadonlyMap<string, string>> => {
  const shown = (await stateOf()).headless_sessions.map((one) => [one.user_id, one.changed_at] as const)
  return new Map(shown.toSorted(([, a], [, b]) => (a < b ? -1 : 1)))
}

/** Kills the daemon under a call of each game, starts it, and waits until both games are as they were. */
async function killAndReturn(lobbyId: string): Promise<void> {
  const before = [await kept(lobbyId), await shownAt()] as const
  await platform.control('faults', { match: { method: 'GET', path: '/users/@me/guilds' }, times: games.length, latency_ms: HANGS_MS })
  const pending = games.map(({ client }) =>
    expect(client.call('GET_CURRENT_USER_GUILDS', {})).rejects.toMatchObject({ name: 'ConnectionLostError' }),
  )
  await vi.waitFor(async () => expect((await stateOf()).faults).toEqual([]), SOON)
  await bridge.end('SIGKILL')
  await Promise.all(pending)
  bridge = await startBridge()
  for (const { client, name, id } of games) {
    await vi.waitFor(() => expect([client.state.name, client.account]).toEqual(['ready', 'signed-in']), SOON)
    expect(client.currentUser, name).toMatchObject({ id })
  }
  await vi.waitFor(async () => {
    const now = await shownAt()
    for (const { id } of games) expect(now.get(id) ?? '').toSatisfy((time: string) => time > (before[1].get(id) ?? ''))
  }, SOON)
  // An event that is sent before the gateway connection is back reaches no game, so it comes after that.
  for (const game of games) {
    const d = { id: game.id, username: game.name, global_name: 'mark' }
    await vi.waitFor(async () => {
      const { hit } = (await platform.control('gateway', { action: 'heartbeat', user: game.name, application_id: APPLICATION })) as {
        hit: number
      }
      expect(hit).toBe(1)
    }, SOON)
    await platform.control('gateway', { action: 'dispatch', user: game.name, t: 'USER_UPDATE', d })
    await game.next('CURRENT_USER_UPDATE')
  }
  expect(await kept(lobbyId)).toEqual(before[0])
}

test('everything is back after a kill at each step', async () => {
  const { users, guilds } = await stateOf()
  const idOf = (name: string): string => users.find(({ username }) => username === name)?.id ?? ''
  for (const name of ['ada', 'mary']) games.push(new Game(name, idOf(name), await platform.tokenOf(name, APPLICATION, SCOPES), at.runtime))
  const [ada, mary] = games as [Game, Game]

  const { id: lobbyId } = (await asUser(ada, 'PUT', '/lobbies', { secret: SECRET })) as { readonly id: string }
  await asUser(mary, 'PUT', '/lobbies', { secret: SECRET })
  const bot = `Bot ${botTokenOf(APPLICATION)}`
  await platform.api('PUT', `/lobbies/${lobbyId}/members/${ada.id}`, bot, { flags: CAN_LINK })
  const channelId = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id ?? ''
  await asUser(ada, 'PATCH', `/lobbies/${lobbyId}/channel-linking`, { channel_id: channelId })
  for (const game of games) await game.start(lobbyId)

  const relationship = (game: Game, type: number, other: Game) =>
    game.next('RELATIONSHIP_UPDATE', (data) => data.type === type && data.user.id === other.id)
  const steps: readonly (readonly [name: string, step: () => Promise<unknown>])[] = [
    [
      'request',
      async () => {
        await ada.client.call('SEND_FRIEND_REQUEST', { username: 'mary' })
        await relationship(mary, 3, ada)
      },
    ],
    [
      'accept',
      async () => {
        await mary.client.call('CREATE_RELATIONSHIP', { user_id: ada.id })
        await relationship(ada, 1, mary)
      },
    ],
    [
      'presence with join',
      async () => {
        await ada.client.setActivity({ details: 'At the quay', party: { id: 'ada', size: [1, 4] }, secrets: { join: 'rope of ada' } })
        const shown = await mary.next(
          'RELATIONSHIP_UPDATE',
          ({ presence }) => (presence?.activity as { details?: string } | null)?.details === 'At the quay',
        )
        expect(shown.presence?.activity).toMatchObject({ flags: 2 })
      },
    ],
    [
      'invite',
      async () => {
        await ada.client.call('ACTIVITY_INVITE_USER', { user_id: mary.id, type: 1, pid: process.pid, content: 'Come aboard' })
        expect(await mary.next('ACTIVITY_INVITE')).toMatchObject({ user: { id: ada.id } })
      },
    ],
    [
      'join',
      async () => {
        await ada.client.call('ACTIVITY_INVITE_USER', { user_id: mary.id, type: 1, pid: process.pid })
        const { channel_id, message_id, session_id } = await mary.next('ACTIVITY_INVITE')
        await mary.client.call('ACCEPT_ACTIVITY_INVITE', { type: 1, user_id: ada.id, session_id: session_id ?? '', channel_id, message_id })
        expect(await mary.next('ACTIVITY_JOIN')).toMatchObject({ secret: 'rope of ada' })
      },
    ],
    [
      'message over a linked channel',
      async () => {
        await mary.client.call('SEND_LOBBY_MESSAGE', { lobby_id: lobbyId, content: 'From the game' })
        await ada.next('LOBBY_MESSAGE_CREATE', ({ content }) => content === 'From the game')
        const inChannel = (await platform.api('GET', `/channels/${channelId}/messages`, bot)) as readonly { readonly content: string }[]
        expect(inChannel[0]).toMatchObject({ content: 'From the game', author: { username: 'mary' } })
        await platform.control('messages', { channel: 'general', user: 'grace', content: 'From the channel' })
        for (const game of games)
          await game.next('LOBBY_MESSAGE_CREATE', ({ content, author }) => content === 'From the channel' && author?.username === 'grace')
      },
    ],
    [
      'block',
      async () => {
        await mary.client.call('CREATE_RELATIONSHIP', { user_id: ada.id, type: BLOCKED })
        await relationship(ada, 0, mary)
        await expect(ada.client.call('SEND_USER_MESSAGE', { user_id: mary.id, content: 'Ahoy' })).rejects.toMatchObject({ code: 4006 })
      },
    ],
    [
      'unblock',
      async () => {
        // The bridge that was started anew knows of the block.
        const { relationships } = await mary.client.call('GET_RELATIONSHIPS')
        expect(relationships.find(({ user }) => user.id === ada.id)).toMatchObject({ type: BLOCKED })
        await mary.client.call('REMOVE_RELATIONSHIP', { user_id: ada.id })
        await ada.client.call('SEND_USER_MESSAGE', { user_id: mary.id, content: 'Ahoy' })
        await mary.next('GAME_DIRECT_MESSAGE_CREATE', ({ content }) => content === 'Ahoy')
      },
    ],
  ]
  for (const [, step] of steps) {
    await step()
    await killAndReturn(lobbyId)
  }
})
