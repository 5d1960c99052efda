/** What makes a direct message an invite to an activity, or a request to be invited. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { text, tolerant } from '../schema/index.ts'

export const MESSAGE_ACTIVITY_TYPES = { join: 1, joinRequest: 5 } as const

const PartyId = text(1, LIMITS.activityTextMax.value)
const SessionId = text(1, 128)

export const MessageActivityInput = z
  .strictObject({
    type: z
      .literal([MESSAGE_ACTIVITY_TYPES.join, MESSAGE_ACTIVITY_TYPES.joinRequest])
      .meta({ description: '1 invites, 5 asks to be invited' }),
    party_id: PartyId.nullish(),
    session_id: SessionId.nullish().meta({ description: 'Of an invite: the session that shows the activity.' }),
  })
  .meta({ id: 'MessageActivityInput', description: 'An invite to an activity, or a request to be invited, as it is sent.' })

/** Platforms were seen to leave session_id out of what they show. */
export const MessageActivity = tolerant({
  type: z.number().int(),
  party_id: z.string().nullish(),
  session_id: z.string().nullish(),
}).meta({ id: 'MessageActivity', description: 'An invite to an activity, or a request to be invited.' })
