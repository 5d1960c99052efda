/** The audit log of a guild: actions with their user, time and reason. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake, tolerant } from '../schema/index.ts'
import { ApplicationCommand } from './application-command.ts'
import { AutoModerationRule } from './auto-moderation.ts'
import { User } from './user.ts'

export const AuditLogEntry = once(() =>
  tolerant({
    id: Snowflake(),
    action_type: z.number().int().meta({ description: '192: the status of a voice channel was set; 193: it was cleared.' }),
    user_id: Snowflake().nullable(),
    target_id: z.string().nullable(),
    changes: z
      .array(tolerant({ key: z.string().nullable(), new_value: z.unknown().optional(), old_value: z.unknown().optional() }))
      .optional(),
    options: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Additional data of the entry; for 192, status is the new status.' }),
    reason: z.string().optional(),
  }).meta({ id: 'AuditLogEntry', description: 'An action in a guild.' }),
)
export type AuditLogEntry = z.output<ReturnType<typeof AuditLogEntry>>

export const AuditLog = once(() =>
  tolerant({
    audit_log_entries: z.array(AuditLogEntry()),
    users: z.array(User()),
    integrations: z.array(z.unknown()),
    webhooks: z.array(z.unknown()),
    guild_scheduled_events: z.array(z.unknown()),
    threads: z.array(z.unknown()),
    application_commands: z.array(ApplicationCommand()),
    auto_moderation_rules: z.array(AutoModerationRule()),
  }).meta({ id: 'AuditLog', description: 'Audit log entries and the objects that they refer to.' }),
)
export type AuditLog = z.output<ReturnType<typeof AuditLog>>
