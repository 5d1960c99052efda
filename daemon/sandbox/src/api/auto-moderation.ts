/** Auto-moderation: a word that the sandbox blocks everywhere, and the rules of guilds with their actions. */
import { AUTO_MODERATION_ACTIONS, AUTO_MODERATION_TRIGGERS, type AuditLogEventName } from '@sallyport/protocol'
import { BLOCKED_WORD } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import type { StoredModerationRule } from '../store/admin-records.ts'
import type { Write } from '../store/collection.ts'
import type { StoredGuild, StoredRestriction } from '../store/records.ts'
import { type Actor, auditWrites } from './audit-writes.ts'
import { restrictionOf, restrictionWrites } from './member-restrictions.ts'
import { MESSAGE_TYPES } from './message-view.ts'
import { isTriggered } from './moderation-triggers.ts'
import { newMessage } from './new-message.ts'
import { rolesOf } from './roles.ts'

/** The place of a message. Without a guild there are no rules. */
export interface ModeratedPlace {
  /** Who writes. */
  readonly operation: Actor
  readonly guildId: string | null
  readonly channelId: string
}

interface Action {
  readonly type: number
  readonly metadata?: { readonly channel_id?: string; readonly duration_seconds?: number } | null
}

const actionsOf = ({ body }: StoredModerationRule): readonly Action[] => body['actions'] as readonly Action[]
const hasAction = (rule: StoredModerationRule, name: keyof typeof AUTO_MODERATION_ACTIONS): boolean =>
  actionsOf(rule).some(({ type }) => type === AUTO_MODERATION_ACTIONS[name].type)

/** Does what the rules of the guild demand. Throws blockedByModeration. */
export function checkModerated(content: string | null | undefined, place?: ModeratedPlace): void {
  if (content === null || content === undefined || content === '') return
  if (content.toLowerCase().includes(BLOCKED_WORD)) throw new PlatformError('blockedByModeration')
  const { operation, guildId, channelId } = place ?? {}
  const guild = operation?.platform.store.guilds.get(guildId ?? '')
  if (operation === undefined || guild === undefined) return
  const rules = triggeredRules(operation, guild, AUTO_MODERATION_TRIGGERS.KEYWORD.event, [content], channelId)
  operation.platform.store.commit(rules.flatMap((rule) => consequences(operation, guild, rule, { content, channelId })))
  if (rules.some((rule) => hasAction(rule, 'BLOCK_MESSAGE'))) throw new PlatformError('blockedByModeration')
}

/** What the profile rules of the guild demand when a member joins or changes names. A member with an allowed profile is released. */
export function moderatedProfileWrites(actor: Actor, guild: StoredGuild, names: readonly (string | null | undefined)[]): Write[] {
  const texts = names.filter((name) => typeof name === 'string')
  const rules = triggeredRules(actor, guild, AUTO_MODERATION_TRIGGERS.MEMBER_PROFILE.event, texts)
  const isBlocked = rules.some((rule) => hasAction(rule, 'BLOCK_MEMBER_INTERACTION'))
  return [
    ...restrict(actor, guild, { isBlocked }),
    ...rules.flatMap((rule) => consequences(actor, guild, rule, { content: texts.join(' | ') })),
  ]
}

function triggeredRules(
  { platform, caller }: Actor,
  guild: StoredGuild,
  event: number,
  texts: readonly string[],
  channelId?: string,
): readonly StoredModerationRule[] {
  const { store } = platform
  const list = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : [])
  const roleIds = rolesOf(store, guild.id, caller.id).map(({ id }) => id)
  return store.moderationRules
    .group(guild.id)
    .filter(
      (rule) =>
        rule.body['enabled'] === true &&
        rule.body['event_type'] === event &&
        !(channelId !== undefined && list(rule.body['exempt_channels']).includes(channelId)) &&
        !list(rule.body['exempt_roles']).some((id) => roleIds.includes(id)) &&
        texts.some((text) => isTriggered(platform.patterns, rule, text)),
    )
}

interface Matched {
  readonly content: string
  /** The channel of the message; absent for a profile. */
  readonly channelId?: string | undefined
}

const AUDITED: Readonly<Record<number, AuditLogEventName>> = {
  [AUTO_MODERATION_ACTIONS.BLOCK_MESSAGE.type]: 'AUTO_MODERATION_BLOCK_MESSAGE',
  [AUTO_MODERATION_ACTIONS.SEND_ALERT_MESSAGE.type]: 'AUTO_MODERATION_FLAG_TO_CHANNEL',
  [AUTO_MODERATION_ACTIONS.TIMEOUT.type]: 'AUTO_MODERATION_USER_COMM_DISABLED',
  [AUTO_MODERATION_ACTIONS.BLOCK_MEMBER_INTERACTION.type]: 'AUTO_MODERATION_QUARANTINE_USER',
}

/** The effect and the audit entry of each action of the rule. */
function consequences(actor: Actor, guild: StoredGuild, rule: StoredModerationRule, matched: Matched): Write[] {
  const options = {
    auto_moderation_rule_name: String(rule.body['name']),
    auto_moderation_rule_trigger_type: String(rule.triggerType),
    ...(matched.channelId === undefined ? {} : { channel_id: matched.channelId }),
  }
  return actionsOf(rule).flatMap(({ type, metadata }) => {
    const event = AUDITED[type]
    const audit = event === undefined ? [] : auditWrites(actor, guild.id, { event, targetId: actor.caller.id, options })
    if (type === AUTO_MODERATION_ACTIONS.SEND_ALERT_MESSAGE.type)
      return [...alertWrites(actor, guild, metadata?.channel_id ?? '', rule, matched), ...audit]
    if (type !== AUTO_MODERATION_ACTIONS.TIMEOUT.type) return audit
    const timeoutUntil = actor.platform.clock.now() + (metadata?.duration_seconds ?? 0) * 1000
    return [...restrict(actor, guild, { timeoutUntil }), ...audit]
  })
}

const restrict = ({ platform, caller }: Actor, guild: StoredGuild, change: StoredRestriction): Write[] =>
  restrictionWrites(platform, guild, caller, { ...restrictionOf(platform, guild, caller), ...change })

/** A message about the breach, in the name of its author. A channel of another guild receives none. */
function alertWrites(
  { platform, caller }: Actor,
  guild: StoredGuild,
  alertChannelId: string,
  rule: StoredModerationRule,
  { content, channelId }: Matched,
): Write[] {
  const { store } = platform
  if (store.channels.get(alertChannelId)?.guildId !== guild.id) return []
  const fields = [
    { name: 'rule_name', value: String(rule.body['name']), inline: false },
    ...(channelId === undefined ? [] : [{ name: 'channel_id', value: channelId, inline: false }]),
  ]
  const message = {
    ...newMessage(platform, { channelId: alertChannelId, applicationId: caller.id }, {}),
    type: MESSAGE_TYPES.autoModerationAction,
    applicationId: caller.kind === 'bot' ? caller.id : null,
    embeds: [{ type: 'auto_moderation_message', description: content, fields }],
  }
  return [store.channelMessages.put(message.id, message)]
}
