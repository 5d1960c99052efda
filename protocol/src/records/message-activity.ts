/** The part of a direct message that makes it an activity invite or a join request. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { text, tolerant } from '../schema/index.ts'
import { Activity } from './activity.ts'

export const MESSAGE_ACTIVITY_TYPES = { join: 1, joinRequest: 5 } as const

const PartyId = once(() => text(1, LIMITS.activityTextMax.value))
const SessionId = once(() => text(1, 128))

export const MessageActivityInput = once(() =>
  z
    .strictObject({
      type: z.literal([MESSAGE_ACTIVITY_TYPES.join, MESSAGE_ACTIVITY_TYPES.joinRequest]).meta({ description: '1 invite, 5 join request' }),
      party_id: PartyId().nullish(),
      session_id: SessionId().nullish().meta({ description: 'Invites only: the session of the activity.' }),
    })
    .meta({ id: 'MessageActivityInput', description: 'An activity invite or join request, as it is sent.' }),
)

/** Observed platforms omit session_id in responses. */
export const MessageActivity = once(() =>
  tolerant({
    type: z.number().int(),
    party_id: z.string().nullish(),
    session_id: z.string().nullish(),
    shown: Activity().partial().nullish().meta({
      description: 'Invites only: the activity as its sender showed it at that time, without secrets. Platforms may omit it.',
    }),
  }).meta({ id: 'MessageActivity', description: 'An activity invite or join request.' }),
)
