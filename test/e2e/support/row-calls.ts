/** For each endpoint row a call that works in a fresh sandbox for Ada, and for the bot; or the platform's code with which it is refused to them. */
import type { EndpointName } from '@sallyport/protocol'
import { APPLICATION, BOT_TOKEN, type WalkedDaemon } from './walked-daemon.ts'

export interface RowCall {
  /** Made anew for each call, so that a call that destroys or uses up something takes nothing from the next. */
  readonly args: (world: World) => object | Promise<object>
  /** Code of the row's own error (0: a general one) for Ada, who holds every scope it needs. Absent: success. */
  readonly user?: number
  /** The same for the bot of the application. Absent: success. */
  readonly bot?: number
  /** The same for Mary, who shares no guild and no lobby with Ada. Absent: success. */
  readonly stranger?: number
}

type Answer = { readonly id: string } & Readonly<Record<string, string>>

/** What arguments are made of. */
export class World {
  readonly #daemon: WalkedDaemon
  #count = 0

  constructor(daemon: WalkedDaemon) {
    this.#daemon = daemon
  }

  readonly application = { application_id: APPLICATION }

  user(name: string): string {
    return found(this.#daemon.state.users.find(({ username }) => username === name)).id
  }
  guild(named: string): string {
    return found(this.#daemon.state.guilds.find(({ name }) => name === named)).id
  }
  channel(named: string): string {
    return found(this.#daemon.state.guilds.flatMap(({ channels }) => channels).find(({ name }) => name === named)).id
  }

  /** A new lobby of Ada's, which she may link. */
  async lobby(): Promise<string> {
    const { id } = await this.#byAda('PUT', '/lobbies', { secret: `lobby ${++this.#count}` })
    await this.byBot('PUT', `/lobbies/${id}/members/${this.user('ada')}`, { flags: 1 })
    return id
  }
  async linkedLobby(): Promise<string> {
    const id = await this.lobby()
    await this.#byAda('PATCH', `/lobbies/${id}/channel-linking`, { channel_id: this.channel('general') })
    return id
  }
  async lobbyMessage(): Promise<{ readonly lobby_id: string; readonly message_id: string }> {
    const lobby_id = await this.lobby()
    return { lobby_id, message_id: (await this.#byAda('POST', `/lobbies/${lobby_id}/messages`, { content: 'Ahoy' })).id }
  }
  async emoji(): Promise<string> {
    const path = `/applications/${APPLICATION}/emojis`
    return (await this.byBot('POST', path, { name: `emoji_${++this.#count}`, image: IMAGE })).id
  }
  /** A new sound of the Harbour, which has room for few. */
  async sound(): Promise<string> {
    await this.silence()
    const sound = { name: `sound ${++this.#count}`, sound: SOUND }
    return found((await this.byBot('POST', this.#sounds, sound))['sound_id'])
  }
  async defaultSound(): Promise<string> {
    const sounds = (await this.byBot('GET', '/soundboard-default-sounds')) as unknown as readonly { readonly sound_id: string }[]
    return found(sounds[0]).sound_id
  }
  /** Takes all sounds away. */
  async silence(): Promise<void> {
    const { items } = (await this.byBot('GET', this.#sounds)) as unknown as { readonly items: readonly { readonly sound_id: string }[] }
    for (const { sound_id } of items) await this.byBot('DELETE', `${this.#sounds}/${sound_id}`)
  }
  get #sounds(): string {
    return `/guilds/${this.guild('Harbour')}/soundboard-sounds`
  }
  /** A SKU by its type: 3 consumable, 5 subscription. */
  async sku(wanted: 3 | 5): Promise<string> {
    const skus = (await this.byBot('GET', `/applications/${APPLICATION}/skus`)) as unknown as readonly { id: string; type: number }[]
    return found(skus.find(({ type }) => type === wanted)).id
  }
  /** Ada's. */
  async subscription(): Promise<{ readonly sku_id: string; readonly subscription_id: string }> {
    const sku_id = await this.sku(5)
    const list = (await this.byBot('GET', `/skus/${sku_id}/subscriptions?user_id=${this.user('ada')}`)) as unknown as readonly Answer[]
    return { sku_id, subscription_id: found(list[0]).id }
  }
  /** Ada's, to be consumed. */
  async entitlement(): Promise<object> {
    const owner = { owner_id: this.user('ada'), owner_type: 2 }
    const { id } = await this.byBot('POST', `/applications/${APPLICATION}/entitlements`, { sku_id: await this.sku(3), ...owner })
    return { ...this.application, entitlement_id: id }
  }
  /** One of the bot's. */
  async message(): Promise<object> {
    const channel_id = this.channel('general')
    return { channel_id, message_id: (await this.byBot('POST', `/channels/${channel_id}/messages`, { content: 'Ahoy' })).id }
  }

  byBot(method: string, path: string, body?: object): Promise<Answer> {
    return this.#asked(method, path, BOT_TOKEN, body)
  }
  async #byAda(method: string, path: string, body?: object): Promise<Answer> {
    return this.#asked(method, path, await this.#daemon.token(['identify', 'lobbies.write']), body)
  }
  async #asked(method: string, path: string, token: string, body?: object): Promise<Answer> {
    const reply = await this.#daemon.api(method, path, token, body)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}, on which a row call is built, answered ${reply.status}: ${text}`)
    return JSON.parse(text === '' ? '{}' : text) as Answer
  }
}

function found<T>(what: T | undefined): T {
  if (what === undefined) throw new Error('the sandbox has not what a row call is made of')
  return what
}

/** As small as the formats allow. */
const IMAGE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SOUND = 'data:audio/ogg;base64,T2dnUwAC'

const harbour = (world: World) => ({ guild_id: world.guild('Harbour') })

export const ROW_CALLS: { readonly [Name in EndpointName]?: RowCall } = {
  ADD_LOBBY_MEMBER: { args: async (world) => ({ lobby_id: await world.lobby(), user_id: world.user('grace') }) },
  BEGIN_GUILD_PRUNE: { args: harbour },
  BULK_UPDATE_LOBBY_MEMBERS: { args: async (world) => ({ lobby_id: await world.lobby(), members: [{ id: world.user('grace') }] }) },
  CONSUME_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  CREATE_APPLICATION_EMOJI: { args: (world) => ({ ...world.application, name: `anchor_${Math.random()}`.replace('.', ''), image: IMAGE }) },
  CREATE_GUILD: { args: () => ({ name: 'Atlantis' }) },
  CREATE_GUILD_SOUNDBOARD_SOUND: {
    async args(world) {
      await world.silence()
      return { ...harbour(world), name: 'horn', sound: SOUND }
    },
  },
  CREATE_LOBBY: { args: () => ({}) },
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: { args: async (world) => ({ lobby_id: await world.linkedLobby() }), stranger: 50_001 },
  CREATE_LOBBY_CHANNEL_INVITE_FOR_USER: { args: async (world) => ({ lobby_id: await world.linkedLobby(), user_id: world.user('ada') }) },
  CREATE_MESSAGE: { args: (world) => ({ channel_id: world.channel('general'), content: 'Ahoy' }) },
  CREATE_OR_JOIN_LOBBY: { args: () => ({ secret: 'open sesame' }) },
  CREATE_TEST_ENTITLEMENT: {
    args: async (world) => ({ ...world.application, sku_id: await world.sku(3), owner_id: world.user('ada'), owner_type: 2 }),
  },
  DELETE_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  DELETE_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound() }) },
  DELETE_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  DELETE_TEST_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  EDIT_CURRENT_APPLICATION: { args: () => ({ description: 'A game about a harbour.' }) },
  EDIT_MESSAGE: { args: async (world) => ({ ...(await world.message()), content: 'Ahoy again' }) },
  GET_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  GET_CHANNEL_INVITES: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_CHANNEL_PINS: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_CURRENT_APPLICATION: { args: () => ({}) },
  GET_CURRENT_AUTHORIZATION_INFORMATION: { args: () => ({}) },
  GET_CURRENT_USER: { args: () => ({}) },
  GET_CURRENT_USER_CONNECTIONS: { args: () => ({}) },
  GET_CURRENT_USER_GUILDS: { args: () => ({}) },
  GET_CURRENT_USER_VOICE_STATE: { args: harbour, bot: 10_065 },
  GET_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  GET_GUILD_CHANNELS: { args: harbour, stranger: 50_001 },
  GET_GUILD_PRUNE_COUNT: { args: harbour },
  GET_GUILD_ROLE: { args: (world) => ({ ...harbour(world), role_id: world.guild('Harbour') }) },
  GET_GUILD_ROLE_MEMBER_COUNTS: { args: harbour },
  GET_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound() }) },
  GET_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  GET_LOBBY_MESSAGES: { args: async (world) => ({ lobby_id: await world.lobby() }), stranger: 50_001 },
  GET_SKU_SUBSCRIPTION: { args: (world) => world.subscription(), stranger: 0 },
  GET_USER_VOICE_STATE: { args: (world) => ({ ...harbour(world), user_id: world.user('grace') }) },
  LEAVE_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  LINK_CHANNEL_TO_LOBBY: {
    args: async (world) => ({ lobby_id: await world.lobby(), channel_id: world.channel('general') }),
    stranger: 50_001,
  },
  LIST_APPLICATION_EMOJIS: { args: (world) => world.application },
  LIST_DEFAULT_SOUNDBOARD_SOUNDS: { args: () => ({}) },
  LIST_ENTITLEMENTS: { args: (world) => world.application },
  LIST_GUILD_SOUNDBOARD_SOUNDS: { args: harbour },
  LIST_SKUS: { args: (world) => world.application },
  LIST_SKU_SUBSCRIPTIONS: { args: async (world) => ({ sku_id: await world.sku(5), user_id: world.user('ada') }) },
  MODIFY_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  MODIFY_CURRENT_MEMBER: { args: (world) => ({ ...harbour(world), nick: 'Harbour Master' }) },
  MODIFY_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound(), name: 'bell' }) },
  MODIFY_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby(), metadata: { map: 'reef' } }) },
  PIN_MESSAGE: { args: (world) => world.message() },
  REMOVE_LOBBY_MEMBER: { args: async (world) => ({ lobby_id: await world.lobby(), user_id: world.user('ada') }) },
  SEARCH_GUILD_MESSAGES: { args: (world) => ({ ...harbour(world), content: 'Ahoy' }), bot: 110_000 },
  SEND_LOBBY_MESSAGE: { args: async (world) => ({ lobby_id: await world.lobby(), content: 'Ahoy' }), stranger: 50_001 },
  SEND_SOUNDBOARD_SOUND: { args: async (world) => ({ channel_id: world.channel('Lamp Room'), sound_id: await world.defaultSound() }) },
  SET_VOICE_CHANNEL_STATUS: { args: (world) => ({ channel_id: world.channel('Engine Room'), status: 'quiet' }) },
  UNLINK_CHANNEL_FROM_LOBBY: { args: async (world) => ({ lobby_id: await world.linkedLobby() }), stranger: 50_001 },
  UNPIN_MESSAGE: { args: (world) => world.message() },
  UPDATE_LOBBY_MESSAGE_MODERATION_METADATA: { args: async (world) => ({ ...(await world.lobbyMessage()), metadata: { verdict: 'fine' } }) },
}
