/** Payloads of the events of invites and join requests. Pure. */
import type { Activity } from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import type { ActivityMessage } from './activity-message.ts'

/** `intent` of ACTIVITY_JOIN. */
const PLAY = 0

const activityOf = ({ applicationId, applicationName, partyId }: ActivityMessage): Partial<Activity> => ({
  application_id: applicationId,
  ...(applicationName === undefined ? {} : { name: applicationName }),
  ...(partyId === undefined ? {} : { party: { id: partyId } }),
})

/** `joinable`: the activity that other users can join, as the game set it. */
export const requestData = (request: ActivityMessage, joinable: Activity | undefined): object => ({
  user: request.author,
  activity: joinable ?? activityOf(request),
  type: 5,
  channel_id: request.channelId,
  message_id: request.messageId,
})

export const inviteData = (invite: ActivityMessage): object => ({
  type: 1,
  user: invite.author,
  activity: activityOf(invite),
  channel_id: invite.channelId,
  message_id: invite.messageId,
  application_id: invite.applicationId,
  ...(invite.sessionId === undefined ? {} : { session_id: invite.sessionId }),
  ...(invite.partyId === undefined ? {} : { party_id: invite.partyId }),
  ...(invite.parentApplicationId === undefined ? {} : { parent_application_id: invite.parentApplicationId }),
})

export const joinData = (applicationId: string, secret: Secret<string>): object => ({
  secret: secret.reveal(),
  intent: PLAY,
  applicationId,
})
