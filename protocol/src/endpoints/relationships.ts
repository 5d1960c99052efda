/** Endpoints for friends, requests and blocks. No public document lists them. */
import * as z from 'zod'
import { ApiRelationship, GameRelationship } from '../records/relationship.ts'
import { Snowflake, text } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const Username = () => text(1, 32).meta({ description: 'The name of the other user, not the display name.' })
const Note = () => text(0, 120).nullish().meta({ description: 'Shown with the request.' })

const READ = {
  auth: 'user',
  requires: anyOf('relationships.read'),
  idempotency: 'safe',
  platformErrors: [50025, 50026],
  provenance: 'observed',
} as const
const WRITE = {
  response: () => z.null(),
  success: [204],
  auth: 'user',
  requires: anyOf('relationships.write'),
  provenance: 'observed',
} as const

const ASKED = [10013, 30002, 80000, 80001, 80003, 80007]
const ASKED_BY_NAME = [30002, 80000, 80001, 80003, 80004, 80007]

export const listRelationships = defineEndpoint({
  name: 'LIST_RELATIONSHIPS',
  summary: 'List the friends of the user. GET_RELATIONSHIPS has requests, blocks and presence besides.',
  method: 'GET',
  path: '/users/@me/relationships',
  params: () => ({}),
  response: () => z.array(ApiRelationship()),
  ...READ,
})

export const sendFriendRequest = defineEndpoint({
  name: 'SEND_FRIEND_REQUEST',
  summary: 'Send a friend request to the user with this name, or accept theirs.',
  method: 'POST',
  path: '/users/@me/relationships',
  params: () => ({}),
  body: () => ({
    username: Username(),
    discriminator: z.string().nullish().meta({ description: 'Omitted or null, except for bots.' }),
    note: Note(),
  }),
  ...WRITE,
  idempotency: 'none',
  platformErrors: ASKED_BY_NAME,
})

export const createRelationship = defineEndpoint({
  name: 'CREATE_RELATIONSHIP',
  summary: 'Send a friend request to a user, accept theirs, or block them.',
  method: 'PUT',
  path: '/users/@me/relationships/{user_id}',
  params: () => ({ user_id: Snowflake() }),
  body: () => ({
    type: z
      .union([z.literal(1), z.literal(2)])
      .optional()
      .meta({ description: '1 friend (default), 2 blocked' }),
    from_friend_suggestion: z.boolean().optional(),
    confirm_stranger_request: z.boolean().optional(),
    note: Note(),
  }),
  ...WRITE,
  idempotency: 'none',
  platformErrors: ASKED,
})

export const removeRelationship = defineEndpoint({
  name: 'REMOVE_RELATIONSHIP',
  summary: 'End a friendship, refuse or withdraw a friend request, or end a block.',
  method: 'DELETE',
  path: '/users/@me/relationships/{user_id}',
  params: () => ({ user_id: Snowflake() }),
  ...WRITE,
  idempotency: 'natural',
  platformErrors: [10013],
})

export const getGameRelationships = defineEndpoint({
  name: 'GET_GAME_RELATIONSHIPS',
  summary: 'Get the friends and requests of the user in the application of the token.',
  method: 'GET',
  path: '/users/@me/game-relationships',
  params: () => ({}),
  response: () => z.array(GameRelationship()),
  ...READ,
})

export const sendGameFriendRequest = defineEndpoint({
  name: 'SEND_GAME_FRIEND_REQUEST',
  summary: 'Send a friend request in the application to the user with this name, who must have authorized it, or accept theirs.',
  method: 'POST',
  path: '/users/@me/game-relationships',
  params: () => ({}),
  body: () => ({ username: Username() }),
  ...WRITE,
  idempotency: 'none',
  platformErrors: [10013, ...ASKED_BY_NAME],
})

export const createGameRelationship = defineEndpoint({
  name: 'CREATE_GAME_RELATIONSHIP',
  summary: 'Send a friend request in the application to a user who has authorized it, or accept theirs.',
  method: 'PUT',
  path: '/users/@me/game-relationships/{user_id}',
  params: () => ({ user_id: Snowflake() }),
  body: () => ({ type: z.literal(1).optional().meta({ description: '1 friend (default)' }) }),
  ...WRITE,
  idempotency: 'none',
  platformErrors: ASKED,
})

export const removeGameRelationship = defineEndpoint({
  name: 'REMOVE_GAME_RELATIONSHIP',
  summary: 'End a friendship in the application, or refuse or withdraw a request.',
  method: 'DELETE',
  path: '/users/@me/game-relationships/{user_id}',
  params: () => ({ user_id: Snowflake() }),
  ...WRITE,
  idempotency: 'natural',
  platformErrors: [10013],
})
