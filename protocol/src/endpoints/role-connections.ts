/** Endpoints for role connections, from which guilds assign roles. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { ROLE_CONNECTION_BODY, RoleConnection, RoleConnectionMetadata } from '../records/role-connection.ts'
import { Snowflake } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const application = once(() => ({ application_id: Snowflake() }))
const RECORDS = {
  path: '/applications/{application_id}/role-connections/metadata',
  params: application,
  response: () => z.array(RoleConnectionMetadata()),
  auth: 'bot',
  requires: NO_SCOPE,
  provenance: 'documented',
} as const

export const getApplicationRoleConnectionMetadataRecords = defineEndpoint({
  ...RECORDS,
  name: 'GET_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS',
  summary: 'Get the values of the application that guilds can require for a role.',
  method: 'GET',
  idempotency: 'safe',
  platformErrors: [20012],
})

export const updateApplicationRoleConnectionMetadataRecords = defineEndpoint({
  ...RECORDS,
  name: 'UPDATE_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS',
  summary: 'Replace the values of the application that guilds can require for a role.',
  destructive: true,
  method: 'PUT',
  body: () => ({ records: z.array(RoleConnectionMetadata()).max(LIMITS.roleConnectionRecords.value) }),
  bodyArgument: 'records',
  idempotency: 'natural',
  platformErrors: [20012, 50035],
})

const OF_USER = {
  path: '/users/@me/applications/{application_id}/role-connection',
  params: application,
  auth: 'user',
  requires: anyOf('role_connections.write'),
  provenance: 'documented',
} as const

export const getCurrentUserApplicationRoleConnection = defineEndpoint({
  ...OF_USER,
  name: 'GET_CURRENT_USER_APPLICATION_ROLE_CONNECTION',
  summary: 'Get the values of the user with the application.',
  method: 'GET',
  response: RoleConnection,
  idempotency: 'safe',
  platformErrors: [20012, 50026],
})

export const updateCurrentUserApplicationRoleConnection = defineEndpoint({
  ...OF_USER,
  name: 'UPDATE_CURRENT_USER_APPLICATION_ROLE_CONNECTION',
  summary: 'Set the values of the user with the application; guilds assign roles by them.',
  method: 'PUT',
  body: ROLE_CONNECTION_BODY,
  response: RoleConnection,
  idempotency: 'natural',
  platformErrors: [20012, 50026, 50035],
})

export const deleteCurrentUserApplicationRoleConnection = defineEndpoint({
  ...OF_USER,
  name: 'DELETE_CURRENT_USER_APPLICATION_ROLE_CONNECTION',
  summary: 'Delete the values of the user with the application.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [20012, 50026],
})
