/** Events about what users do with messages of a channel: reactions, votes, typing. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent, OWN_CHANNELS } from './define.ts'

const IN_CHANNEL = {
  delivery: 'subscription',
  requires: anyOf('rpc'),
  narrowed: OWN_CHANNELS,
  args: () => z.strictObject({ channel_id: Snowflake() }),
  provenance: 'sallyport',
} as const

const Emoji = once(() => z.looseObject({ id: Snowflake().nullish(), name: z.string().nullish() }))
const message = once(() => ({ channel_id: Snowflake(), message_id: Snowflake(), guild_id: Snowflake().optional() }))
const reaction = once(() => z.looseObject({ ...message(), user_id: Snowflake(), emoji: Emoji() }))
const vote = once(() => z.looseObject({ ...message(), user_id: Snowflake(), answer_id: z.number().int() }))

export const messageReactionAdd = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_REACTION_ADD',
  summary: 'A user reacted to a message of the channel.',
  data: reaction,
})

export const messageReactionRemove = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_REACTION_REMOVE',
  summary: 'A reaction of a user to a message of the channel was removed.',
  data: reaction,
})

export const messageReactionRemoveAll = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_REACTION_REMOVE_ALL',
  summary: 'All reactions to a message of the channel were removed.',
  data: () => z.looseObject(message()),
})

export const messageReactionRemoveEmoji = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_REACTION_REMOVE_EMOJI',
  summary: 'All reactions with one emoji to a message of the channel were removed.',
  data: () => z.looseObject({ ...message(), emoji: Emoji() }),
})

export const messagePollVoteAdd = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_POLL_VOTE_ADD',
  summary: 'A user voted in a poll of the channel.',
  data: vote,
})

export const messagePollVoteRemove = defineEvent({
  ...IN_CHANNEL,
  name: 'MESSAGE_POLL_VOTE_REMOVE',
  summary: 'A user took back a vote in a poll of the channel.',
  data: vote,
})

export const typingStart = defineEvent({
  ...IN_CHANNEL,
  name: 'TYPING_START',
  summary: 'A user begins to write in the channel. In seconds since the epoch.',
  data: () => z.looseObject({ channel_id: Snowflake(), guild_id: Snowflake().optional(), user_id: Snowflake(), timestamp: z.number() }),
})
