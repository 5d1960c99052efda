/** Endpoints for global and guild commands of an application. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { ApplicationCommand, COMMAND_BODY, COMMAND_CHANGES, CommandInput } from '../records/application-command.ts'
import { commandListProblems, commandProblems, guildProblems } from '../records/command-rules.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const COMMANDS = once(() => z.array(CommandInput()).max(LIMITS.commandsOverwrite.value))
const LIST_QUERY = once(() => ({ with_localizations: z.boolean().optional() }))

const ofList = (problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]) =>
  problems.map(({ path, message }) => ({ path: ['commands', ...path], message }))

const GLOBAL = { ...BY_BOT, path: '/applications/{application_id}/commands', params: () => ({ application_id: Snowflake() }) } as const
const GLOBAL_ONE = {
  ...BY_BOT,
  path: '/applications/{application_id}/commands/{command_id}',
  params: () => ({ application_id: Snowflake(), command_id: Snowflake() }),
} as const

export const getGlobalApplicationCommands = defineEndpoint({
  ...GLOBAL,
  name: 'GET_GLOBAL_APPLICATION_COMMANDS',
  summary: 'Get the global commands of the application.',
  method: 'GET',
  query: LIST_QUERY,
  response: () => z.array(ApplicationCommand()),
  idempotency: 'safe',
  platformErrors: [20012],
})

export const createGlobalApplicationCommand = defineEndpoint({
  ...GLOBAL,
  name: 'CREATE_GLOBAL_APPLICATION_COMMAND',
  summary: 'Create a global command; it replaces a command with the same name and type.',
  method: 'POST',
  body: COMMAND_BODY,
  rules: commandProblems,
  response: ApplicationCommand,
  success: [200, 201],
  idempotency: 'natural',
  platformErrors: [20012, 30032, 50035],
})

export const getGlobalApplicationCommand = defineEndpoint({
  ...GLOBAL_ONE,
  name: 'GET_GLOBAL_APPLICATION_COMMAND',
  summary: 'Get a global command of the application.',
  method: 'GET',
  response: ApplicationCommand,
  idempotency: 'safe',
  platformErrors: [10063, 20012],
})

export const editGlobalApplicationCommand = defineEndpoint({
  ...GLOBAL_ONE,
  name: 'EDIT_GLOBAL_APPLICATION_COMMAND',
  summary: 'Edit a global command; absent fields stay unchanged.',
  method: 'PATCH',
  body: COMMAND_CHANGES,
  response: ApplicationCommand,
  idempotency: 'natural',
  platformErrors: [10063, 20012, 50035],
})

export const deleteGlobalApplicationCommand = defineEndpoint({
  ...GLOBAL_ONE,
  name: 'DELETE_GLOBAL_APPLICATION_COMMAND',
  summary: 'Delete a global command.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10063, 20012],
})

export const bulkOverwriteGlobalApplicationCommands = defineEndpoint({
  ...GLOBAL,
  name: 'BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS',
  summary: 'Replace all global commands.',
  destructive: true,
  method: 'PUT',
  body: () => ({ commands: COMMANDS() }),
  bodyArgument: 'commands',
  rules: ({ commands }) => ofList(commandListProblems(commands, 'global')),
  response: () => z.array(ApplicationCommand()),
  idempotency: 'natural',
  platformErrors: [20012, 50035],
})

const GUILD = {
  ...BY_BOT,
  path: '/applications/{application_id}/guilds/{guild_id}/commands',
  params: () => ({ application_id: Snowflake(), guild_id: Snowflake() }),
} as const
const GUILD_ONE = {
  ...BY_BOT,
  path: '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}',
  params: () => ({ application_id: Snowflake(), guild_id: Snowflake(), command_id: Snowflake() }),
} as const

export const getGuildApplicationCommands = defineEndpoint({
  ...GUILD,
  name: 'GET_GUILD_APPLICATION_COMMANDS',
  summary: 'Get the commands of the application in a guild.',
  method: 'GET',
  query: LIST_QUERY,
  response: () => z.array(ApplicationCommand()),
  idempotency: 'safe',
  platformErrors: [10004, 20012, 50001],
})

export const createGuildApplicationCommand = defineEndpoint({
  ...GUILD,
  name: 'CREATE_GUILD_APPLICATION_COMMAND',
  summary: 'Create a guild command; it replaces a command with the same name and type.',
  method: 'POST',
  body: COMMAND_BODY,
  rules: (command) => [...commandProblems(command), ...guildProblems(command)],
  response: ApplicationCommand,
  success: [200, 201],
  idempotency: 'natural',
  platformErrors: [10004, 20012, 30032, 50001, 50035],
})

export const getGuildApplicationCommand = defineEndpoint({
  ...GUILD_ONE,
  name: 'GET_GUILD_APPLICATION_COMMAND',
  summary: 'Get a guild command of the application.',
  method: 'GET',
  response: ApplicationCommand,
  idempotency: 'safe',
  platformErrors: [10004, 10063, 20012, 50001],
})

export const editGuildApplicationCommand = defineEndpoint({
  ...GUILD_ONE,
  name: 'EDIT_GUILD_APPLICATION_COMMAND',
  summary: 'Edit a guild command; absent fields stay unchanged.',
  method: 'PATCH',
  body: COMMAND_CHANGES,
  response: ApplicationCommand,
  idempotency: 'natural',
  platformErrors: [10004, 10063, 20012, 50001, 50035],
})

export const deleteGuildApplicationCommand = defineEndpoint({
  ...GUILD_ONE,
  name: 'DELETE_GUILD_APPLICATION_COMMAND',
  summary: 'Delete a guild command.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10004, 10063, 20012, 50001],
})

export const bulkOverwriteGuildApplicationCommands = defineEndpoint({
  ...GUILD,
  name: 'BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS',
  summary: 'Replace all commands of the application in a guild.',
  destructive: true,
  method: 'PUT',
  body: () => ({ commands: COMMANDS() }),
  bodyArgument: 'commands',
  rules: ({ commands }) => ofList(commandListProblems(commands, 'guild')),
  response: () => z.array(ApplicationCommand()),
  idempotency: 'natural',
  platformErrors: [10004, 20012, 50001, 50035],
})
