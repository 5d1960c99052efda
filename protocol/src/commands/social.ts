/** Commands for users, relationships and other data of the desktop client about the user. */
import * as z from 'zod'
import { Relationship } from '../records/relationship.ts'
import { RpcUser } from '../records/user.ts'
import { IsoTime, noArguments, empty, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const getRelationships = defineCommand({
  name: 'GET_RELATIONSHIPS',
  summary:
    "Get the user's relationships: with the scope relationships.read, and without the desktop client gateway.connect besides. A program whose handshake has no contract gets an empty list before its sign-in.",
  handledBy: 'bridge',
  withoutClient: 'as many as the bridge keeps; left_out counts the others.',
  requires: anyOf('rpc.local', 'relationships.read'),
  clientRequires: anyOf('relationships.read'),
  args: noArguments,
  data: () =>
    z.looseObject({
      relationships: z.array(Relationship()),
      left_out: z.number().int().min(1).optional().meta({
        description: 'How many more the user has, which the bridge does not keep: friends stay longest, then blocked users and requests.',
      }),
      unserved: z
        .string()
        .optional()
        .meta({ description: 'Present if the list is empty because no user signed in: a sentence that says what to do.' }),
    }),
  provenance: 'embedded-sdk',
})

export const getUser = defineCommand({
  name: 'GET_USER',
  summary:
    'Get a user. Without the desktop client: the signed-in user, any user by the bot token, users with a relationship by gateway.connect.',
  handledBy: 'bridge',
  withoutClient: 'only the own user, users with a relationship, and with a bot token any user; others are an error.',
  requires: anyOf('rpc.local', 'rpc.embedded_app'),
  args: () => z.strictObject({ id: Snowflake() }),
  data: () => RpcUser(),
  errors: ['INVALID_USER'],
  provenance: 'embedded-sdk',
})

export const getImage = defineCommand({
  name: 'GET_IMAGE',
  summary: 'Get the avatar of a user as a data URL. Without the desktop client, of the users whom GET_USER finds.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      type: z.literal('user'),
      id: Snowflake(),
      format: z.enum(['png', 'webp', 'jpg']),
      size: z.literal([16, 32, 64, 128, 256, 512, 1024]),
    }),
  data: () => z.looseObject({ data_url: z.string() }),
  errors: ['INVALID_USER'],
  provenance: 'observed',
})

export const userSettingsGetLocale = defineCommand({
  name: 'USER_SETTINGS_GET_LOCALE',
  summary: 'Get the locale of the user: that of the desktop client, else of the account.',
  handledBy: 'bridge',
  requires: anyOf('identify'),
  args: noArguments,
  data: () => z.looseObject({ locale: z.string() }),
  provenance: 'embedded-sdk',
})

export const deepLink = defineCommand({
  name: 'DEEP_LINK',
  summary: 'Open a page in the desktop client.',
  handledBy: 'desktop-client',
  requires: anyOf('rpc.local', 'rpc.private'),
  args: () => z.strictObject({ type: z.string(), params: z.unknown().optional() }),
  data: empty,
  provenance: 'observed',
})

export const getQuestEnrollmentStatus = defineCommand({
  name: 'GET_QUEST_ENROLLMENT_STATUS',
  summary: 'Get the quest enrollment status of the user.',
  handledBy: 'desktop-client',
  requires: anyOf('identify'),
  args: () => z.strictObject({ quest_id: Snowflake() }),
  data: () => z.looseObject({ quest_id: Snowflake(), is_enrolled: z.boolean(), enrolled_at: IsoTime().nullable() }),
  provenance: 'embedded-sdk',
})

export const questStartTimer = defineCommand({
  name: 'QUEST_START_TIMER',
  summary: 'Start the timer of a quest.',
  handledBy: 'desktop-client',
  requires: anyOf('identify'),
  args: () => z.strictObject({ quest_id: Snowflake() }),
  data: () => z.looseObject({ success: z.boolean() }),
  provenance: 'embedded-sdk',
})
