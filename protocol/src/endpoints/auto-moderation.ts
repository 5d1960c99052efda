/** Endpoints for auto-moderation rules of a guild. */
import * as z from 'zod'
import { AutoModerationRule, RULE_BODY, RULE_CHANGES, ruleProblems } from '../records/auto-moderation.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const RULES = {
  path: '/guilds/{guild_id}/auto-moderation/rules',
  params: () => ({ guild_id: Snowflake() }),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_GUILD'],
  provenance: 'documented',
} as const
const ONE = {
  ...RULES,
  path: '/guilds/{guild_id}/auto-moderation/rules/{rule_id}',
  params: () => ({ guild_id: Snowflake(), rule_id: Snowflake() }),
} as const

export const listAutoModerationRules = defineEndpoint({
  ...RULES,
  name: 'LIST_AUTO_MODERATION_RULES_FOR_GUILD',
  summary: 'Get the auto-moderation rules of a guild.',
  method: 'GET',
  response: () => z.array(AutoModerationRule()),
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013],
})

export const getAutoModerationRule = defineEndpoint({
  ...ONE,
  name: 'GET_AUTO_MODERATION_RULE',
  summary: 'Get an auto-moderation rule of a guild.',
  method: 'GET',
  response: AutoModerationRule,
  idempotency: 'safe',
  platformErrors: [10004, 10066, 50001, 50013],
})

export const createAutoModerationRule = defineEndpoint({
  ...RULES,
  name: 'CREATE_AUTO_MODERATION_RULE',
  summary: 'Create an auto-moderation rule with a trigger and actions.',
  method: 'POST',
  body: RULE_BODY,
  rules: ruleProblems,
  response: AutoModerationRule,
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 50001, 50013, 50035],
})

export const modifyAutoModerationRule = defineEndpoint({
  ...ONE,
  name: 'MODIFY_AUTO_MODERATION_RULE',
  summary: 'Edit an auto-moderation rule; absent fields stay unchanged. The trigger type cannot change.',
  method: 'PATCH',
  body: RULE_CHANGES,
  response: AutoModerationRule,
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10066, 50001, 50013, 50035],
})

export const deleteAutoModerationRule = defineEndpoint({
  ...ONE,
  name: 'DELETE_AUTO_MODERATION_RULE',
  summary: 'Delete an auto-moderation rule.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10066, 50001, 50013],
})
