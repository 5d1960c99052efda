/** The initial messages of the channels. */
import type { StoredChannelMessage } from '../store/records.ts'
import type { WorldGuild } from './world.ts'

const MINUTE = 60_000n
const REMAINDER_BITS = 22n

/** In order, one minute apart, from a time derived from the seed. */
export function storedMessages(guild: WorldGuild, idOf: (label: string) => string): StoredChannelMessage[] {
  return guild.channels.flatMap(({ name, messages = [] }) => {
    const first = BigInt(idOf(`messages ${guild.name} ${name}`))
    return messages.map(([author, content], index) => ({
      id: (first + ((BigInt(index) * MINUTE) << REMAINDER_BITS)).toString(),
      channelId: idOf(`channel ${guild.name} ${name}`),
      authorId: idOf(`user ${author}`),
      applicationId: null,
      content,
      embeds: [],
      components: [],
      stickerIds: [],
      poll: null,
      flags: 0,
      nonce: null,
      tts: false,
      mentionedIds: [],
      reference: null,
      snapshot: null,
      editedAt: null,
      pinnedAt: null,
    }))
  })
}
