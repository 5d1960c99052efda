/** Endpoints for what others see of the user: online status and display name. No public document lists them. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { OnlineStatus } from '../records/user.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const setOnlineStatus = defineEndpoint({
  name: 'SET_ONLINE_STATUS',
  summary: 'Set the online status that others see of the user.',
  method: 'PATCH',
  path: '/users/@me/settings',
  params: () => ({}),
  body: () => ({ status: OnlineStatus() }),
  response: () => tolerant({ status: z.string().optional() }),
  auth: 'user',
  requires: anyOf('activities.write', 'presences.write'),
  idempotency: 'natural',
  platformErrors: [50025, 50026, 50035],
  provenance: 'observed',
})

export const updateProvisionalAccountDisplayName = defineEndpoint({
  name: 'UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME',
  summary: 'Change the display name of the user. Games use it for provisional accounts, whose first name is generated.',
  method: 'PATCH',
  path: '/users/@me/account',
  params: () => ({}),
  body: () => ({ global_name: text(1, LIMITS.displayName.value) }),
  response: () => tolerant({ id: Snowflake().optional(), global_name: z.string().nullish() }),
  auth: 'user',
  requires: anyOf('account.global_name.update'),
  idempotency: 'natural',
  platformErrors: [50025, 50026, 50035],
  provenance: 'observed',
})
