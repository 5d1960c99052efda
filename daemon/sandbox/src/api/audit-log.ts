/** The audit log of guilds: actions with a reason, and actions of auto-moderation. */
import { type AuditLogEntry, LIMITS } from '@sallyport/protocol'
import { compareIds } from '../snowflake.ts'
import type { StoredAuditEntry } from '../store/admin-records.ts'
import { guildFor } from './access.ts'
import type { Handler, Handlers } from './handlers.ts'
import { ruleView } from './moderation-rules.ts'
import { personView } from './user-view.ts'

/** The default number of entries. */
const DEFAULT_PAGE = 50

const getGuildAuditLog: Handler<'GET_GUILD_AUDIT_LOG'> = (
  { guild_id, user_id, target_id, action_type, before, after, limit = DEFAULT_PAGE },
  operation,
) => {
  const guild = guildFor(operation, guild_id, 'VIEW_AUDIT_LOG')
  const { store } = operation.platform
  const fitting = store.auditEntries
    .group(guild.id)
    .filter(
      (entry) =>
        (user_id === undefined || entry.userId === user_id) &&
        (target_id === undefined || entry.targetId === target_id) &&
        (action_type === undefined || entry.actionType === action_type) &&
        (before === undefined || compareIds(entry.id, before) < 0) &&
        (after === undefined || compareIds(entry.id, after) > 0),
    )
    .toSorted((a, b) => (after === undefined ? compareIds(b.id, a.id) : compareIds(a.id, b.id)))
    .slice(0, Math.min(limit, LIMITS.auditLogPage.value))
  const named = new Set(fitting.flatMap(({ userId, targetId }) => [userId, targetId ?? '']))
  return {
    audit_log_entries: fitting.map(entryView),
    users: [...named].flatMap((id) => personView(operation.platform, operation.caller.applicationId, id) ?? []),
    integrations: [],
    webhooks: [],
    guild_scheduled_events: [],
    threads: [],
    application_commands: [],
    auto_moderation_rules: store.moderationRules
      .group(guild.id)
      .filter(({ id }) => named.has(id))
      .map(ruleView),
  }
}

const entryView = ({ id, actionType, userId, targetId, changes, options, reason }: StoredAuditEntry): AuditLogEntry => ({
  id,
  action_type: actionType,
  user_id: userId,
  target_id: targetId,
  ...(changes.length === 0 ? {} : { changes: [...changes] }),
  ...(Object.keys(options).length === 0 ? {} : { options: { ...options } }),
  ...(reason === null ? {} : { reason }),
})

export const auditLogHandlers = {
  GET_GUILD_AUDIT_LOG: getGuildAuditLog,
} satisfies Partial<Handlers>
