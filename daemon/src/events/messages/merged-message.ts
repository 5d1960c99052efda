/** Merges platform events into a stored message. Events may arrive in any order. Pure. */
import { parserOf, UserMessage } from '@sallyport/protocol'

type MessagePart = Partial<UserMessage> & Pick<UserMessage, 'id'>

const parse = parserOf(UserMessage)

const editedAt = ({ edited_timestamp: text }: MessagePart): number => (text == null ? 0 : Date.parse(text))

/** The message to store; undefined when the update does not complete one. */
export function mergedMessage(known: UserMessage | undefined, update: MessagePart): UserMessage | undefined {
  if (known === undefined) {
    const parsed = parse(update)
    return parsed.success && parsed.data.timestamp !== undefined ? parsed.data : undefined
  }
  // An update without an edit time comes from a sender that omits it, and is the newest version.
  if (update.edited_timestamp !== undefined && editedAt(update) < editedAt(known)) return known
  // Moderation metadata belongs to the earlier text.
  const { moderation_metadata, ...plain } = known
  const before = update.content === undefined || update.content === known.content ? known : plain
  const parsed = parse({ ...before, ...update })
  return parsed.success ? parsed.data : undefined
}
