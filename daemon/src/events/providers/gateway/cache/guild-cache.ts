/** The guilds and channels that one gateway connection has told of, kept current by its dispatches. A new session starts it anew. */
import { CHANNEL_OBFUSCATED, LIMITS } from '@sallyport/protocol'
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf } from '../../../../platform/gateway/reading.ts'

export interface CachedGuild {
  readonly id: string
  /** Undefined until the guild was told of whole. */
  readonly name: string | undefined
  readonly icon: string | null
  /** How many are online, about; undefined where that is not told. */
  readonly online: number | undefined
  readonly isAvailable: boolean
}

interface CachedChannel {
  /** The application that made the channel. */
  readonly applicationId: string | undefined
  /** Of a hidden channel: all that may be known of it, as text; undefined when it is visible. */
  readonly hiddenForm: string | undefined
}

/**
 * What a dispatch changed. `loaded`: a guild that READY named, or that was out of reach, is there. `joined`: one that was in no list, or in none
 * before a session was lost.
 * `unchanged`: nothing of what can be known of it.
 */
export interface GuildNews {
  readonly guildId: string
  readonly what: 'loaded' | 'joined' | 'changed' | 'unchanged' | 'left' | 'unavailable'
}

const NAME_MAX = 100

export class GuildCache {
  readonly #guilds = new Map<string, CachedGuild>()
  /** By guild, then by id. */
  readonly #channels = new Map<string, Map<string, CachedChannel>>()
  #channelCount = 0
  #hasBegun = false
  /** Guilds of this session's list that the session before did not know. */
  readonly #joined = new Set<string>()

  /** Takes a dispatch in. Undefined when it says nothing of guilds and channels. */
  take(t: string, d: unknown): GuildNews | undefined {
    return TAKERS.get(t)?.(this, fieldsOf(d))
  }

  guild(id: string): CachedGuild | undefined {
    return this.#guilds.get(id)
  }

  get guildCount(): number {
    return this.#guilds.size
  }

  /** Guilds that are known here and that a new session does not name; none when it names no guilds at all. */
  missingIn(ready: unknown): readonly string[] {
    const { guilds } = fieldsOf(ready)
    if (!Array.isArray(guilds)) return []
    const named = new Set(guilds.map((entry) => fieldsOf(entry)['id']))
    return [...this.#guilds.keys()].filter((id) => !named.has(id))
  }

  /** Whether a channel is one that this application made. */
  isOfApplication(guildId: string, channelId: string, applicationId: string): boolean {
    return this.#channels.get(guildId)?.get(channelId)?.applicationId === applicationId
  }

  /** A new session: only what is in its list counts. Bots find bare ids there; some users' connections whole guilds, which then do not come again. */
  begin(ready: Fields): void {
    const before = this.#hasBegun ? new Set(this.#guilds.keys()) : undefined
    this.#hasBegun = true
    this.#guilds.clear()
    this.#joined.clear()
    this.#channels.clear()
    this.#channelCount = 0
    for (const entry of listOf(ready['guilds'])) {
      const guild = fieldsOf(entry)
      const id = idOf(guild['id'])
      if (id === undefined) continue
      if (before?.has(id) === false) this.#joined.add(id)
      if (guild['unavailable'] !== true && textOf(guild['name'], NAME_MAX) !== undefined) this.guildCame(guild)
      else this.#put({ id, name: undefined, icon: null, online: undefined, isAvailable: false })
    }
  }

  guildCame(d: Fields): GuildNews | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    if (d['unavailable'] === true) return this.guildWent({ id, unavailable: true })
    const known = this.#guilds.get(id)
    this.#put(guildFrom(id, d, known))
    this.#forgetChannelsOf(id)
    for (const channel of [...listOf(d['channels']), ...listOf(d['threads'])]) this.#putChannel(fieldsOf(channel), id)
    if (this.#joined.delete(id) || known === undefined) return { guildId: id, what: 'joined' }
    return { guildId: id, what: known.isAvailable ? 'changed' : 'loaded' }
  }

  guildChanged(d: Fields): GuildNews | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    const known = this.#guilds.get(id)
    const now = guildFrom(id, d, known)
    this.#put(now)
    const isSame = known?.name === now.name && known?.icon === now.icon && known?.online === now.online
    return { guildId: id, what: isSame ? 'unchanged' : 'changed' }
  }

  guildWent(d: Fields): GuildNews | undefined {
    const id = idOf(d['id'])
    if (id === undefined) return undefined
    const known = this.#guilds.get(id)
    if (d['unavailable'] === true) {
      this.#put({ ...(known ?? { id, name: undefined, icon: null, online: undefined }), isAvailable: false })
      return { guildId: id, what: 'unavailable' }
    }
    this.#guilds.delete(id)
    this.#forgetChannelsOf(id)
    return { guildId: id, what: 'left' }
  }

  channelCame(d: Fields): GuildNews | undefined {
    const guildId = idOf(d['guild_id'])
    const id = idOf(d['id'])
    if (guildId === undefined || id === undefined) return undefined
    const before = this.#channels.get(guildId)?.get(id)
    const now = this.#putChannel(d, guildId)
    const isStillHidden = before?.hiddenForm !== undefined && before.hiddenForm === now?.hiddenForm
    return { guildId, what: isStillHidden ? 'unchanged' : 'changed' }
  }

  channelWent(d: Fields): GuildNews | undefined {
    const guildId = idOf(d['guild_id'])
    const id = idOf(d['id'])
    if (guildId === undefined || id === undefined) return undefined
    if (this.#channels.get(guildId)?.delete(id) === true) this.#channelCount--
    return { guildId, what: 'changed' }
  }

  #put(guild: CachedGuild): void {
    if (this.#guilds.size < LIMITS.gatewayGuilds.value || this.#guilds.has(guild.id)) this.#guilds.set(guild.id, guild)
  }

  #putChannel(d: Fields, guildId: string): CachedChannel | undefined {
    const id = idOf(d['id'])
    const ofGuild = this.#channels.get(guildId) ?? new Map<string, CachedChannel>()
    if (id === undefined) return undefined
    if (!ofGuild.has(id)) {
      if (this.#channelCount >= LIMITS.gatewayChannels.value) return undefined
      this.#channelCount++
    }
    const channel = { applicationId: idOf(d['application_id']), hiddenForm: hiddenForm(d) }
    this.#channels.set(guildId, ofGuild.set(id, channel))
    return channel
  }

  #forgetChannelsOf(guildId: string): void {
    this.#channelCount -= this.#channels.get(guildId)?.size ?? 0
    this.#channels.delete(guildId)
  }
}

/** What is not told stays as it was known. */
function guildFrom(id: string, d: Fields, known: CachedGuild | undefined): CachedGuild {
  return {
    id,
    name: textOf(d['name'], NAME_MAX) ?? known?.name,
    icon: d['icon'] === undefined ? (known?.icon ?? null) : (textOf(d['icon']) ?? null),
    online: numberOf(d['approximate_presence_count']) ?? known?.online,
    isAvailable: true,
  }
}

/** Of a hidden channel only its place can be trusted. */
const hiddenForm = ({ flags, type, position, parent_id }: Fields): string | undefined =>
  ((numberOf(flags) ?? 0) & CHANNEL_OBFUSCATED) === 0 ? undefined : JSON.stringify([type, position, parent_id])

type Taker = (cache: GuildCache, d: Fields) => GuildNews | undefined

const TAKERS: ReadonlyMap<string, Taker> = new Map<string, Taker>([
  [
    'READY',
    (cache, d) => {
      cache.begin(d)
      return undefined
    },
  ],
  ['GUILD_CREATE', (cache, d) => cache.guildCame(d)],
  ['GUILD_UPDATE', (cache, d) => cache.guildChanged(d)],
  ['GUILD_DELETE', (cache, d) => cache.guildWent(d)],
  ['CHANNEL_CREATE', (cache, d) => cache.channelCame(d)],
  ['CHANNEL_UPDATE', (cache, d) => cache.channelCame(d)],
  ['CHANNEL_DELETE', (cache, d) => cache.channelWent(d)],
])
