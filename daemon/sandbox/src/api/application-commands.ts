/** Commands of applications: global ones, and those of single guilds. */
import {
  type ApplicationCommand,
  COMMAND_TYPE_RULES,
  COMMAND_TYPES,
  type CommandInput,
  commandProblems,
  commandType,
  LIMITS,
} from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { rememberApplication } from '../platform.ts'
import type { StoredCommand } from '../store/admin-records.ts'
import { checkOwnApplication, guildFor } from './access.ts'
import { formErrors } from './form-errors.ts'
import { type Handler, type Handlers, type Operation, type StatusHandler, StatusReply } from './handlers.ts'
import { checkLocales } from './locales.ts'

/** The scope of commands: global, or one guild. */
interface Place {
  readonly application_id: string
  readonly guild_id?: string
}

/** The store group of the commands of one scope. */
export const placeOf = (applicationId: string, guildId: string | null): string => `${applicationId}:${guildId ?? ''}`

/** The commands of a scope, which must be the caller's. */
function commandsIn(operation: Operation, { application_id, guild_id }: Place): StoredCommand[] {
  checkOwnApplication(operation, application_id)
  if (guild_id !== undefined) guildFor(operation, guild_id)
  return operation.platform.store.commands.group(placeOf(application_id, guild_id ?? null))
}

function commandIn(operation: Operation, place: Place & { readonly command_id: string }): StoredCommand {
  const found = commandsIn(operation, place).find(({ id }) => id === place.command_id)
  if (found === undefined) throw new PlatformError('unknownCommand')
  return found
}

function list(operation: Operation, place: Place, localized = false): ApplicationCommand[] {
  return commandsIn(operation, place).map((command) => commandView(command, localized))
}

type Body = Omit<CommandInput, 'id'>

function create(operation: Operation, place: Place, body: Body): StatusReply<ApplicationCommand> {
  const { platform } = operation
  const { store } = platform
  const others = commandsIn(operation, place)
  const type = commandType(body)
  const same = others.find((one) => one.type === type && one.name === body.name)
  const rule = COMMAND_TYPE_RULES[type]
  const most = rule === undefined ? 0 : LIMITS[rule.most].value
  if (same === undefined && others.filter((one) => one.type === type).length >= most) throw new PlatformError('tooManyCommands')
  const command = stored(operation, place, body, same?.id)
  store.commit([...rememberApplication(platform, place.application_id), store.commands.put(command.id, command)])
  return new StatusReply(same === undefined ? 201 : 200, commandView(command, true))
}

/** Throws invalidForm for translations into unknown locales. */
function stored({ platform }: Operation, { application_id, guild_id }: Place, body: Body, id?: string): StoredCommand {
  checkLocales(body)
  return {
    id: id ?? platform.ids.next(),
    applicationId: application_id,
    guildId: guild_id ?? null,
    version: platform.ids.next(),
    type: commandType(body),
    name: body.name,
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
  }
}

type Changes = Omit<Body, 'type' | 'name'> & { readonly name?: string | undefined }

function edit(operation: Operation, place: Place & { readonly command_id: string }, changes: Changes): ApplicationCommand {
  const { store } = operation.platform
  const before = commandIn(operation, place)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const body = { ...before.body, ...given, name: changes.name ?? before.name, type: before.type } as Body
  const problems = commandProblems(body)
  if (problems.length > 0) {
    const issues = problems.map(({ path, message }) => ({ code: 'custom' as const, path: [...path], message, input: undefined }))
    throw new PlatformError('invalidForm', { errors: formErrors(issues, undefined) })
  }
  const command = stored(operation, place, body, before.id)
  store.commit([store.commands.put(command.id, command)])
  return commandView(command, true)
}

function remove(operation: Operation, place: Place & { readonly command_id: string }): null {
  const { store } = operation.platform
  store.commit([store.commands.delete(commandIn(operation, place).id)])
  return null
}

/** A command keeps its id when its name and type existed, or when it has the id. */
function overwrite(operation: Operation, place: Place, bodies: readonly CommandInput[]): ApplicationCommand[] {
  const { platform } = operation
  const { store } = platform
  const before = commandsIn(operation, place)
  const commands = bodies.map(({ id, ...body }) => {
    const same = before.find((one) => (id == null ? one.type === commandType(body) && one.name === body.name : one.id === id))
    return stored(operation, place, body, same?.id)
  })
  const kept = new Set(commands.map(({ id }) => id))
  store.commit([
    ...rememberApplication(platform, place.application_id),
    ...before.filter(({ id }) => !kept.has(id)).map(({ id }) => store.commands.delete(id)),
    ...commands.map((command) => store.commands.put(command.id, command)),
  ])
  return commands.map((command) => commandView(command, true))
}

const EVERYWHERE = [0, 1, 2] as const
const INSTALLATIONS = [0, 1] as const

function commandView({ id, applicationId, guildId, version, type, name, body }: StoredCommand, localized: boolean): ApplicationCommand {
  const {
    name_localizations,
    description_localizations,
    default_member_permissions: permissions,
    dm_permission,
    contexts,
    ...rest
  } = body as Body
  const isGlobal = guildId === null
  const given = contexts ?? (dm_permission === false ? [0] : null)
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
    id,
    application_id: applicationId,
    ...(isGlobal ? {} : { guild_id: guildId }),
    version,
    type,
    name,
    description: rest.description ?? '',
    ...(localized ? { name_localizations: name_localizations ?? null, description_localizations: description_localizations ?? null } : {}),
    default_member_permissions: permissions === undefined || permissions === null ? null : String(permissions),
    ...(isGlobal
      ? {
          contexts: given,
          integration_types: [...(rest.integration_types ?? INSTALLATIONS)],
          dm_permission: (given ?? EVERYWHERE).some((context) => context !== 0),
        }
      : {}),
    ...(type === COMMAND_TYPES.primaryEntryPoint ? { handler: rest.handler ?? 1 } : {}),
    nsfw: rest.nsfw ?? false,
  }
}

const getGlobalApplicationCommands: Handler<'GET_GLOBAL_APPLICATION_COMMANDS'> = ({ with_localizations, ...place }, operation) =>
  list(operation, place, with_localizations)
const createGlobalApplicationCommand: StatusHandler<'CREATE_GLOBAL_APPLICATION_COMMAND'> = ({ application_id, ...body }, operation) =>
  create(operation, { application_id }, body)
const getGlobalApplicationCommand: Handler<'GET_GLOBAL_APPLICATION_COMMAND'> = (place, operation) =>
  commandView(commandIn(operation, place), true)
const editGlobalApplicationCommand: Handler<'EDIT_GLOBAL_APPLICATION_COMMAND'> = ({ application_id, command_id, ...changes }, operation) =>
  edit(operation, { application_id, command_id }, changes)
const deleteGlobalApplicationCommand: Handler<'DELETE_GLOBAL_APPLICATION_COMMAND'> = (place, operation) => remove(operation, place)
const bulkOverwriteGlobalApplicationCommands: Handler<'BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS'> = ({ commands, ...place }, operation) =>
  overwrite(operation, place, commands)

const getGuildApplicationCommands: Handler<'GET_GUILD_APPLICATION_COMMANDS'> = ({ with_localizations, ...place }, operation) =>
  list(operation, place, with_localizations)
const createGuildApplicationCommand: StatusHandler<'CREATE_GUILD_APPLICATION_COMMAND'> = (
  { application_id, guild_id, ...body },
  operation,
) => create(operation, { application_id, guild_id }, body)
const getGuildApplicationCommand: Handler<'GET_GUILD_APPLICATION_COMMAND'> = (place, operation) =>
  commandView(commandIn(operation, place), true)
const editGuildApplicationCommand: Handler<'EDIT_GUILD_APPLICATION_COMMAND'> = (
  { application_id, guild_id, command_id, ...changes },
  operation,
) => edit(operation, { application_id, guild_id, command_id }, changes)
const deleteGuildApplicationCommand: Handler<'DELETE_GUILD_APPLICATION_COMMAND'> = (place, operation) => remove(operation, place)
const bulkOverwriteGuildApplicationCommands: Handler<'BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS'> = ({ commands, ...place }, operation) =>
  overwrite(operation, place, commands)

export const applicationCommandHandlers = {
  BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS: bulkOverwriteGlobalApplicationCommands,
  BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS: bulkOverwriteGuildApplicationCommands,
  CREATE_GLOBAL_APPLICATION_COMMAND: createGlobalApplicationCommand,
  CREATE_GUILD_APPLICATION_COMMAND: createGuildApplicationCommand,
  DELETE_GLOBAL_APPLICATION_COMMAND: deleteGlobalApplicationCommand,
  DELETE_GUILD_APPLICATION_COMMAND: deleteGuildApplicationCommand,
  EDIT_GLOBAL_APPLICATION_COMMAND: editGlobalApplicationCommand,
  EDIT_GUILD_APPLICATION_COMMAND: editGuildApplicationCommand,
  GET_GLOBAL_APPLICATION_COMMAND: getGlobalApplicationCommand,
  GET_GLOBAL_APPLICATION_COMMANDS: getGlobalApplicationCommands,
  GET_GUILD_APPLICATION_COMMAND: getGuildApplicationCommand,
  GET_GUILD_APPLICATION_COMMANDS: getGuildApplicationCommands,
} satisfies Partial<Handlers>
