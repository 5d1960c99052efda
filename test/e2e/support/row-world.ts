/** The objects of a sandbox from which the arguments of row calls are made. */
import { APPLICATION, BOT_TOKEN, type WalkedDaemon } from './walked-daemon.ts'

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
  /** An invite of the bot's, kept for Grace. */
  async invite(): Promise<{ readonly code: string }> {
    const body = new FormData()
    body.append('target_users_file', new File([`user_id\n${this.user('grace')}`], 'users.csv', { type: 'text/csv' }))
    const path = `${this.#daemon.apiBase}/channels/${this.channel('general')}/invites`
    const reply = await fetch(path, { method: 'POST', headers: { authorization: `Bot ${BOT_TOKEN}` }, body })
    const { code } = (await reply.json()) as { readonly code: string }
    return { code }
  }
  /** A list of users as a file. */
  users(...names: readonly string[]): object {
    const text = ['user_id', ...names.map((name) => this.user(name))].join('\n')
    return { filename: 'users.csv', data: Buffer.from(text).toString('base64') }
  }
  /** One of the bot's. */
  async message(): Promise<object> {
    const channel_id = this.channel('general')
    return { channel_id, message_id: (await this.byBot('POST', `/channels/${channel_id}/messages`, { content: 'Ahoy' })).id }
  }

  /** One that Ada wrote to Grace. */
  async userMessage(): Promise<{ readonly user_id: string; readonly message_id: string }> {
    const user_id = this.user('grace')
    return { user_id, message_id: (await this.#byAda('POST', `/users/${user_id}/messages`, { content: 'Ahoy' })).id }
  }

  /** A new interaction, not answered yet. */
  async interaction(): Promise<{ readonly interaction_id: string; readonly interaction_token: string }> {
    const { id, token } = await this.#daemon.interaction({ channel_id: this.channel('general') })
    return { interaction_id: id, interaction_token: token }
  }
  /** One that was answered by a message. */
  async answered(): Promise<{ readonly application_id: string; readonly interaction_token: string }> {
    const { interaction_id, interaction_token } = await this.interaction()
    const answer = { type: 4, data: { content: 'Ahoy' } }
    await this.byBot('POST', `/interactions/${interaction_id}/${interaction_token}/callback`, answer)
    return { ...this.application, interaction_token }
  }
  async followup(): Promise<object> {
    const answered = await this.answered()
    const { id } = await this.byBot('POST', `/webhooks/${APPLICATION}/${answered.interaction_token}`, { content: 'More' })
    return { ...answered, message_id: id }
  }
  /** A new command, there everywhere or in the Harbour. */
  async command(place: { readonly guild_id?: string } = {}): Promise<object> {
    const guild = place.guild_id === undefined ? '' : `/guilds/${place.guild_id}`
    const { id } = await this.byBot('POST', `/applications/${APPLICATION}${guild}/commands`, { name: 'sail', description: 'Set sail' })
    return { ...this.application, ...place, command_id: id }
  }
  /** The only rule of the Harbour. */
  async rule(): Promise<object> {
    await this.unruled()
    const { id } = await this.byBot('POST', this.#rules, RULE)
    return { guild_id: this.guild('Harbour'), rule_id: id }
  }
  /** Takes all rules of the Harbour away. */
  async unruled(): Promise<void> {
    const rules = (await this.byBot('GET', this.#rules)) as unknown as readonly Answer[]
    for (const { id } of rules) await this.byBot('DELETE', `${this.#rules}/${id}`)
  }
  get #rules(): string {
    return `/guilds/${this.guild('Harbour')}/auto-moderation/rules`
  }
  /** A direct message of Ada's, as its moderation names it. */
  async moderated(): Promise<object> {
    const { user_id, message_id } = await this.userMessage()
    return { user_id_1: this.user('ada'), user_id_2: user_id, message_id }
  }
  /** Ada's activity, which can be joined. */
  async joinable(): Promise<object> {
    const token = await this.#daemon.token(['identify', 'activities.write'])
    const activity = { ...ACTIVITY, secrets: { join: 'join the crew' } }
    const { activities } = await this.#asked('POST', '/users/@me/headless-sessions', token, { activities: [activity] })
    const [shown] = activities as unknown as readonly { readonly session_id: string }[]
    return { user_id: this.user('ada'), session_id: found(shown).session_id, ...this.application, action: '1' }
  }
  async headlessSession(): Promise<object> {
    const token = await this.#daemon.token(['identify', 'activities.write'])
    const answer = await this.#asked('POST', '/users/@me/headless-sessions', token, { activities: [ACTIVITY] })
    return { token: found(answer['token']) }
  }

  async guildEmoji(): Promise<object> {
    const body = { name: `emoji_${++this.#count}`, image: IMAGE }
    return { ...harbour(this), emoji_id: (await this.byBot('POST', `/guilds/${this.guild('Harbour')}/emojis`, body)).id }
  }
  /** The only sticker of the Harbour, which has room for few. */
  async sticker(): Promise<object> {
    await this.unstuck()
    const body = new FormData()
    for (const [name, value] of Object.entries({ name: 'Flag', tags: 'flag' })) body.append(name, value)
    body.append('file', new File(['x'], 'flag.png', { type: 'image/png' }))
    const path = `${this.#daemon.apiBase}${this.#stickers}`
    const reply = await fetch(path, { method: 'POST', headers: { authorization: `Bot ${BOT_TOKEN}` }, body })
    return { ...harbour(this), sticker_id: ((await reply.json()) as Answer).id }
  }
  /** Takes all stickers away. */
  async unstuck(): Promise<void> {
    const stickers = (await this.byBot('GET', this.#stickers)) as unknown as readonly Answer[]
    for (const { id } of stickers) await this.byBot('DELETE', `${this.#stickers}/${id}`)
  }
  get #stickers(): string {
    return `/guilds/${this.guild('Harbour')}/stickers`
  }
  /** A recurring event of the bot's. */
  async event(): Promise<{ readonly guild_id: string; readonly guild_scheduled_event_id: string }> {
    const { id } = await this.byBot('POST', `/guilds/${this.guild('Harbour')}/scheduled-events`, REGATTA)
    return { ...harbour(this), guild_scheduled_event_id: id }
  }
  async exception(): Promise<{ readonly guild_id: string; readonly guild_scheduled_event_id: string; readonly exception_id: string }> {
    const event = await this.event()
    const path = `/guilds/${event.guild_id}/scheduled-events/${event.guild_scheduled_event_id}/exceptions`
    const made = await this.byBot('POST', path, { original_scheduled_start_time: REGATTA.scheduled_start_time, is_canceled: true })
    return { ...event, exception_id: found(made['event_exception_id']) }
  }
  /** A new text channel of the Harbour. */
  async newChannel(): Promise<{ readonly channel_id: string }> {
    return { channel_id: (await this.byBot('POST', `/guilds/${this.guild('Harbour')}/channels`, { name: 'dock' })).id }
  }
  async newRole(): Promise<{ readonly guild_id: string; readonly role_id: string }> {
    return { ...harbour(this), role_id: (await this.byBot('POST', `/guilds/${this.guild('Harbour')}/roles`, { name: 'Pilot' })).id }
  }
  /** A message to which the bot reacted. */
  async reacted(): Promise<object> {
    const message = (await this.message()) as Answer
    const path = `/channels/${message['channel_id']}/messages/${message['message_id']}/reactions/${encodeURIComponent(THUMB)}/@me`
    await this.byBot('PUT', path)
    return { ...message, emoji_name: THUMB }
  }
  async pollMessage(): Promise<object> {
    const channel_id = this.channel('general')
    const poll = { question: { text: 'Sail?' }, answers: [{ poll_media: { text: 'Yes' } }] }
    return { channel_id, message_id: (await this.byBot('POST', `/channels/${channel_id}/messages`, { poll })).id }
  }
  /** A ban of Mary, who is not in the Harbour. */
  async ban(): Promise<object> {
    const user_id = this.user('mary')
    await this.byBot('PUT', `/guilds/${this.guild('Harbour')}/bans/${user_id}`, {})
    return { ...harbour(this), user_id }
  }
  /** An activity that an interaction launched. */
  async instance(): Promise<object> {
    const { interaction_id, interaction_token } = await this.interaction()
    const path = `/interactions/${interaction_id}/${interaction_token}/callback?with_response=true`
    const { resource } = (await this.byBot('POST', path, { type: 12 })) as unknown as Launched
    return { ...this.application, instance_id: found(resource.activity_instance).id }
  }
  /** A command with permissions that Ada, who owns the Harbour, set. */
  async permitted(): Promise<object> {
    const command = (await this.command(harbour(this))) as Answer
    const token = await this.#daemon.token(['identify', 'applications.commands.permissions.update'])
    const path = `/applications/${APPLICATION}/guilds/${command['guild_id']}/commands/${command['command_id']}/permissions`
    await this.#asked('PUT', path, token, { permissions: [{ id: this.user('ada'), type: 2, permission: true }] })
    return command
  }

  byBot(method: string, path: string, body?: object): Promise<Answer> {
    return this.#asked(method, path, BOT_TOKEN, body)
  }
  async #byAda(method: string, path: string, body?: object): Promise<Answer> {
    return this.#asked(method, path, await this.#daemon.token(['identify', 'lobbies.write', 'dm_channels.messages.write']), body)
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
export const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const SOUND = 'data:audio/ogg;base64,T2dnUwAC'

export const RULE = {
  name: 'Monsters',
  event_type: 1,
  trigger_type: 1,
  trigger_metadata: { keyword_filter: ['kraken'] },
  actions: [{ type: 1 }],
}
export const THUMB = '👍'
interface Launched {
  readonly resource: { readonly activity_instance?: { readonly id: string } }
}
export const REGATTA = {
  name: 'Regatta',
  entity_type: 3,
  entity_metadata: { location: 'Outer reef' },
  privacy_level: 2,
  scheduled_start_time: '2099-06-01T12:00:00.000000+00:00',
  scheduled_end_time: '2099-06-01T14:00:00.000000+00:00',
  recurrence_rule: { start: '2099-06-01T12:00:00.000000+00:00', frequency: 2, interval: 1, by_weekday: [0] },
}
export const ACTIVITY = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' }

export const harbour = (world: World) => ({ guild_id: world.guild('Harbour') })
