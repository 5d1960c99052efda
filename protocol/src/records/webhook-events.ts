/** Requests of the platform to the webhook URL of an application: the envelope, and one row per event type. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake, StringMap, tolerant } from '../schema/index.ts'
import { Entitlement } from './entitlement.ts'

/** 0 is a ping that also verifies signature checks; 1 is an event. */
export const WEBHOOK_TYPES = { ping: 0, event: 1 } as const

/** Headers with the signature and the signed time, in lower case as in Node. */
export const WEBHOOK_HEADERS = { signature: 'x-signature-ed25519', timestamp: 'x-signature-timestamp' } as const

export const WebhookEnvelope = once(() =>
  tolerant({
    version: z.number().int().optional(),
    application_id: Snowflake(),
    type: z.number().int().meta({ description: '0 ping, 1 event.' }),
    event: tolerant({
      type: z.string(),
      timestamp: z.string().optional().meta({ description: 'ISO 8601; microseconds are allowed, and an offset may be missing.' }),
      data: z.unknown().optional(),
    }).nullish(),
  }).meta({ id: 'WebhookEnvelope', description: 'A request to the webhook URL of an application.' }),
)
export type WebhookEnvelope = z.output<ReturnType<typeof WebhookEnvelope>>

/** The platform omits many fields of a user; only the id is always present. */
const PartialUser = once(() => tolerant({ id: Snowflake(), username: z.string().optional() }))

/** Messages are partial too: after a deletion, and between two provisional users, they contain little more than an id. */
const messageParts = once(
  () =>
    ({
      id: Snowflake(),
      type: z.number().int().optional(),
      content: z.string().optional(),
      channel_id: Snowflake().optional(),
      author: PartialUser().optional(),
      timestamp: z.string().optional(),
      edited_timestamp: z.string().nullish(),
      metadata: StringMap().nullish(),
      flags: z.number().int().optional(),
      application_id: Snowflake().nullish(),
    }) as const,
)

const LobbyMessageEvent = once(() => tolerant({ ...messageParts(), lobby_id: Snowflake() }))
const DirectMessageEvent = once(() =>
  tolerant({
    ...messageParts(),
    lobby_id: Snowflake().nullish(),
    recipient_id: Snowflake().nullish(),
    channel: tolerant({ recipients: z.array(PartialUser()).nullish() }).nullish(),
  }),
)

/** Data by event type. */
export const WEBHOOK_EVENTS = {
  APPLICATION_AUTHORIZED: once(() =>
    tolerant({
      integration_type: z.number().int().nullish(),
      user: PartialUser(),
      scopes: z.array(z.string()),
      guild: tolerant({ id: Snowflake() }).nullish(),
    }),
  ),
  APPLICATION_DEAUTHORIZED: once(() => tolerant({ user: PartialUser() })),
  ENTITLEMENT_CREATE: Entitlement,
  ENTITLEMENT_DELETE: Entitlement,
  ENTITLEMENT_UPDATE: Entitlement,
  GAME_DIRECT_MESSAGE_CREATE: DirectMessageEvent,
  GAME_DIRECT_MESSAGE_DELETE: DirectMessageEvent,
  GAME_DIRECT_MESSAGE_UPDATE: DirectMessageEvent,
  LOBBY_MESSAGE_CREATE: LobbyMessageEvent,
  LOBBY_MESSAGE_DELETE: LobbyMessageEvent,
  LOBBY_MESSAGE_UPDATE: LobbyMessageEvent,
  // Its data is undocumented. A user is named by an id or by an object, as in the other events.
  QUEST_USER_ENROLLMENT: once(() =>
    tolerant({
      quest_id: Snowflake().optional(),
      user_id: Snowflake().nullish(),
      user: PartialUser().nullish(),
      enrolled_at: z.string().nullish(),
    }),
  ),
} as const

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export type WebhookEventData<Type extends WebhookEventType> = z.output<ReturnType<(typeof WEBHOOK_EVENTS)[Type]>>

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEventType[]
export const isWebhookEventType = (text: string): text is WebhookEventType => Object.hasOwn(WEBHOOK_EVENTS, text)
