/** Endpoints about invites to channels. */
import * as z from 'zod'
import { Invite } from '../records/channel.ts'
import { Role } from '../records/role.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

/** What an invite tells of the roles it gives. */
const InviteRole = Role.pick({ id: true, name: true, position: true, color: true, colors: true, icon: true, unicode_emoji: true })

export const getChannelInvites = defineEndpoint({
  name: 'GET_CHANNEL_INVITES',
  summary: 'Invites to a channel that still work, with how they were made.',
  method: 'GET',
  path: '/channels/{channel_id}/invites',
  params: { channel_id: Snowflake },
  response: z.array(Invite.extend({ roles: z.array(InviteRole).nullish() })),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_CHANNELS'],
  idempotency: 'safe',
  platformErrors: [10003, 50001, 50013],
  provenance: 'documented',
})
