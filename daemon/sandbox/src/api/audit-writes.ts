/** Writes the caller's actions to the audit log of a guild. */
import { AUDIT_LOG_EVENTS, type AuditLogEventName } from '@sallyport/protocol'
import { AUDIT_ENTRIES_MAX } from '../constants.ts'
import type { StoredAuditEntry } from '../store/admin-records.ts'
import type { Write } from '../store/collection.ts'
import type { Platform } from '../platform.ts'
import type { ApiCaller } from './authentication.ts'

/** Who acts. An operation is one. */
export interface Actor {
  readonly platform: Platform
  readonly caller: Pick<ApiCaller, 'kind' | 'id'>
}

export interface Audited {
  readonly event: AuditLogEventName
  readonly targetId: string | null
  readonly changes?: StoredAuditEntry['changes']
  readonly options?: Readonly<Record<string, string>>
  readonly reason?: string | undefined
}

/** The writes of one audit entry; they delete the guild's oldest entries above the limit. */
export function auditWrites({ platform, caller }: Actor, guildId: string, { event, targetId, changes, options, reason }: Audited): Write[] {
  const { store, ids } = platform
  const earlier = store.auditEntries.group(guildId)
  const entry: StoredAuditEntry = {
    id: ids.next(),
    guildId,
    actionType: AUDIT_LOG_EVENTS[event].type,
    userId: caller.id,
    targetId,
    changes: changes ?? [],
    options: options ?? {},
    reason: reason ?? null,
  }
  return [
    ...earlier.slice(0, Math.max(0, earlier.length + 1 - AUDIT_ENTRIES_MAX)).map(({ id }) => store.auditEntries.delete(id)),
    store.auditEntries.put(entry.id, entry),
  ]
}
