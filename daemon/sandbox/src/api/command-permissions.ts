/** Permissions of application commands in guilds. */
import type { CommandPermissions } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredCommandPermissions } from '../store/guild-item-records.ts'
import { checkOwnApplication, guildFor } from './access.ts'
import { placeOf } from './application-commands.ts'
import { auditWrites } from './audit-writes.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'

interface Place {
  readonly application_id: string
  readonly guild_id: string
}

const groupOf = ({ application_id, guild_id }: Place): string => `${application_id}:${guild_id}`

const view = ({ id, applicationId, guildId, permissions }: StoredCommandPermissions): CommandPermissions => ({
  id,
  application_id: applicationId,
  guild_id: guildId,
  permissions: permissions.map((one) => ({ ...one })),
})

/** Throws unknownCommand unless it is a command there, or the application itself. */
function checkCommand(operation: Operation, place: Place, commandId: string): void {
  const { commands } = operation.platform.store
  const { application_id: applicationId, guild_id: guildId } = place
  const known = [null, guildId].flatMap((guild) => commands.group(placeOf(applicationId, guild)))
  if (commandId !== applicationId && !known.some(({ id }) => id === commandId)) throw new PlatformError('unknownCommand')
}

function inGuild(operation: Operation, place: Place): StoredCommandPermissions[] {
  checkOwnApplication(operation, place.application_id)
  guildFor(operation, place.guild_id)
  return operation.platform.store.commandPermissions.group(groupOf(place))
}

const listPermissions: Handler<'GET_GUILD_APPLICATION_COMMAND_PERMISSIONS'> = (place, operation) => inGuild(operation, place).map(view)

const getPermissions: Handler<'GET_APPLICATION_COMMAND_PERMISSIONS'> = ({ command_id, ...place }, operation) => {
  const found = inGuild(operation, place).find(({ id }) => id === command_id)
  if (found === undefined) throw new PlatformError('unknownCommandPermissions')
  return view(found)
}

const editPermissions: Handler<'EDIT_APPLICATION_COMMAND_PERMISSIONS'> = ({ command_id, permissions, ...place }, operation) => {
  checkOwnApplication(operation, place.application_id)
  const guild = guildFor(operation, place.guild_id, 'MANAGE_GUILD', 'MANAGE_ROLES')
  checkCommand(operation, place, command_id)
  const { store } = operation.platform
  const stored: StoredCommandPermissions = { id: command_id, applicationId: place.application_id, guildId: guild.id, permissions }
  const options = { application_id: place.application_id }
  store.commit([
    store.commandPermissions.put(`${groupOf(place)}:${command_id}`, stored),
    ...auditWrites(operation, guild.id, { event: 'APPLICATION_COMMAND_PERMISSION_UPDATE', targetId: command_id, options }),
  ])
  return view(stored)
}

export const commandPermissionHandlers = {
  EDIT_APPLICATION_COMMAND_PERMISSIONS: editPermissions,
  GET_APPLICATION_COMMAND_PERMISSIONS: getPermissions,
  GET_GUILD_APPLICATION_COMMAND_PERMISSIONS: listPermissions,
} satisfies Partial<Handlers>
