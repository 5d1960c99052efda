/** Endpoints for guild members: the bot's own membership, pruning, and voice states. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Member, UserVoiceState } from '../records/member.ts'
import { imageData } from '../schema/data-uri.ts'
import { idList } from '../schema/id-list.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const modifyCurrentMember = defineEndpoint({
  name: 'MODIFY_CURRENT_MEMBER',
  summary: "Edit the bot's own nickname, avatar, banner or bio in a guild; null clears it. The nickname requires CHANGE_NICKNAME.",
  method: 'PATCH',
  path: '/guilds/{guild_id}/members/@me',
  params: () => ({ guild_id: Snowflake() }),
  body: () => ({
    nick: text(0, LIMITS.nickname.value).nullish(),
    avatar: imageData(LIMITS.imageBytes).nullish(),
    banner: imageData(LIMITS.imageBytes).nullish(),
    bio: text(0, LIMITS.memberBio.value).nullish(),
  }),
  response: Member,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 50001, 50013, 50035],
  provenance: 'documented',
})

const Days = once(() =>
  wholeNumber(LIMITS.pruneDaysMin.value, LIMITS.pruneDaysMax.value).meta({
    description: 'Days of inactivity. Default: 7.',
  }),
)
const Pruned = once(() => tolerant({ pruned: z.number().int().nullable() }))

export const getGuildPruneCount = defineEndpoint({
  name: 'GET_GUILD_PRUNE_COUNT',
  summary: 'Get the number of members that a prune would remove.',
  method: 'GET',
  path: '/guilds/{guild_id}/prune',
  params: () => ({ guild_id: Snowflake() }),
  query: () => ({ days: Days().optional(), include_roles: idList(LIMITS.pruneRoles.value).optional() }),
  response: Pruned,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['KICK_MEMBERS', 'MANAGE_GUILD'],
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013, 50035],
  provenance: 'documented',
})

export const beginGuildPrune = defineEndpoint({
  name: 'BEGIN_GUILD_PRUNE',
  summary: 'Prune inactive members who have no role. Without compute_prune_count, the number is null.',
  destructive: true,
  method: 'POST',
  path: '/guilds/{guild_id}/prune',
  params: () => ({ guild_id: Snowflake() }),
  body: () => ({
    days: Days().nullish(),
    compute_prune_count: z.boolean().nullish().meta({ description: 'Default: true.' }),
    include_roles: z
      .array(Snowflake())
      .max(LIMITS.pruneRoles.value)
      .nullish()
      .meta({ description: 'Also prune members with these roles.' }),
  }),
  response: Pruned,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['KICK_MEMBERS', 'MANAGE_GUILD'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 50001, 50013, 50035],
  provenance: 'documented',
})

export const getCurrentUserVoiceState = defineEndpoint({
  name: 'GET_CURRENT_USER_VOICE_STATE',
  summary: "Get the bot's own voice state in a guild; platform code 10065 if it is in no voice channel.",
  method: 'GET',
  path: '/guilds/{guild_id}/voice-states/@me',
  params: () => ({ guild_id: Snowflake() }),
  response: UserVoiceState,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 10065, 50001],
  provenance: 'documented',
})

export const getUserVoiceState = defineEndpoint({
  name: 'GET_USER_VOICE_STATE',
  summary:
    'Get the voice state of a user in a guild; platform code 10065 if the user is in no voice channel. The bot needs permission to join that channel.',
  method: 'GET',
  path: '/guilds/{guild_id}/voice-states/{user_id}',
  params: () => ({ guild_id: Snowflake(), user_id: Snowflake() }),
  response: UserVoiceState,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['CONNECT'],
  idempotency: 'safe',
  platformErrors: [10004, 10065, 50001, 50013],
  provenance: 'documented',
})
