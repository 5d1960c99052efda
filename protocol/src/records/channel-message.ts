/** Messages of channels as the HTTP API shows them, pins and search results. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { Poll } from './poll.ts'
import { User } from './user.ts'

/** Flag of a spoiler attachment. A file name with the prefix SPOILER_ also marks a spoiler, but not every spoiler has it. */
export const ATTACHMENT_IS_SPOILER = 1 << 3

export const Attachment = once(() =>
  tolerant({
    id: Snowflake(),
    filename: z.string(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    content_type: z.string().nullish(),
    size: z.number().int(),
    url: z.string(),
    proxy_url: z.string(),
    height: z.number().int().nullish(),
    width: z.number().int().nullish(),
    flags: z.number().int().nullish().meta({ description: 'Bit 3 marks a spoiler.' }),
  }).meta({ id: 'Attachment', description: 'A file of a message.' }),
)
export type Attachment = z.output<ReturnType<typeof Attachment>>

const BODY = once(() => ({
  type: z.number().int(),
  content: z.string(),
  mentions: z.array(User()),
  mention_roles: z.array(Snowflake()),
  attachments: z.array(Attachment()),
  embeds: z.array(z.unknown()),
  timestamp: IsoTime(),
  edited_timestamp: IsoTime().nullable(),
  flags: z.number().int(),
  components: z.array(z.unknown()),
}))

/** A message as it was when it was forwarded, without author and guild. */
export const MessageSnapshot = once(() =>
  tolerant({ message: tolerant(BODY()).partial() }).meta({
    id: 'MessageSnapshot',
    description: 'A message as it was when it was forwarded, without author and guild.',
  }),
)

export type MessageSnapshot = z.output<ReturnType<typeof MessageSnapshot>>

export const Message = once(() =>
  tolerant({
    ...BODY(),
    id: Snowflake(),
    channel_id: Snowflake(),
    author: User(),
    pinned: z.boolean(),
    mention_everyone: z.boolean(),
    tts: z.boolean(),
    nonce: z.union([z.string(), z.number()]).nullish(),
    application_id: Snowflake().nullish(),
    webhook_id: Snowflake().nullish(),
    position: z.number().int().nullish(),
    poll: Poll().optional(),
    sticker_items: z.array(z.unknown()).nullish(),
    message_reference: tolerant({
      type: z.number().int().optional().meta({ description: '0: a reply; 1: a forward.' }),
      message_id: Snowflake().nullish(),
      channel_id: Snowflake().nullish(),
      guild_id: Snowflake().nullish(),
    }).nullish(),
    message_snapshots: z.array(MessageSnapshot()).nullish().meta({ description: 'The forwarded messages of a forward.' }),
    interaction_metadata: tolerant({
      id: Snowflake(),
      type: z.number().int(),
      user: User(),
      authorizing_integration_owners: z.record(z.string(), Snowflake()).optional(),
    })
      .nullish()
      .meta({ description: 'For a response to an interaction: the interaction and its user.' }),
  }).meta({ id: 'Message', description: 'A message of a channel.' }),
)
export type Message = z.output<ReturnType<typeof Message>>

export const PinnedMessages = once(() =>
  tolerant({
    items: z.array(tolerant({ pinned_at: IsoTime(), message: Message() })),
    has_more: z.boolean(),
  }).meta({ id: 'PinnedMessages', description: 'Pinned messages of a channel, the latest pin first.' }),
)
export type PinnedMessages = z.output<ReturnType<typeof PinnedMessages>>

const FoundMessage = once(() =>
  Message()
    .extend({ hit: z.boolean().optional().meta({ description: 'True for the message that matches; others around it are its context.' }) })
    .meta({ id: 'FoundMessage', description: 'A message that a search found, or one around it.' }),
)

export const MessageSearch = once(() =>
  tolerant({
    messages: z.array(z.array(FoundMessage())),
    total_results: z.number().int(),
    doing_deep_historical_index: z.boolean(),
    documents_indexed: z.number().int().nullish(),
    threads: z.array(z.unknown()).nullish(),
    members: z.array(z.unknown()).nullish(),
  }).meta({ id: 'MessageSearch', description: 'Messages of a guild that a search found.' }),
)
export type MessageSearch = z.output<ReturnType<typeof MessageSearch>>
