/** Lobbies: their members, their messages, and the text pairs attached to all three. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Snowflake, StringMap, tolerant } from '../schema/index.ts'
import { Channel } from './channel.ts'
import { User } from './user.ts'

/** What is wrong with the size of the whole, in words, or undefined. */
export function metadataProblem(metadata: Readonly<Record<string, string>>, maxTotal: number): string | undefined {
  const pairs = Object.entries(metadata)
  if (pairs.length > LIMITS.lobbyMetadataKeys.value)
    return `has ${pairs.length} keys; at most ${LIMITS.lobbyMetadataKeys.value} are allowed`
  const length = pairs.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return length > maxTotal ? `has ${length} characters in keys and values together; at most ${maxTotal} are allowed` : undefined
}

/** JSON Schema can state all but the total; that is in the description. */
const metadataOf = (maxTotal: number) =>
  z.record(z.string(), z.string().max(LIMITS.lobbyMetadataValue.value)).check((context) => {
    const message = metadataProblem(context.value, maxTotal)
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** Text pairs that a game attaches to a lobby or a member. */
export const Metadata = metadataOf(LIMITS.lobbyMetadataTotal.value).meta({
  id: 'Metadata',
  description: `Text pairs that a game attaches; keys and values together have at most ${LIMITS.lobbyMetadataTotal.value} characters.`,
  maxProperties: LIMITS.lobbyMetadataKeys.value,
  'x-max-total-length': LIMITS.lobbyMetadataTotal.value,
})
export type Metadata = z.output<typeof Metadata>

/** Text pairs that a game attaches to a message. */
export const MessageMetadata = metadataOf(Number.POSITIVE_INFINITY).meta({
  id: 'MessageMetadata',
  description: 'Text pairs that a game attaches to a message.',
  maxProperties: LIMITS.lobbyMetadataKeys.value,
})
export type MessageMetadata = z.output<typeof MessageMetadata>

/** What the moderation of a game says about a message. */
export const ModerationMetadata = z
  .record(z.string().max(LIMITS.moderationMetadataKey.value), z.string().max(LIMITS.moderationMetadataValue.value))
  .check((context) => {
    const keys = Object.keys(context.value).length
    const most = LIMITS.moderationMetadataKeys.value
    if (keys > most) context.issues.push({ code: 'custom', message: `has ${keys} keys; at most ${most} are allowed`, input: context.value })
  })
  .meta({
    id: 'ModerationMetadata',
    description: 'What the moderation of a game says about a message.',
    maxProperties: LIMITS.moderationMetadataKeys.value,
  })
export type ModerationMetadata = z.output<typeof ModerationMetadata>

/** Bit 0: the member may link the lobby to a channel. The platform's description knows no other value; null and absence mean none. */
export const LobbyMemberFlags = z.literal(1).meta({ description: '1: may link the lobby to a channel.' })

export const LobbyMember = tolerant({
  id: Snowflake,
  metadata: StringMap.nullish(),
  flags: z.number().int(),
  additional_name: z.string().nullish(),
}).meta({ id: 'LobbyMember', description: 'A member of a lobby.' })
export type LobbyMember = z.output<typeof LobbyMember>

export const Lobby = tolerant({
  id: Snowflake,
  application_id: Snowflake,
  metadata: StringMap.nullable(),
  members: z.array(LobbyMember),
  linked_channel: Channel.nullish(),
  flags: z.number().int().optional(),
  override_event_webhooks_url: z.string().nullish(),
}).meta({ id: 'Lobby', description: 'A lobby of an application.' })
export type Lobby = z.output<typeof Lobby>

/** An invite to the guild of the channel that a lobby is linked to. */
export const LobbyInvite = tolerant({ code: z.string() }).meta({
  id: 'LobbyInvite',
  description: 'An invite to the guild of the channel that a lobby is linked to.',
})
export type LobbyInvite = z.output<typeof LobbyInvite>

export const LobbyMessage = tolerant({
  id: Snowflake,
  type: z.number().int(),
  content: z.string(),
  lobby_id: Snowflake,
  channel_id: Snowflake,
  author: User,
  lobby_member: tolerant({ additional_name: z.string() }).optional(),
  metadata: StringMap.nullish(),
  moderation_metadata: StringMap.nullish(),
  flags: z.number().int(),
  application_id: Snowflake.nullish(),
}).meta({ id: 'LobbyMessage', description: 'A message in a lobby.' })
export type LobbyMessage = z.output<typeof LobbyMessage>
