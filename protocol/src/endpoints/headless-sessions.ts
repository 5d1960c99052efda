/** Endpoints for presence without a gateway connection, and for join secrets of activities. */
import * as z from 'zod'
import { HeadlessActivity, HeadlessSession, HeadlessSessionToken } from '../records/headless-session.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const createHeadlessSession = defineEndpoint({
  name: 'CREATE_HEADLESS_SESSION',
  summary: 'Create a headless session with the activity of the user; with token, update it. It expires after 20 minutes without an update.',
  method: 'POST',
  path: '/users/@me/headless-sessions',
  params: () => ({}),
  body: () => ({ activities: z.array(HeadlessActivity()).length(1), token: HeadlessSessionToken().nullish() }),
  response: HeadlessSession,
  auth: 'user',
  requires: anyOf('activities.write'),
  idempotency: 'none',
  returnsSecrets: true,
  platformErrors: [50026, 50035],
  provenance: 'observed',
})

export const deleteHeadlessSession = defineEndpoint({
  name: 'DELETE_HEADLESS_SESSION',
  summary: 'Delete a headless session.',
  destructive: true,
  method: 'POST',
  path: '/users/@me/headless-sessions/delete',
  params: () => ({}),
  body: () => ({ token: HeadlessSessionToken() }),
  response: () => z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('activities.write'),
  idempotency: 'natural',
  platformErrors: [50026, 50035],
  provenance: 'observed',
})

export const getActivitySecret = defineEndpoint({
  name: 'GET_ACTIVITY_SECRET',
  summary: 'Get the join secret of the activity of another user.',
  method: 'GET',
  path: '/users/{user_id}/sessions/{session_id}/activities/{application_id}/{action}',
  params: () => ({
    user_id: Snowflake(),
    session_id: text(1, 128).regex(/^[A-Za-z0-9_-]+$/, 'must be a session id'),
    application_id: Snowflake(),
    action: z.literal('1').meta({ description: '1 join' }),
  }),
  query: () => ({ channel_id: Snowflake().optional(), message_id: Snowflake().optional() }),
  response: () => tolerant({ secret: z.string() }),
  auth: 'user',
  requires: anyOf('activities.read'),
  idempotency: 'safe',
  platformErrors: [10013, 50001, 50026],
  provenance: 'observed',
})
