/** The application of a bot, and its editable settings. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITED_INTENT_FLAGS } from '../intents.ts'
import { LIMITS } from '../limits.ts'
import { BitFieldText, Snowflake, text, tolerant, WEB_URL } from '../schema/index.ts'
import { User } from './user.ts'
import { WEBHOOK_EVENT_TYPES } from './webhook-events.ts'

const InstallParams = once(() => tolerant({ scopes: z.array(z.string()), permissions: BitFieldText() }))
const IntegrationType = once(() => tolerant({ oauth2_install_params: InstallParams().nullish() }))

export const CurrentApplication = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    icon: z.string().nullable(),
    description: z.string(),
    type: z.number().int().nullish(),
    bot: User().optional(),
    owner: User().optional(),
    team: z.unknown().optional(),
    verify_key: z.string().meta({ description: 'Ed25519 public key in hexadecimal.' }),
    bot_public: z.boolean().optional(),
    bot_require_code_grant: z.boolean().optional(),
    terms_of_service_url: z.string().nullish(),
    privacy_policy_url: z.string().nullish(),
    guild_id: Snowflake().nullish(),
    primary_sku_id: Snowflake().nullish(),
    slug: z.string().nullish(),
    cover_image: z.string().nullish(),
    flags: z.number().int().meta({ description: 'Bits 0 to 30.' }),
    flags_new: BitFieldText().optional().meta({ description: 'All bits; only in responses.' }),
    tags: z.array(z.string()).optional(),
    rpc_origins: z.array(z.string()).optional(),
    redirect_uris: z.array(z.string()).optional(),
    interactions_endpoint_url: z.string().nullish(),
    role_connections_verification_url: z.string().nullish(),
    custom_install_url: z.string().nullish(),
    install_params: InstallParams().nullish(),
    integration_types_config: z.record(z.string(), IntegrationType().nullable()).nullish().meta({
      description: 'Default scopes and permissions by installation context: "0" guild, "1" user.',
    }),
    event_webhooks_url: z.string().nullish(),
    event_webhooks_status: z.number().int().nullish().meta({ description: '1 disabled, 2 enabled, 3 disabled by the platform' }),
    event_webhooks_types: z.array(z.string()).nullish(),
    explicit_content_filter: z.number().int().optional(),
    max_participants: z.number().int().nullish(),
    approximate_guild_count: z.number().int().optional(),
    approximate_user_install_count: z.number().int().optional().meta({ description: 'Only for applications that users can install.' }),
    approximate_user_authorization_count: z.number().int().optional(),
    eligible_oauth2_scopes: z.array(z.string()).optional(),
  }).meta({ id: 'CurrentApplication', description: 'The application as its bot sees it.' }),
)
export type CurrentApplication = z.output<ReturnType<typeof CurrentApplication>>

/** All permission bits up to 53; the platform accepts them as a number. */
const PERMISSION_BITS_MAX = 2 ** 54 - 1

const InstallParamsInput = once(() =>
  z.strictObject({
    scopes: z
      .array(z.enum(['applications.commands', 'bot']))
      .min(1)
      .optional(),
    permissions: z.union([BitFieldText(), z.number().int().min(0).max(PERMISSION_BITS_MAX)]).nullish(),
  }),
)
const IntegrationTypeInput = once(() => z.strictObject({ oauth2_install_params: InstallParamsInput().nullish() }))

const Description = once(() => text(0, LIMITS.applicationDescription.value))
const Url = once(() => z.string().max(LIMITS.applicationUrl.value).regex(WEB_URL, 'must be an http or https address').nullish())

/** Editable settings of an application; absent fields stay unchanged. Images are separate arguments of the row. */
export const APPLICATION_CHANGES = once(
  () =>
    ({
      description: z
        .union([Description(), z.strictObject({ default: Description(), localizations: z.record(z.string(), Description()).nullish() })])
        .optional()
        .meta({ description: 'A text, or a text with translations by locale.' }),
      flags: z
        .number()
        .int()
        .min(0)
        .max(0x7fff_ffff)
        .nullish()
        .meta({
          description: `Only the flags of limited intents are editable: any bits of ${LIMITED_INTENT_FLAGS}.`,
        }),
      tags: z.array(text(1, LIMITS.applicationTag.value)).max(LIMITS.applicationTags.value).optional(),
      interactions_endpoint_url: Url(),
      role_connections_verification_url: Url(),
      custom_install_url: Url(),
      install_params: InstallParamsInput().nullish(),
      integration_types_config: z
        .strictObject({ '0': IntegrationTypeInput().nullish(), '1': IntegrationTypeInput().nullish() })
        .nullish()
        .meta({ description: 'By installation context: "0" guild, "1" user.' }),
      event_webhooks_url: Url(),
      event_webhooks_status: z.literal([1, 2]).nullish().meta({ description: '1 disabled, 2 enabled' }),
      event_webhooks_types: z.array(z.enum(WEBHOOK_EVENT_TYPES)).optional(),
    }) as const,
)
