/** Webhook deliveries on demand: valid ones, and ones that a receiver must refuse. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { isoTime } from '../api/wire-time.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform } from '../platform.ts'

const TIMES_MAX = 10
const OFFSET_MAX_S = 86_400

/** Without `type` it is a ping. */
export const WebhookInput = once(() =>
  z.strictObject({
    application_id: z.string().regex(/^[0-9]{1,20}$/),
    type: z.string().min(1).max(64).optional(),
    data: z.unknown().optional(),
    signature: z.enum(['right', 'wrong', 'missing']).default('right'),
    /** Added to the signed time. */
    timestamp_offset_s: z.number().int().min(-OFFSET_MAX_S).max(OFFSET_MAX_S).default(0),
    /** How often the same event is sent. */
    times: z.number().int().min(1).max(TIMES_MAX).default(1),
  }),
)

/** A user enrolls in a quest of the application. */
export const QuestInput = once(() =>
  z.strictObject({
    application_id: z.string().regex(/^[0-9]{1,20}$/),
    /** Id or username. */
    user: z.string().min(1),
    quest_id: z.string().regex(/^[0-9]{1,20}$/),
  }),
)

/** Sends the event to the application's webhook address, if it subscribed to the type. Throws unknownUser. */
export function enrollInQuest(
  platform: Platform,
  { application_id: applicationId, user, quest_id }: z.output<ReturnType<typeof QuestInput>>,
): void {
  const found = findUser(platform, user)
  if (found === undefined) throw new PlatformError('unknownUser')
  const enrolled_at = isoTime(platform.clock.now())
  platform.webhooks.publish(applicationId, 'QUEST_USER_ENROLLMENT', { quest_id, user_id: found.id, enrolled_at })
}

/** Sends them one after the other. Returns the statuses of the responses, 0 for none. */
export async function sendWebhooks({ webhooks }: Platform, input: z.output<ReturnType<typeof WebhookInput>>): Promise<readonly number[]> {
  const { application_id: applicationId, type, data, signature, timestamp_offset_s: timestampOffsetS, times } = input
  const body = type === undefined ? undefined : webhooks.eventBody(applicationId, type, data)
  const statuses: number[] = []
  for (let count = 0; count < times; count++) {
    const status = await webhooks.sendFaulty(applicationId, body, { signature, timestampOffsetS })
    if (status === undefined) throw new PlatformError('invalidForm', { message: 'The application has no webhook address on this machine.' })
    statuses.push(status)
  }
  return statuses
}
