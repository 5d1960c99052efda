/** Polls of messages, as the platform sends them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'

const PollMedia = once(() =>
  tolerant({
    text: z.string().optional(),
    emoji: tolerant({ id: Snowflake().nullish(), name: z.string().nullish(), animated: z.boolean().optional() }).optional(),
  }),
)

export const Poll = once(() =>
  tolerant({
    question: PollMedia(),
    answers: z.array(tolerant({ answer_id: z.number().int(), poll_media: PollMedia() })),
    expiry: IsoTime().nullable(),
    allow_multiselect: z.boolean(),
    layout_type: z.number().int(),
    results: tolerant({
      answer_counts: z.array(tolerant({ id: z.number().int(), count: z.number().int(), me_voted: z.boolean() })),
      is_finalized: z.boolean().meta({ description: 'The votes are counted exactly; only after the end of the poll.' }),
    }).optional(),
  }).meta({ id: 'Poll', description: 'A poll of a message.' }),
)
export type Poll = z.output<ReturnType<typeof Poll>>
