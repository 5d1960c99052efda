/** Role connections: values of a user at an external platform, from which a guild assigns roles; and permissions of commands. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, StringMap, text, tolerant } from '../schema/index.ts'

/** 1 to 4: integers (at most, at least, equal, not equal); 5, 6: dates (at most, at least); 7, 8: booleans (equal, not equal). */
const METADATA_TYPES = [1, 2, 3, 4, 5, 6, 7, 8] as const

export const RoleConnectionMetadata = once(() =>
  z
    .strictObject({
      type: z.literal(METADATA_TYPES).meta({ description: '1 to 4: integers (≤, ≥, =, ≠); 5, 6: days (≤, ≥); 7, 8: booleans (=, ≠).' }),
      key: text(1, LIMITS.roleConnectionKey.value).regex(/^[a-z0-9_]+$/, 'must have only a-z, 0-9 and _'),
      name: text(1, LIMITS.roleConnectionText.value),
      name_localizations: StringMap().nullish(),
      description: text(1, LIMITS.roleConnectionDescription.value),
      description_localizations: StringMap().nullish(),
    })
    .meta({ id: 'RoleConnectionMetadata', description: 'A value that a guild can require for a role.' }),
)
export type RoleConnectionMetadata = z.output<ReturnType<typeof RoleConnectionMetadata>>

export const ROLE_CONNECTION_BODY = once(() => ({
  platform_name: text(0, LIMITS.roleConnectionKey.value).nullish().meta({ description: 'Name of the external platform.' }),
  platform_username: text(0, LIMITS.roleConnectionText.value).nullish().meta({ description: 'Name of the user there.' }),
  metadata: z
    .record(z.string(), text(1, LIMITS.roleConnectionText.value))
    .nullish()
    .meta({ description: 'Values by the keys of the metadata records.' }),
}))

export const RoleConnection = once(() =>
  tolerant({
    platform_name: z.string().nullish(),
    platform_username: z.string().nullish(),
    metadata: StringMap().nullish(),
  }).meta({ id: 'RoleConnection', description: 'Values of a user at an external platform.' }),
)
export type RoleConnection = z.output<ReturnType<typeof RoleConnection>>

const CommandPermission = once(() =>
  z.strictObject({
    id: Snowflake().meta({ description: 'A role, user or channel; the guild id: everyone; the guild id minus 1: all channels.' }),
    type: z.literal([1, 2, 3]).meta({ description: '1: role, 2: user, 3: channel.' }),
    permission: z.boolean(),
  }),
)

export const COMMAND_PERMISSIONS_BODY = once(() => ({ permissions: z.array(CommandPermission()).max(LIMITS.commandPermissions.value) }))

export const CommandPermissions = once(() =>
  tolerant({
    id: Snowflake().meta({ description: 'The command; the application id: all commands without permissions of their own.' }),
    application_id: Snowflake(),
    guild_id: Snowflake(),
    permissions: z.array(tolerant({ id: Snowflake(), type: z.number().int(), permission: z.boolean() })),
  }).meta({ id: 'CommandPermissions', description: 'Who can use a command in a guild.' }),
)
export type CommandPermissions = z.output<ReturnType<typeof CommandPermissions>>
