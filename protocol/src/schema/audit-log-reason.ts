/** Reason of an action, for the audit log of the guild. */
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { text } from './index.ts'

export const AuditLogReason = once(() =>
  text(1, LIMITS.auditLogReason.value).meta({
    id: 'AuditLogReason',
    description: 'Reason, for the audit log of the guild.',
  }),
)
