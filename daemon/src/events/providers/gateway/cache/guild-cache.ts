/** The guilds and channels of one gateway connection, kept current by its dispatches. A new gateway session replaces them. */
import { BUDGETS } from '@sallyport/core/budgets'
import { CHANNEL_OBFUSCATED, type RpcChannel } from '@sallyport/protocol'
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf } from '@sallyport/core/json-read'

export interface CachedGuild {
  readonly id: string
  /** Undefined until GUILD_CREATE. */
  readonly name: string | undefined
  readonly icon: string | null
  /** The approximate number of online members; undefined when the platform does not send it. */
  readonly online: number | undefined
  readonly isAvailable: boolean
}

interface CachedChannel {
  /** As the local protocol shows it. */
  readonly shown: RpcChannel
  /** The application that created the channel. */
  readonly applicationId: string | undefined
  /** The visible fields of a hidden channel, serialized; undefined for a visible channel. */
  readonly hiddenForm: string | undefined
}

/**
 * What a dispatch changed. `loaded`: a guild of READY, or an unavailable guild, became available. `joined`: a guild that was not in READY, or not
 * in the guild list of the previous gateway session. `unchanged`: no visible change.
 */
export interface GuildChange {
  readonly guildId: string
  readonly kind: 'loaded' | 'joined' | 'changed' | 'unchanged' | 'left' | 'unavailable'
}

const NAME_MAX = 100
const TOPIC_MAX = 4096

export class GuildCache {
  readonly #guilds = new Map<string, CachedGuild>()
  /** By guild, then by id. */
  readonly #channels = new Map<string, Map<string, CachedChannel>>()
  #channelCount = 0
  #isInitialized = false
  /** Guilds in READY that the previous gateway session did not have. */
  readonly #joined = new Set<string>()

  /** Applies a dispatch. Returns undefined when it is not about guilds or channels. */
  update(t: string, d: unknown): GuildChange | undefined {
    return HANDLERS.get(t)?.(this, fieldsOf(d))
  }

  guild(id: string): CachedGuild | undefined {
    return this.#guilds.get(id)
  }

  get guildCount(): number {
    return this.#guilds.size
  }

  /** Whether every guild of the list is available. */
  get isLoaded(): boolean {
    return [...this.#guilds.values()].every(({ isAvailable }) => isAvailable)
  }

  channelsOf(guildId: string): readonly RpcChannel[] {
    return [...(this.#channels.get(guildId)?.values() ?? [])].map(({ shown }) => shown)
  }

  channel(id: string): RpcChannel | undefined {
    for (const ofGuild of this.#channels.values()) {
      const channel = ofGuild.get(id)
      if (channel !== undefined) return channel.shown
    }
    return undefined
  }

  /** Cached guilds that READY does not list; empty when READY has no list. */
  missingIn(ready: unknown): readonly string[] {
    const { guilds } = fieldsOf(ready)
    if (!Array.isArray(guilds)) return []
    const named = new Set(guilds.map((entry) => fieldsOf(entry)['id']))
    return [...this.#guilds.keys()].filter((id) => !named.has(id))
  }

  /** Whether this application created the channel. */
  isOfApplication(guildId: string, channelId: string, applicationId: string): boolean {
    return this.#channels.get(guildId)?.get(channelId)?.applicationId === applicationId
  }

  /** Resets the cache to the guild list of READY. Bots get bare ids there. Some users' connections get whole guilds, without GUILD_CREATE afterwards. */
  reset(ready: Fields): void {
    const before = this.#isInitialized ? new Set(this.#guilds.keys()) : undefined
    this.#isInitialized = true
    this.#guilds.clear()
    this.#joined.clear()
    this.#channels.clear()
    this.#channelCount = 0
    for (const entry of listOf(ready['guilds'])) {
      const guild = fieldsOf(entry)
      const id = idOf(guild['id'])
      if (id === undefined) continue
      if (before?.has(id) === false) this.#joined.add(id)
      if (guild['unavailable'] !== true && textOf(guild['name'], NAME_MAX) !== undefined) this.onGuildCreate(guild)
      else this.#put({ id, name: undefined, icon: null, online: undefined, isAvailable: false })
    }
  }

  onGuildCreate(d: Fields): GuildChange | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    if (d['unavailable'] === true) return this.onGuildDelete({ id, unavailable: true })
    const known = this.#guilds.get(id)
    this.#put(guildFrom(id, d, known))
    this.#deleteChannelsOf(id)
    for (const channel of [...listOf(d['channels']), ...listOf(d['threads'])]) this.#putChannel(fieldsOf(channel), id)
    if (this.#joined.delete(id) || known === undefined) return { guildId: id, kind: 'joined' }
    return { guildId: id, kind: known.isAvailable ? 'changed' : 'loaded' }
  }

  onGuildUpdate(d: Fields): GuildChange | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    const known = this.#guilds.get(id)
    const now = guildFrom(id, d, known)
    this.#put(now)
    const isSame = known?.name === now.name && known?.icon === now.icon && known?.online === now.online
    return { guildId: id, kind: isSame ? 'unchanged' : 'changed' }
  }

  onGuildDelete(d: Fields): GuildChange | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    const known = this.#guilds.get(id)
    if (d['unavailable'] === true) {
      this.#put({ ...(known ?? { id, name: undefined, icon: null, online: undefined }), isAvailable: false })
      return { guildId: id, kind: 'unavailable' }
    }
    this.#guilds.delete(id)
    this.#deleteChannelsOf(id)
    return { guildId: id, kind: 'left' }
  }

  onChannelUpsert(d: Fields): GuildChange | undefined {
    const guildId = idOf(d['guild_id'])
    const id = idOf(d['id'])
    if (guildId === undefined || id === undefined) return undefined
    const before = this.#channels.get(guildId)?.get(id)
    const now = this.#putChannel(d, guildId)
    const isStillHidden = before?.hiddenForm !== undefined && before.hiddenForm === now?.hiddenForm
    return { guildId, kind: isStillHidden ? 'unchanged' : 'changed' }
  }

  onChannelDelete(d: Fields): GuildChange | undefined {
    const guildId = idOf(d['guild_id'])
    const id = idOf(d['id'])
    if (guildId === undefined || id === undefined) return undefined
    if (this.#channels.get(guildId)?.delete(id) === true) this.#channelCount--
    return { guildId, kind: 'changed' }
  }

  #put(guild: CachedGuild): void {
    if (this.#guilds.size < BUDGETS.gatewayGuilds.value || this.#guilds.has(guild.id)) this.#guilds.set(guild.id, guild)
  }

  #putChannel(d: Fields, guildId: string): CachedChannel | undefined {
    const id = idOf(d['id'])
    const ofGuild = this.#channels.get(guildId) ?? new Map<string, CachedChannel>()
    if (id === undefined) return undefined
    if (!ofGuild.has(id)) {
      if (this.#channelCount >= BUDGETS.gatewayChannels.value) return undefined
      this.#channelCount++
    }
    const channel = { shown: shownChannel(id, guildId, d), applicationId: idOf(d['application_id']), hiddenForm: hiddenForm(d) }
    this.#channels.set(guildId, ofGuild.set(id, channel))
    return channel
  }

  #deleteChannelsOf(guildId: string): void {
    this.#channelCount -= this.#channels.get(guildId)?.size ?? 0
    this.#channels.delete(guildId)
  }
}

/** Missing fields keep their cached values. */
function guildFrom(id: string, d: Fields, known: CachedGuild | undefined): CachedGuild {
  return {
    id,
    name: textOf(d['name'], NAME_MAX) ?? known?.name,
    icon: d['icon'] === undefined ? (known?.icon ?? null) : (textOf(d['icon']) ?? null),
    online: numberOf(d['approximate_presence_count']) ?? known?.online,
    isAvailable: true,
  }
}

const shownChannel = (id: string, guildId: string, d: Fields): RpcChannel => ({
  id,
  guild_id: guildId,
  name: textOf(d['name'], NAME_MAX) ?? '',
  type: numberOf(d['type']) ?? 0,
  topic: textOf(d['topic'], TOPIC_MAX) ?? null,
  bitrate: numberOf(d['bitrate']) ?? null,
  user_limit: numberOf(d['user_limit']) ?? null,
  position: numberOf(d['position']) ?? null,
})

/** Only the position of a hidden channel is reliable. */
const hiddenForm = ({ flags, type, position, parent_id }: Fields): string | undefined =>
  ((numberOf(flags) ?? 0) & CHANNEL_OBFUSCATED) === 0 ? undefined : JSON.stringify([type, position, parent_id])

type DispatchHandler = (cache: GuildCache, d: Fields) => GuildChange | undefined

const HANDLERS: ReadonlyMap<string, DispatchHandler> = new Map<string, DispatchHandler>([
  [
    'READY',
    (cache, d) => {
      cache.reset(d)
      return undefined
    },
  ],
  ['GUILD_CREATE', (cache, d) => cache.onGuildCreate(d)],
  ['GUILD_UPDATE', (cache, d) => cache.onGuildUpdate(d)],
  ['GUILD_DELETE', (cache, d) => cache.onGuildDelete(d)],
  ['CHANNEL_CREATE', (cache, d) => cache.onChannelUpsert(d)],
  ['CHANNEL_UPDATE', (cache, d) => cache.onChannelUpsert(d)],
  ['CHANNEL_DELETE', (cache, d) => cache.onChannelDelete(d)],
])
