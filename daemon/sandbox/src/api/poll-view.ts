/** The wire form of a poll: its answers with ids, its end and its results, which its sender does not give. */
import { HOUR_MS } from '@sallyport/core/durations'
import type { Poll } from '@sallyport/protocol'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredPoll } from '../store/records.ts'
import { filledIn } from './media-view.ts'
import { isoTime } from './wire-time.ts'

const DEFAULT_HOURS = 24

/** When the poll of a message ends, in milliseconds since the epoch. */
export const pollEnd = (messageId: string, { duration, endedAt }: StoredPoll): number =>
  endedAt ?? snowflakeTime(messageId) + (duration ?? DEFAULT_HOURS) * HOUR_MS

/** A part of a poll: its text, and the emoji with both of its fields. */
const partView = ({ text, emoji }: StoredPoll['question']): Poll['question'] => ({
  ...filledIn({ text }),
  ...(emoji == null ? {} : { emoji: { id: emoji.id ?? null, name: emoji.name ?? null } }),
})

/** A bot reads it, and bots cannot vote. `now`: milliseconds since the epoch. */
export const pollView = (messageId: string, poll: StoredPoll, now: number): Poll => ({
  question: partView(poll.question),
  answers: poll.answers.map(({ poll_media }, index) => ({ answer_id: index + 1, poll_media: partView(poll_media) })),
  expiry: isoTime(pollEnd(messageId, poll)),
  allow_multiselect: poll.allow_multiselect ?? false,
  layout_type: poll.layout_type ?? 1,
  results: {
    answer_counts: Object.entries(poll.votes ?? {}).map(([id, users]) => ({ id: Number(id), count: users.length, me_voted: false })),
    is_finalized: now >= pollEnd(messageId, poll),
  },
})
