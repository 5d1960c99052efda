/** Payloads of the events of invites and join requests. Pure. */
import type { Activity } from '@sallyport/protocol'
import type { Secret } from '@sallyport/core/secret'
import type { ActivityMessage } from './activity-message.ts'

/** `intent` of ACTIVITY_JOIN. */
const PLAY = 0

/** The image of an invite: an asset key or a URL of the activity, else the URL of the application's cover. Undefined without either. */
export function inviteCover({ applicationId, applicationCover, shown }: ActivityMessage, imageOrigin: string): string | undefined {
  const own = shown.assets?.invite_cover_image
  if (own !== undefined || applicationCover === undefined) return own
  return `${imageOrigin}/app-icons/${applicationId}/${encodeURIComponent(applicationCover)}.png`
}

/** The activity as its author showed it, with the fields of the message that carried it. */
function activityOf(message: ActivityMessage, imageOrigin: string): Partial<Activity> {
  const { applicationId, applicationName, partyId, shown } = message
  const name = shown.name ?? applicationName
  const cover = inviteCover(message, imageOrigin)
  return {
    ...shown,
    application_id: applicationId,
    ...(name === undefined ? {} : { name }),
    ...(cover === undefined ? {} : { assets: { ...shown.assets, invite_cover_image: cover } }),
    ...(partyId === undefined ? {} : { party: { ...shown.party, id: partyId } }),
  }
}

/** `joinable`: the activity that other users can join, as the game set it. */
export const requestData = (request: ActivityMessage, joinable: Activity | undefined, imageOrigin: string): object => ({
  user: request.author,
  activity: joinable ?? activityOf(request, imageOrigin),
  type: 5,
  channel_id: request.channelId,
  message_id: request.messageId,
})

export const inviteData = (invite: ActivityMessage, imageOrigin: string): object => ({
  type: 1,
  user: invite.author,
  activity: activityOf(invite, imageOrigin),
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
