/** The objects of a sandbox from which the arguments of row calls are made. */
import { ACTIVITY, COMMAND, IMAGE, REGATTA, RULE, SOUND, THUMB } from '#test/support/row-values.ts'
import { APPLICATION, BOT_TOKEN, type WalkedDaemon } from './walked-daemon.ts'

interface GuildId {
  readonly guild_id: string
}
interface MessageIds {
  readonly channel_id: string
  readonly message_id: string
}
interface Joinable {
  readonly user_id: string
  readonly session_id: string
  readonly application_id: string
  readonly action: string
}
interface Launched {
  readonly resource: { readonly activity_instance?: { readonly id: string } }
}
interface StickerPack {
  readonly id: string
  readonly stickers: readonly { readonly id: string }[]
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
  /** The guild of Ada, in which the bot may do nearly everything. */
  get harbour(): GuildId {
    return { guild_id: this.guild('Harbour') }
  }

  user(name: string): string {
    return found(this.#daemon.state.users.find(({ username }) => username === name)).id
  }
  guild(named: string): string {
    return found(this.#daemon.state.guilds.find(({ name }) => name === named)).id
  }
  channel(named: string): string {
    return found(this.#daemon.state.guilds.flatMap(({ channels }) => channels).find(({ name }) => name === named)).id
  }

  /** A name that nothing has, and that anything may have. */
  newName(): string {
    return `harbour_${++this.#count}`
  }
  /** Permission bits of the bot in the Harbour. */
  async botPermissions(): Promise<bigint> {
    const guilds = (await this.byBot('GET', '/users/@me/guilds')) as unknown as readonly Answer[]
    return BigInt(found(guilds.find(({ id }) => id === this.harbour.guild_id)?.['permissions']))
  }

  /** A new lobby of Ada's, which she may link. */
  async lobby(): Promise<{ readonly lobby_id: string }> {
    const { id } = await this.#byAda('PUT', '/lobbies', { secret: `lobby ${++this.#count}` })
    await this.byBot('PUT', `/lobbies/${id}/members/${this.user('ada')}`, { flags: 1 })
    return { lobby_id: id }
  }
  /** One of Ada's, and a user who is not in it. */
  async lobbyWithout(name: string): Promise<{ readonly lobby_id: string; readonly user_id: string }> {
    return { ...(await this.lobby()), user_id: this.user(name) }
  }
  async linkedLobby(): Promise<{ readonly lobby_id: string }> {
    const { lobby_id } = await this.lobby()
    await this.#byAda('PATCH', `/lobbies/${lobby_id}/channel-linking`, { channel_id: this.channel('general') })
    return { lobby_id }
  }
  async lobbyMessage(): Promise<{ readonly lobby_id: string; readonly message_id: string }> {
    const { lobby_id } = await this.lobby()
    return { lobby_id, message_id: (await this.#byAda('POST', `/lobbies/${lobby_id}/messages`, { content: 'Ahoy' })).id }
  }
  async emoji(): Promise<{ readonly application_id: string; readonly emoji_id: string }> {
    const { id } = await this.byBot('POST', `/applications/${APPLICATION}/emojis`, { name: this.newName(), image: IMAGE })
    return { ...this.application, emoji_id: id }
  }
  /** A new sound of the Harbour, which has room for few. */
  async sound(): Promise<GuildId & { readonly sound_id: string }> {
    const harbour = await this.withoutSounds()
    const { sound_id } = await this.byBot('POST', this.#sounds, { name: this.newName(), sound: SOUND })
    return { ...harbour, sound_id: found(sound_id) }
  }
  /** A sound that every guild has, and the voice channel in which the bot is. */
  async soundInVoice(): Promise<{ readonly channel_id: string; readonly sound_id: string }> {
    const sounds = (await this.byBot('GET', '/soundboard-default-sounds')) as unknown as readonly { readonly sound_id: string }[]
    return { channel_id: this.channel('Lamp Room'), sound_id: found(sounds[0]).sound_id }
  }
  /** The Harbour, whose sounds it takes away. */
  async withoutSounds(): Promise<GuildId> {
    const { items } = (await this.byBot('GET', this.#sounds)) as unknown as { readonly items: readonly { readonly sound_id: string }[] }
    for (const { sound_id } of items) await this.byBot('DELETE', `${this.#sounds}/${sound_id}`)
    return this.harbour
  }
  get #harbourPath(): string {
    return `/guilds/${this.harbour.guild_id}`
  }
  get #sounds(): string {
    return `${this.#harbourPath}/soundboard-sounds`
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
  async entitlement(): Promise<{ readonly application_id: string; readonly entitlement_id: string }> {
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
  async message(): Promise<MessageIds> {
    const channel_id = this.channel('general')
    return { channel_id, message_id: (await this.byBot('POST', `/channels/${channel_id}/messages`, { content: 'Ahoy' })).id }
  }

  /** The other side of a conversation of Ada's, which has a message. */
  async conversation(): Promise<{ readonly user_id: string }> {
    const { user_id } = await this.userMessage()
    return { user_id }
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
  async followup(): Promise<{ readonly application_id: string; readonly interaction_token: string; readonly message_id: string }> {
    const answered = await this.answered()
    const { id } = await this.byBot('POST', `/webhooks/${APPLICATION}/${answered.interaction_token}`, { content: 'More' })
    return { ...answered, message_id: id }
  }
  async command(): Promise<{ readonly application_id: string; readonly command_id: string }> {
    const { id } = await this.byBot('POST', `/applications/${APPLICATION}/commands`, COMMAND)
    return { ...this.application, command_id: id }
  }
  /** A command of the Harbour. */
  async guildCommand(): Promise<GuildId & { readonly application_id: string; readonly command_id: string }> {
    const { id } = await this.byBot('POST', `/applications/${APPLICATION}/guilds/${this.harbour.guild_id}/commands`, COMMAND)
    return { ...this.application, ...this.harbour, command_id: id }
  }
  /** The only rule of the Harbour. */
  async rule(): Promise<GuildId & { readonly rule_id: string }> {
    const harbour = await this.withoutRules()
    return { ...harbour, rule_id: (await this.byBot('POST', this.#rules, RULE)).id }
  }
  /** The Harbour, whose rules it takes away. */
  async withoutRules(): Promise<GuildId> {
    const rules = (await this.byBot('GET', this.#rules)) as unknown as readonly Answer[]
    for (const { id } of rules) await this.byBot('DELETE', `${this.#rules}/${id}`)
    return this.harbour
  }
  get #rules(): string {
    return `${this.#harbourPath}/auto-moderation/rules`
  }
  /** A direct message of Ada's, as its moderation names it. */
  async moderated(): Promise<{ readonly user_id_1: string; readonly user_id_2: string; readonly message_id: string }> {
    const { user_id, message_id } = await this.userMessage()
    return { user_id_1: this.user('ada'), user_id_2: user_id, message_id }
  }
  /** Ada's activity, which can be joined. */
  async joinable(): Promise<Joinable> {
    const token = await this.#daemon.token(['identify', 'activities.write'])
    const activity = { ...ACTIVITY, secrets: { join: 'join the crew' } }
    const { activities } = await this.#asked('POST', '/users/@me/headless-sessions', token, { activities: [activity] })
    const [shown] = activities as unknown as readonly { readonly session_id: string }[]
    return { user_id: this.user('ada'), session_id: found(shown).session_id, ...this.application, action: '1' }
  }
  async headlessSession(): Promise<{ readonly token: string }> {
    const token = await this.#daemon.token(['identify', 'activities.write'])
    const answer = await this.#asked('POST', '/users/@me/headless-sessions', token, { activities: [ACTIVITY] })
    return { token: found(answer['token']) }
  }

  async guildEmoji(): Promise<GuildId & { readonly emoji_id: string }> {
    const { id } = await this.byBot('POST', `${this.#harbourPath}/emojis`, { name: this.newName(), image: IMAGE })
    return { ...this.harbour, emoji_id: id }
  }
  /** The only sticker of the Harbour, which has room for few. */
  async sticker(): Promise<GuildId & { readonly sticker_id: string }> {
    const harbour = await this.withoutStickers()
    const body = new FormData()
    for (const [name, value] of Object.entries({ name: 'Flag', tags: 'flag' })) body.append(name, value)
    body.append('file', new File(['x'], 'flag.png', { type: 'image/png' }))
    const path = `${this.#daemon.apiBase}${this.#stickers}`
    const reply = await fetch(path, { method: 'POST', headers: { authorization: `Bot ${BOT_TOKEN}` }, body })
    return { ...harbour, sticker_id: ((await reply.json()) as Answer).id }
  }
  /** The Harbour, whose stickers it takes away. */
  async withoutStickers(): Promise<GuildId> {
    const stickers = (await this.byBot('GET', this.#stickers)) as unknown as readonly Answer[]
    for (const { id } of stickers) await this.byBot('DELETE', `${this.#stickers}/${id}`)
    return this.harbour
  }
  async stickerPack(): Promise<{ readonly pack_id: string }> {
    return { pack_id: (await this.#firstPack()).id }
  }
  async standardSticker(): Promise<{ readonly sticker_id: string }> {
    return { sticker_id: found((await this.#firstPack()).stickers[0]).id }
  }
  async #firstPack(): Promise<StickerPack> {
    const { sticker_packs } = (await this.byBot('GET', '/sticker-packs')) as unknown as { readonly sticker_packs: readonly StickerPack[] }
    return found(sticker_packs[0])
  }
  get #stickers(): string {
    return `${this.#harbourPath}/stickers`
  }
  /** A recurring event of the bot's. */
  async event(): Promise<GuildId & { readonly guild_scheduled_event_id: string }> {
    const { id } = await this.byBot('POST', `${this.#harbourPath}/scheduled-events`, REGATTA)
    return { ...this.harbour, guild_scheduled_event_id: id }
  }
  async exception(): Promise<GuildId & { readonly guild_scheduled_event_id: string; readonly exception_id: string }> {
    const event = await this.event()
    const path = `/guilds/${event.guild_id}/scheduled-events/${event.guild_scheduled_event_id}/exceptions`
    const made = await this.byBot('POST', path, { original_scheduled_start_time: REGATTA.scheduled_start_time, is_canceled: true })
    return { ...event, exception_id: found(made['event_exception_id']) }
  }
  /** A new text channel of the Harbour. */
  async newChannel(): Promise<{ readonly channel_id: string }> {
    return { channel_id: (await this.byBot('POST', `${this.#harbourPath}/channels`, { name: 'dock' })).id }
  }
  /** A new channel whose permissions for everyone were changed. */
  async overwrite(): Promise<{ readonly channel_id: string; readonly overwrite_id: string }> {
    const { channel_id } = await this.newChannel()
    const overwrite_id = this.harbour.guild_id
    await this.byBot('PUT', `/channels/${channel_id}/permissions/${overwrite_id}`, { type: 0, deny: '2048' })
    return { channel_id, overwrite_id }
  }
  async newRole(): Promise<GuildId & { readonly role_id: string }> {
    return { ...this.harbour, role_id: (await this.byBot('POST', `${this.#harbourPath}/roles`, { name: 'Pilot' })).id }
  }
  /** A message to which the bot reacted. */
  async reacted(): Promise<MessageIds & { readonly emoji_name: string }> {
    const message = await this.toReactTo()
    const { channel_id, message_id, emoji_name } = message
    await this.byBot('PUT', `/channels/${channel_id}/messages/${message_id}/reactions/${encodeURIComponent(emoji_name)}/@me`)
    return message
  }
  /** A message without reactions, and an emoji. */
  async toReactTo(): Promise<MessageIds & { readonly emoji_name: string }> {
    return { ...(await this.message()), emoji_name: THUMB }
  }
  async pollMessage(): Promise<MessageIds & { readonly answer_id: number }> {
    const channel_id = this.channel('general')
    const poll = { question: { text: 'Sail?' }, answers: [{ poll_media: { text: 'Yes' } }] }
    return { channel_id, message_id: (await this.byBot('POST', `/channels/${channel_id}/messages`, { poll })).id, answer_id: 1 }
  }
  /** A user who is banned from the Harbour. Not one of its members, whom a ban would remove. */
  async ban(): Promise<GuildId & { readonly user_id: string }> {
    const user_id = this.user('mary')
    await this.byBot('PUT', `${this.#harbourPath}/bans/${user_id}`, {})
    return { ...this.harbour, user_id }
  }
  /** The users who can be banned from the Harbour. */
  async unbanned(): Promise<GuildId & { readonly user_ids: readonly string[] }> {
    const { guild_id, user_id } = await this.ban()
    await this.byBot('DELETE', `${this.#harbourPath}/bans/${user_id}`)
    return { guild_id, user_ids: [user_id] }
  }
  /** A member of the Harbour whom nothing else needs. */
  async leaver(): Promise<GuildId & { readonly user_id: string }> {
    const user_id = this.user('linus')
    await this.#daemon.control('POST', '/members', { guild: this.harbour.guild_id, user: 'linus' })
    return { ...this.harbour, user_id }
  }
  /** A user who has authorized the application, without a relationship with Ada. */
  async stranger(): Promise<{ readonly user_id: string; readonly username: string }> {
    const username = 'linus'
    await this.#daemon.token(['identify'], { user: username })
    const user_id = this.user(username)
    const ada = await this.#daemon.token(['identify', 'relationships.write'])
    for (const kind of ['relationships', 'game-relationships']) await this.#asked('DELETE', `/users/@me/${kind}/${user_id}`, ada)
    return { user_id, username }
  }
  /** An activity that an interaction launched. */
  async instance(): Promise<{ readonly application_id: string; readonly instance_id: string }> {
    const { interaction_id, interaction_token } = await this.interaction()
    const path = `/interactions/${interaction_id}/${interaction_token}/callback?with_response=true`
    const { resource } = (await this.byBot('POST', path, { type: 12 })) as unknown as Launched
    return { ...this.application, instance_id: found(resource.activity_instance).id }
  }
  /** A command with permissions that Ada, who owns the Harbour, set. */
  async permitted(): Promise<GuildId & { readonly application_id: string; readonly command_id: string }> {
    const command = await this.guildCommand()
    const token = await this.#daemon.token(['identify', 'applications.commands.permissions.update'])
    const path = `/applications/${APPLICATION}/guilds/${command.guild_id}/commands/${command.command_id}/permissions`
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
