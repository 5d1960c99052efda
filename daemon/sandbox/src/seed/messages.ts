/** What was said in the channels of a fresh world. */
import type { StoredChannelMessage } from '../store/records.ts'
import type { WorldGuild } from './world.ts'

const MINUTE = 60_000n
const REMAINDER_BITS = 22n

/** In the order of the world, a minute apart, at a time that follows from the seed. */
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
