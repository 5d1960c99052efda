/** Direct messages between two users, as returned for a user token of the application. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, StringMap, tolerant } from '../schema/index.ts'
import { MessageActivity } from './message-activity.ts'
import { User } from './user.ts'

export const UserMessage = once(() =>
  tolerant({
    id: Snowflake(),
    type: z.number().int().optional(),
    content: z.string(),
    channel_id: Snowflake(),
    author: User(),
    recipient_id: Snowflake().nullish(),
    timestamp: IsoTime().optional(),
    edited_timestamp: IsoTime().nullish(),
    metadata: StringMap().nullish(),
    moderation_metadata: StringMap().nullish(),
    flags: z.number().int().optional(),
    application_id: Snowflake().nullish(),
    activity: MessageActivity().nullish(),
  }).meta({ id: 'UserMessage', description: 'A direct message between two users.' }),
)
export type UserMessage = z.output<ReturnType<typeof UserMessage>>

export const UserMessageSummary = once(() =>
  tolerant({ user_id: Snowflake(), last_message_id: Snowflake() }).meta({
    id: 'UserMessageSummary',
    description: 'The last direct message with a user.',
  }),
)
export type UserMessageSummary = z.output<ReturnType<typeof UserMessageSummary>>
