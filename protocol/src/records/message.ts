/** Messages as the local protocol shows them. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { RpcUser } from './user.ts'

/** A message of a channel. A deletion carries only `id`. */
export const RpcMessage = once(() =>
  tolerant({
    id: Snowflake(),
    blocked: z.boolean().optional(),
    bot: z.boolean().optional(),
    content: z.string().optional(),
    content_parsed: z.array(z.unknown()).optional(),
    nick: z.string().nullish(),
    author_color: z.string().nullish(),
    edited_timestamp: IsoTime().nullish(),
    timestamp: IsoTime().optional(),
    tts: z.boolean().optional(),
    mentions: z.array(z.unknown()).optional(),
    mention_everyone: z.boolean().optional(),
    mention_roles: z.array(z.unknown()).optional(),
    embeds: z.array(z.unknown()).optional(),
    attachments: z.array(z.unknown()).optional(),
    author: RpcUser().optional(),
    pinned: z.boolean().optional(),
    type: z.number().int().optional(),
  }).meta({ id: 'RpcMessage', description: 'A message as the local protocol shows it.' }),
)
export type RpcMessage = z.output<ReturnType<typeof RpcMessage>>
