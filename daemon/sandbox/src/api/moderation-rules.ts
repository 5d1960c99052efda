/** Auto-moderation rules of guilds. */
import { AUTO_MODERATION_TRIGGERS, type AutoModerationRule, LIMITS, ruleProblems, triggerOf } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredModerationRule } from '../store/admin-records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { formErrors } from './form-errors.ts'
import type { AsyncHandler, Handler, Handlers, Operation } from './handlers.ts'

type Body = Omit<Parameters<Handler<'CREATE_AUTO_MODERATION_RULE'>>[0], 'guild_id' | 'audit_log_reason'>

const rulesOf = (operation: Operation, guildId: string): StoredModerationRule[] =>
  operation.platform.store.moderationRules.group(guildFor(operation, guildId, 'MANAGE_GUILD').id)

function ruleOf(operation: Operation, guildId: string, ruleId: string): StoredModerationRule {
  const rule = rulesOf(operation, guildId).find(({ id }) => id === ruleId)
  if (rule === undefined) throw new PlatformError('unknownModerationRule')
  return rule
}

const KEYWORDS = { keyword_filter: [], regex_patterns: [], allow_list: [] }

/** What a rule without them has, by the type of its trigger. */
const METADATA: Readonly<Record<number, object>> = {
  [AUTO_MODERATION_TRIGGERS.KEYWORD.type]: KEYWORDS,
  [AUTO_MODERATION_TRIGGERS.KEYWORD_PRESET.type]: { presets: [], allow_list: [] },
  [AUTO_MODERATION_TRIGGERS.MENTION_SPAM.type]: { mention_total_limit: 0, mention_raid_protection_enabled: false },
  [AUTO_MODERATION_TRIGGERS.MEMBER_PROFILE.type]: KEYWORDS,
}

export const ruleView = ({ id, guildId, creatorId, triggerType, body }: StoredModerationRule): AutoModerationRule => {
  const { name, event_type, actions, enabled, trigger_metadata, exempt_roles, exempt_channels } = body as Body
  return {
    id,
    guild_id: guildId,
    name,
    creator_id: creatorId,
    event_type,
    trigger_type: triggerType,
    trigger_metadata: { ...METADATA[triggerType], ...trigger_metadata },
    actions: actions.map(({ type, metadata }) => ({ type, metadata: { ...metadata } })),
    enabled: enabled ?? false,
    exempt_roles: [...(exempt_roles ?? [])],
    exempt_channels: [...(exempt_channels ?? [])],
  }
}

const listAutoModerationRules: Handler<'LIST_AUTO_MODERATION_RULES_FOR_GUILD'> = ({ guild_id }, operation) =>
  rulesOf(operation, guild_id).map(ruleView)

const getAutoModerationRule: Handler<'GET_AUTO_MODERATION_RULE'> = ({ guild_id, rule_id }, operation) =>
  ruleView(ruleOf(operation, guild_id, rule_id))

const createAutoModerationRule: AsyncHandler<'CREATE_AUTO_MODERATION_RULE'> = async (
  { guild_id, audit_log_reason: reason, ...body },
  operation,
) => {
  const { store, ids } = operation.platform
  await checkPatterns(operation.platform, body)
  const others = rulesOf(operation, guild_id).filter(({ triggerType }) => triggerType === body.trigger_type)
  const trigger = triggerOf(body.trigger_type)
  const most = trigger === undefined ? 0 : LIMITS[trigger.most].value
  if (others.length >= most) throw invalid([{ path: ['trigger_type'], message: `A guild has at most ${most} rules of this trigger.` }])
  const rule = stored(ids.next(), guild_id, operation.caller.id, body)
  store.commit([
    store.moderationRules.put(rule.id, rule),
    ...auditWrites(operation, guild_id, { event: 'AUTO_MODERATION_RULE_CREATE', targetId: rule.id, reason }),
  ])
  return ruleView(rule)
}

/** Throws invalidForm for a pattern that is not valid. */
async function checkPatterns({ patterns }: Platform, { trigger_metadata: metadata }: Pick<Body, 'trigger_metadata'>): Promise<void> {
  await patterns.load([{ body: { trigger_metadata: metadata } }])
  const problems = (metadata?.regex_patterns ?? []).flatMap((pattern, index) => {
    const message = patterns.problem(pattern)
    return message === undefined ? [] : [{ path: ['trigger_metadata', 'regex_patterns', index], message }]
  })
  if (problems.length > 0) throw invalid(problems)
}

const stored = (id: string, guildId: string, creatorId: string, body: Body): StoredModerationRule => ({
  id,
  guildId,
  creatorId,
  triggerType: body.trigger_type,
  keywords: body.trigger_metadata?.keyword_filter ?? [],
  body: { ...body, enabled: body.enabled ?? false },
})

const modifyAutoModerationRule: AsyncHandler<'MODIFY_AUTO_MODERATION_RULE'> = async (
  { guild_id, rule_id, audit_log_reason: reason, ...changes },
  operation,
) => {
  const { store } = operation.platform
  await checkPatterns(operation.platform, changes)
  const before = ruleOf(operation, guild_id, rule_id)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const body = { ...before.body, ...given } as Body
  const problems = ruleProblems(body)
  if (problems.length > 0) throw invalid(problems)
  const rule = stored(before.id, guild_id, before.creatorId, body)
  store.commit([
    store.moderationRules.put(rule.id, rule),
    ...auditWrites(operation, guild_id, { event: 'AUTO_MODERATION_RULE_UPDATE', targetId: rule.id, reason }),
  ])
  return ruleView(rule)
}

const deleteAutoModerationRule: Handler<'DELETE_AUTO_MODERATION_RULE'> = ({ guild_id, rule_id, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const { id } = ruleOf(operation, guild_id, rule_id)
  store.commit([
    store.moderationRules.delete(id),
    ...auditWrites(operation, guild_id, { event: 'AUTO_MODERATION_RULE_DELETE', targetId: id, reason }),
  ])
  return null
}

const invalid = (problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]): PlatformError => {
  const issues = problems.map(({ path, message }) => ({ code: 'custom' as const, path: [...path], message, input: undefined }))
  return new PlatformError('invalidForm', { errors: formErrors(issues, undefined) })
}

export const moderationRuleHandlers = {
  CREATE_AUTO_MODERATION_RULE: createAutoModerationRule,
  DELETE_AUTO_MODERATION_RULE: deleteAutoModerationRule,
  GET_AUTO_MODERATION_RULE: getAutoModerationRule,
  LIST_AUTO_MODERATION_RULES_FOR_GUILD: listAutoModerationRules,
  MODIFY_AUTO_MODERATION_RULE: modifyAutoModerationRule,
} satisfies Partial<Handlers>
