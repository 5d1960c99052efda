/** Auto-moderation rules: triggers, actions, and their valid combinations. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS, type LimitName } from '../limits.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'

type MetadataField =
  | 'keyword_filter'
  | 'regex_patterns'
  | 'allow_list'
  | 'presets'
  | 'mention_total_limit'
  | 'mention_raid_protection_enabled'

export interface TriggerRow {
  readonly type: number
  readonly summary: string
  /** 1: a message is sent; 2: a member joins or edits their profile. */
  readonly event: 1 | 2
  readonly metadata: readonly MetadataField[]
  /** Maximum number of rules with this trigger per guild. */
  readonly most: LimitName
}

export const AUTO_MODERATION_TRIGGERS = {
  KEYWORD: {
    type: 1,
    summary: 'A message contains one of the keywords.',
    event: 1,
    metadata: ['keyword_filter', 'regex_patterns', 'allow_list'],
    most: 'keywordRules',
  },
  SPAM: { type: 3, summary: 'A message looks like spam.', event: 1, metadata: [], most: 'otherRules' },
  KEYWORD_PRESET: {
    type: 4,
    summary: 'A message contains a word from a list of the platform.',
    event: 1,
    metadata: ['presets', 'allow_list'],
    most: 'otherRules',
  },
  MENTION_SPAM: {
    type: 5,
    summary: 'A message contains too many mentions.',
    event: 1,
    metadata: ['mention_total_limit', 'mention_raid_protection_enabled'],
    most: 'otherRules',
  },
  MEMBER_PROFILE: {
    type: 6,
    summary: 'The profile of a member contains one of the keywords.',
    event: 2,
    metadata: ['keyword_filter', 'regex_patterns', 'allow_list'],
    most: 'otherRules',
  },
} as const satisfies Record<string, TriggerRow>

export interface ActionRow {
  readonly type: number
  readonly summary: string
  /** Triggers that support it. */
  readonly triggers: readonly (keyof typeof AUTO_MODERATION_TRIGGERS)[]
  /** Required and optional metadata. */
  readonly needs?: 'channel_id' | 'duration_seconds'
  readonly takes?: 'custom_message'
}

export const AUTO_MODERATION_ACTIONS = {
  BLOCK_MESSAGE: {
    type: 1,
    summary: 'Block the message.',
    triggers: ['KEYWORD', 'SPAM', 'KEYWORD_PRESET', 'MENTION_SPAM'],
    takes: 'custom_message',
  },
  SEND_ALERT_MESSAGE: {
    type: 2,
    summary: 'Send an alert to a channel.',
    triggers: ['KEYWORD', 'SPAM', 'KEYWORD_PRESET', 'MENTION_SPAM', 'MEMBER_PROFILE'],
    needs: 'channel_id',
  },
  TIMEOUT: { type: 3, summary: 'Time the member out.', triggers: ['KEYWORD', 'MENTION_SPAM'], needs: 'duration_seconds' },
  BLOCK_MEMBER_INTERACTION: {
    type: 4,
    summary: 'Block all interaction of the member.',
    triggers: ['MEMBER_PROFILE'],
  },
} as const satisfies Record<string, ActionRow>

const ActionInput = once(() =>
  z.strictObject({
    type: z
      .literal([1, 2, 3, 4])
      .meta({ description: '1 block the message, 2 send an alert, 3 time the member out, 4 block the member (only MEMBER_PROFILE)' }),
    metadata: z
      .strictObject({
        channel_id: Snowflake().optional(),
        duration_seconds: wholeNumber(0, LIMITS.autoModerationTimeout.value).optional(),
        custom_message: z.string().max(LIMITS.autoModerationMessage.value).optional(),
      })
      .nullish(),
  }),
)

const words = (most: number) => z.array(text(1, LIMITS.keywordCharacters.value)).max(most).optional()

const TriggerMetadata = once(() =>
  z.strictObject({
    keyword_filter: words(LIMITS.keywords.value),
    regex_patterns: z.array(text(1, LIMITS.keywordPattern.value)).max(LIMITS.keywordPatterns.value).optional(),
    allow_list: words(LIMITS.keywords.value),
    presets: z
      .array(z.literal([1, 2, 3]))
      .max(3)
      .optional()
      .meta({ description: '1 profanity, 2 sexual content, 3 slurs' }),
    mention_total_limit: wholeNumber(0, LIMITS.mentionTotal.value).optional(),
    mention_raid_protection_enabled: z.boolean().optional(),
  }),
)

const CHANGEABLE = once(() => ({
  event_type: z.literal([1, 2]).meta({ description: '1 a message is sent, 2 a member joins or edits their profile' }),
  name: z.string().max(LIMITS.autoModerationName.value),
  actions: z.array(ActionInput()).min(1).max(LIMITS.autoModerationActions.value),
}))
const OPTIONAL = once(() => ({
  trigger_metadata: TriggerMetadata().nullish(),
  enabled: z.boolean().nullish(),
  exempt_roles: z.array(Snowflake()).max(LIMITS.exemptRoles.value).nullish(),
  exempt_channels: z.array(Snowflake()).max(LIMITS.exemptChannels.value).nullish(),
}))

export const RULE_BODY = once(() => ({
  ...CHANGEABLE(),
  trigger_type: z
    .literal([1, 3, 4, 5, 6])
    .meta({ description: '1 keywords, 3 spam, 4 list of the platform, 5 mentions, 6 member profile' }),
  ...OPTIONAL(),
}))
/** Editable fields of a rule: all except its trigger. */
export const RULE_CHANGES = once(() => ({
  event_type: CHANGEABLE().event_type.optional(),
  name: CHANGEABLE().name.optional(),
  actions: CHANGEABLE().actions.optional(),
  ...OPTIONAL(),
}))

export const AutoModerationRule = once(() =>
  tolerant({
    id: Snowflake(),
    guild_id: Snowflake(),
    name: z.string(),
    creator_id: Snowflake(),
    event_type: z.number().int(),
    trigger_type: z.number().int(),
    trigger_metadata: tolerant({}).optional(),
    actions: z.array(tolerant({ type: z.number().int(), metadata: tolerant({}).nullish() })),
    enabled: z.boolean(),
    exempt_roles: z.array(Snowflake()),
    exempt_channels: z.array(Snowflake()),
  }).meta({ id: 'AutoModerationRule', description: 'An auto-moderation rule of a guild.' }),
)
export type AutoModerationRule = z.output<ReturnType<typeof AutoModerationRule>>

export interface RuleProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Rule = z.output<z.ZodObject<ReturnType<typeof RULE_BODY>>>
type RuleParts = Pick<Rule, 'trigger_type' | 'event_type' | 'actions' | 'trigger_metadata'>

/** Returns the trigger of a type number, with its name. */
export function triggerOf(type: number): (TriggerRow & { readonly name: string }) | undefined {
  const found = Object.entries<TriggerRow>(AUTO_MODERATION_TRIGGERS).find(([, row]) => row.type === type)
  return found === undefined ? undefined : { ...found[1], name: found[0] }
}

/** Returns the conflicts between trigger, event and actions of a rule. */
export function ruleProblems({ trigger_type, event_type, actions, trigger_metadata }: RuleParts): RuleProblem[] {
  const trigger = triggerOf(trigger_type)
  if (trigger === undefined) return []
  const event =
    event_type === trigger.event ? [] : [{ path: ['event_type'], message: `must be ${trigger.event} with the trigger ${trigger.name}` }]
  const metadata = Object.keys(trigger_metadata ?? {})
    .filter((name) => !trigger.metadata.some((field) => field === name))
    .map((name) => ({ path: ['trigger_metadata', name], message: `is not allowed with the trigger ${trigger.name}` }))
  return [...event, ...metadata, ...actions.flatMap((action, index) => actionProblems(action, trigger.name, ['actions', index]))]
}

function actionProblems({ type, metadata }: Rule['actions'][number], trigger: string, path: readonly (string | number)[]): RuleProblem[] {
  const found = Object.entries<ActionRow>(AUTO_MODERATION_ACTIONS).find(([, row]) => row.type === type)
  if (found === undefined) return []
  const [name, row] = found
  const isFor = row.triggers.some((one) => one === trigger)
  const wrong = isFor
    ? []
    : [{ path: [...path, 'type'], message: `${type} (${name}) is only allowed with the trigger ${row.triggers.join(', ')}` }]
  const missing =
    row.needs === undefined || metadata?.[row.needs] !== undefined
      ? []
      : [{ path: [...path, 'metadata', row.needs], message: `is required by ${name}` }]
  const extra = Object.keys(metadata ?? {})
    .filter((field) => field !== row.needs && field !== row.takes)
    .map((field) => ({ path: [...path, 'metadata', field], message: `is not allowed with ${name}` }))
  return [...wrong, ...missing, ...extra]
}
