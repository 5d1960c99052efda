/** What is known of a message after the platform told of it, in whatever order it tells. Pure. */
import { parserOf, UserMessage } from '@sallyport/protocol'

export type MessagePart = Partial<UserMessage> & Pick<UserMessage, 'id'>

const parse = parserOf(UserMessage)

const editedAt = ({ edited_timestamp: text }: MessagePart): number => (text == null ? 0 : Date.parse(text))

/** The message as it is to be kept; undefined when what was told does not make a whole one. */
export function mergedMessage(known: UserMessage | undefined, told: MessagePart): UserMessage | undefined {
  if (known === undefined) {
    const parsed = parse(told)
    return parsed.success && parsed.data.timestamp !== undefined ? parsed.data : undefined
  }
  // A form that does not say when it was edited comes from a sender who leaves it out, and is the newest there is.
  if (told.edited_timestamp !== undefined && editedAt(told) < editedAt(known)) return known
  // What moderation said was said of the text before.
  const { moderation_metadata, ...plain } = known
  const before = told.content === undefined || told.content === known.content ? known : plain
  const parsed = parse({ ...before, ...told })
  return parsed.success ? parsed.data : undefined
}
