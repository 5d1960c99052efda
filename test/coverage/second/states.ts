/** Second dimension of section 3. */
import { edit, type Seconds } from './edit.ts'
import { FLAGS_OF_NEW_CHANNEL } from './records.ts'

const SANDBOX = 'daemon/sandbox/src'
const IDENTITIES = `${SANDBOX}/oauth/external-identities.ts`

export const ONLY_INVALID_GRANT = edit(
  'argument',
  'daemon/src/auth/tokens/token-store.ts',
  "failure.oauth === 'invalid_grant'",
  "failure.oauth !== ''",
)
/** A temporary ban that has ended. */
export const LIFTED_BAN = edit(
  'time',
  IDENTITIES,
  'restrictedBy !== undefined && isBanned(platform, restrictedBy)',
  'restrictedBy !== undefined',
)
export const TOKEN_OF_OTHER = edit(
  'user',
  `${SANDBOX}/oauth/token-endpoint.ts`,
  'authorization.applicationId !== applicationId',
  "applicationId === ''",
)

export const STATES: Seconds = {
  '3-1': [edit('field', 'protocol/src/responses/channels.ts', '  parent_id: channel.parent_id ?? null,\n', '')],
  '3-2': [
    FLAGS_OF_NEW_CHANNEL,
    edit('order', `${SANDBOX}/gateway/gateway-events/channels.ts`, '[{ t, d: is ?? was }]', '[{ t, d: was ?? is }]'),
  ],
  '3-3': [
    edit(
      'order',
      `${SANDBOX}/gateway/gateway-events/visibility.ts`,
      "[{ t: 'CHANNEL_UPDATE', d: is }]",
      "[{ t: 'CHANNEL_UPDATE', d: was }]",
    ),
  ],
  '3-4': 'elsewhere',
  '3-5': [
    edit('time', `${SANDBOX}/api/subscription-lifecycle.ts`, 'before.endedAt !== after.endedAt', 'before.periodEnd !== after.periodEnd'),
  ],
  '3-6': 'day',
  '3-7': [edit('time', `${SANDBOX}/api/subscription-lifecycle.ts`, 'migratedAt: one.migratedAt ?? ', 'migratedAt: ')],
  '3-8': [edit('user', `${SANDBOX}/oauth/ban-user.ts`, 'revokeWrites(platform, applicationId, userId)', '[]')],
  '3-9': [edit('user', IDENTITIES, 'linked && userId === bannedId', "linked && userId !== ''")],
  '3-10': [LIFTED_BAN],
  '3-11': [edit('null', `${SANDBOX}/oauth/bans.ts`, 'ban.until === null || ', '')],
  '3-12': [TOKEN_OF_OTHER],
  '3-13': [ONLY_INVALID_GRANT],
  '3-14': [edit('order', `${SANDBOX}/webhooks/webhook-events.ts`, '.length > 0 || first?.id !== one.id)', '.length > 0)')],
}
