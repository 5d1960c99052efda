/** Endpoints for the permissions of application commands in a guild. */
import * as z from 'zod'
import { COMMAND_PERMISSIONS_BODY, CommandPermissions } from '../records/role-connection.ts'
import { Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const REQUIRED = { requires: anyOf('applications.commands.permissions.update'), provenance: 'documented' } as const
const ONE = {
  ...REQUIRED,
  path: '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions',
  params: () => ({ application_id: Snowflake(), guild_id: Snowflake(), command_id: Snowflake() }),
  response: CommandPermissions,
} as const

export const getGuildApplicationCommandPermissions = defineEndpoint({
  ...REQUIRED,
  name: 'GET_GUILD_APPLICATION_COMMAND_PERMISSIONS',
  summary: 'Get the permissions of all commands of the application in a guild.',
  method: 'GET',
  path: '/applications/{application_id}/guilds/{guild_id}/commands/permissions',
  params: () => ({ application_id: Snowflake(), guild_id: Snowflake() }),
  response: () => z.array(CommandPermissions()),
  auth: 'user-or-bot',
  idempotency: 'safe',
  platformErrors: [10004, 20012, 50001],
})

export const getApplicationCommandPermissions = defineEndpoint({
  ...ONE,
  name: 'GET_APPLICATION_COMMAND_PERMISSIONS',
  summary: 'Get the permissions of a command in a guild.',
  method: 'GET',
  auth: 'user-or-bot',
  idempotency: 'safe',
  platformErrors: [10004, 10063, 10066, 20012, 50001],
})

export const editApplicationCommandPermissions = defineEndpoint({
  ...ONE,
  name: 'EDIT_APPLICATION_COMMAND_PERMISSIONS',
  summary: 'Replace the permissions of a command in a guild. The user needs MANAGE_GUILD and MANAGE_ROLES there; a bot cannot.',
  method: 'PUT',
  body: COMMAND_PERMISSIONS_BODY,
  auth: 'user',
  permissions: ['MANAGE_GUILD', 'MANAGE_ROLES'],
  idempotency: 'natural',
  platformErrors: [10004, 10063, 20012, 50001, 50013, 50035],
})
