/** The endpoint that reads the audit log of a guild. */
import * as z from 'zod'
import { AUDIT_LOG_EVENTS } from '../audit-log.ts'
import { LIMITS } from '../limits.ts'
import { AuditLog } from '../records/audit-log.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const ACTION_TYPES = Object.values(AUDIT_LOG_EVENTS).map(({ type }) => type)

export const getGuildAuditLog = defineEndpoint({
  name: 'GET_GUILD_AUDIT_LOG',
  summary: 'Get a page of the audit log of a guild, newest first.',
  method: 'GET',
  path: '/guilds/{guild_id}/audit-logs',
  params: () => ({ guild_id: Snowflake() }),
  query: () => ({
    user_id: Snowflake().optional(),
    target_id: Snowflake().optional(),
    action_type: z.literal(ACTION_TYPES).optional(),
    before: Snowflake().optional(),
    after: Snowflake().optional().meta({ description: 'Entries after this id, oldest first.' }),
    limit: wholeNumber(1, LIMITS.auditLogPage.value).optional().meta({ description: 'Default: 50.' }),
  }),
  response: AuditLog,
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['VIEW_AUDIT_LOG'],
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013],
  provenance: 'documented',
})
