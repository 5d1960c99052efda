/** What users do in the desktop client: request to join, invite, accept. */
import type { UserMessage } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { userMessageView } from '../api/user-messages.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'
import { acceptJoinRequest, sendJoinRequest, type ActivityMessageContext, sendInvite } from '../social/activity-messages.ts'
import type { StoredUserMessage } from '../store/user-messages.ts'

const ACTIONS: Readonly<Record<'ask' | 'invite' | 'accept', (platform: Platform, context: ActivityMessageContext) => StoredUserMessage>> = {
  ask: sendJoinRequest,
  invite: sendInvite,
  accept: acceptJoinRequest,
}

export const JoinInput = once(() =>
  z.strictObject({
    /** The acting user, by id or username. */
    user: z.string().min(1),
    target: z.string().min(1),
    application_id: z.string().regex(/^[0-9]{1,20}$/),
    action: z.enum(['ask', 'invite', 'accept']),
  }),
)
type Input = z.output<ReturnType<typeof JoinInput>>

/** Returns the sent message. Throws unknownUser, cannotMessage, unknownMessage without a join request, invalidForm without a joinable activity. */
export function join(platform: Platform, { user, target, application_id: applicationId, action }: Input): UserMessage {
  const [one, other] = [user, target].map((name) => findUser(platform, name))
  if (one === undefined || other === undefined || one === other) throw new PlatformError('unknownUser')
  platform.store.commit(rememberApplication(platform, applicationId))
  return userMessageView(platform, ACTIONS[action](platform, { userId: one.id, targetId: other.id, applicationId }))
}
