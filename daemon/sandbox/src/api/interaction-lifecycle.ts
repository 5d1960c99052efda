/** The lifecycle of interactions: who may respond, and until when. */
import { LIMITS } from '@sallyport/protocol'
import { hashOf } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredInteraction } from '../store/admin-records.ts'
import type { Write } from '../store/collection.ts'
import type { BotCaller } from './authentication.ts'

const isOver = ({ createdAt }: StoredInteraction, now: number): boolean => now - createdAt >= LIMITS.interactionTokenMs.value

/** The interaction of a valid token. */
export function interactionOf({ store, clock }: Platform, token: string): StoredInteraction | undefined {
  const [found] = store.interactions.group(hashOf(token))
  return found === undefined || isOver(found, clock.now()) ? undefined : found
}

/** For operations that need a valid token. Throws invalidWebhookToken. */
export function validInteraction(platform: Platform, token: string): StoredInteraction {
  const found = interactionOf(platform, token)
  if (found === undefined) throw new PlatformError('invalidWebhookToken')
  return found
}

/** The application of the token. Throws unknownInteraction, unknownWebhook or invalidWebhookToken. */
export function callerOfInteraction(platform: Platform, params: Readonly<Record<string, string>>): BotCaller {
  const { interaction_id: id, application_id: applicationId, interaction_token: token = '' } = params
  const found = interactionOf(platform, token)
  if (id !== undefined && found?.id !== id) throw new PlatformError('unknownInteraction')
  if (found === undefined) throw new PlatformError('invalidWebhookToken')
  if (applicationId !== undefined && found.applicationId !== applicationId) throw new PlatformError('unknownWebhook')
  return { kind: 'bot', id: found.applicationId, applicationId: found.applicationId }
}

/** Deletes expired interactions. */
export const expiredWrites = ({ store, clock }: Platform): Write[] =>
  store.interactions
    .all()
    .filter((one) => isOver(one, clock.now()))
    .map(({ id }) => store.interactions.delete(id))
