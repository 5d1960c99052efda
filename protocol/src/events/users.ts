/** Events about the user, relationships and quests. */
import * as z from 'zod'
import { GuildMember } from '../records/guild.ts'
import { GameRelationship, Relationship } from '../records/relationship.ts'
import { RpcUser } from '../records/user.ts'
import { IsoTime, noArguments, Snowflake } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const currentUserUpdate = defineEvent({
  name: 'CURRENT_USER_UPDATE',
  summary: 'The user changed.',
  delivery: 'subscription',
  requires: anyOf('rpc.local', 'identify'),
  args: noArguments,
  data: RpcUser,
  provenance: 'documented',
})

export const currentGuildMemberUpdate = defineEvent({
  name: 'CURRENT_GUILD_MEMBER_UPDATE',
  summary: "The user's membership in a guild changed.",
  delivery: 'subscription',
  requires: allOf('identify', 'guilds.members.read'),
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: GuildMember,
  provenance: 'embedded-sdk',
})

export const relationshipUpdate = defineEvent({
  name: 'RELATIONSHIP_UPDATE',
  summary: 'A relationship changed; type 0 means it ended.',
  delivery: 'subscription',
  requires: anyOf('relationships.read'),
  awaitsSignIn: true,
  args: noArguments,
  data: Relationship,
  provenance: 'documented',
})

export const gameRelationshipUpdate = defineEvent({
  name: 'GAME_RELATIONSHIP_UPDATE',
  summary: 'A friend or request in the application changed; type 0 means it ended.',
  delivery: 'subscription',
  requires: anyOf('relationships.read'),
  args: noArguments,
  data: GameRelationship,
  provenance: 'sallyport',
})

export const questEnrollmentStatusUpdate = defineEvent({
  name: 'QUEST_ENROLLMENT_STATUS_UPDATE',
  summary: 'The quest enrollment of the user changed.',
  delivery: 'subscription',
  requires: anyOf('identify'),
  args: noArguments,
  data: () => z.looseObject({ quest_id: Snowflake(), is_enrolled: z.boolean(), enrolled_at: IsoTime().nullable() }),
  provenance: 'embedded-sdk',
})

export const questUserEnrollment = defineEvent({
  name: 'QUEST_USER_ENROLLMENT',
  summary: 'The user enrolled in a quest. The platform documents no data; the user is named, and usually the quest.',
  delivery: 'subscription',
  requires: anyOf('identify'),
  args: noArguments,
  data: () => z.looseObject({ quest_id: Snowflake().optional(), user_id: Snowflake(), enrolled_at: IsoTime().nullish() }),
  provenance: 'sallyport',
})
