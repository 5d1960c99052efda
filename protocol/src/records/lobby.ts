/** Lobbies, their members and messages, and metadata. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, StringMap, tolerant } from '../schema/index.ts'
import { Channel } from './channel.ts'
import { User } from './user.ts'

/** Returns a sentence part about the total size of metadata, or undefined if it is valid. */
export function metadataProblem(metadata: Readonly<Record<string, string>>, maxTotal: number): string | undefined {
  const pairs = Object.entries(metadata)
  if (pairs.length > LIMITS.lobbyMetadataKeys.value)
    return `has ${pairs.length} keys; at most ${LIMITS.lobbyMetadataKeys.value} are allowed`
  const length = pairs.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return length > maxTotal ? `has ${length} characters in keys and values; at most ${maxTotal} are allowed` : undefined
}

/** JSON Schema can express all rules except the total, which is in the description. */
const metadataOf = (maxTotal: number) =>
  z.record(z.string(), z.string().max(LIMITS.lobbyMetadataValue.value)).check((context) => {
    const message = metadataProblem(context.value, maxTotal)
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** Metadata that a game attaches to a lobby or member. */
export const Metadata = once(() =>
  metadataOf(LIMITS.lobbyMetadataTotal.value).meta({
    id: 'Metadata',
    description: `Metadata (text keys and values) of a lobby or member; at most ${LIMITS.lobbyMetadataTotal.value} characters in total.`,
    maxProperties: LIMITS.lobbyMetadataKeys.value,
    'x-max-total-length': LIMITS.lobbyMetadataTotal.value,
  }),
)
export type Metadata = z.output<ReturnType<typeof Metadata>>

/** Metadata (text keys and values) that a game attaches to a message. */
export const MessageMetadata = once(() =>
  metadataOf(Number.POSITIVE_INFINITY).meta({
    id: 'MessageMetadata',
    description: 'Metadata (text keys and values) that a game attaches to a message.',
    maxProperties: LIMITS.lobbyMetadataKeys.value,
  }),
)
export type MessageMetadata = z.output<ReturnType<typeof MessageMetadata>>

/** Moderation metadata that a game sets on a message. */
export const ModerationMetadata = once(() =>
  z
    .record(z.string().max(LIMITS.moderationMetadataKey.value), z.string().max(LIMITS.moderationMetadataValue.value))
    .check((context) => {
      const keys = Object.keys(context.value).length
      const most = LIMITS.moderationMetadataKeys.value
      if (keys > most)
        context.issues.push({ code: 'custom', message: `has ${keys} keys; at most ${most} are allowed`, input: context.value })
    })
    .meta({
      id: 'ModerationMetadata',
      description: 'Moderation metadata that a game sets on a message.',
      maxProperties: LIMITS.moderationMetadataKeys.value,
    }),
)
export type ModerationMetadata = z.output<ReturnType<typeof ModerationMetadata>>

/** Bit 0: the member can link the lobby to a channel. The platform documents no other value; null and absence mean none. */
export const LobbyMemberFlags = once(() => z.literal(1).meta({ description: '1: can link the lobby to a channel.' }))

export const LobbyMember = once(() =>
  tolerant({
    id: Snowflake(),
    metadata: StringMap().nullish(),
    flags: z.number().int(),
    additional_name: z.string().nullish(),
  }).meta({ id: 'LobbyMember', description: 'A member of a lobby.' }),
)
export type LobbyMember = z.output<ReturnType<typeof LobbyMember>>

export const Lobby = once(() =>
  tolerant({
    id: Snowflake(),
    application_id: Snowflake(),
    metadata: StringMap().nullable(),
    members: z.array(LobbyMember()),
    linked_channel: Channel().nullish(),
    flags: z.number().int().optional(),
    override_event_webhooks_url: z.string().nullish(),
  }).meta({ id: 'Lobby', description: 'A lobby of an application.' }),
)
export type Lobby = z.output<ReturnType<typeof Lobby>>

/** An invite to the guild of the channel that a lobby is linked to. */
export const LobbyInvite = once(() =>
  tolerant({ code: z.string() }).meta({
    id: 'LobbyInvite',
    description: 'An invite to the guild of the channel that a lobby is linked to.',
  }),
)
export type LobbyInvite = z.output<ReturnType<typeof LobbyInvite>>

export const LobbyMessage = once(() =>
  tolerant({
    id: Snowflake(),
    type: z.number().int(),
    content: z.string(),
    lobby_id: Snowflake(),
    channel_id: Snowflake(),
    author: User(),
    lobby_member: tolerant({ additional_name: z.string() }).optional(),
    metadata: StringMap().nullish(),
    moderation_metadata: StringMap().nullish(),
    flags: z.number().int(),
    application_id: Snowflake().nullish(),
  }).meta({ id: 'LobbyMessage', description: 'A message in a lobby.' }),
)
export type LobbyMessage = z.output<ReturnType<typeof LobbyMessage>>
