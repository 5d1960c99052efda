/** Role connections: the metadata records of an application, and the values of its users. */
import type { RoleConnection } from '@sallyport/protocol'
import { rememberApplication } from '../platform.ts'
import type { StoredRoleConnection } from '../store/guild-item-records.ts'
import { applicationUserKey } from '../store/store.ts'
import { checkOwnApplication } from './access.ts'
import { invalidBody } from './form-errors.ts'
import { asUser, type Handler, type Handlers, type Operation } from './handlers.ts'

const recordsOf = ({ platform }: Operation, applicationId: string) => platform.store.roleConnectionRecords.get(applicationId)?.records ?? []

const getRecords: Handler<'GET_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS'> = ({ application_id }, operation) => {
  checkOwnApplication(operation, application_id)
  return [...recordsOf(operation, application_id)]
}

const updateRecords: Handler<'UPDATE_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS'> = ({ application_id, records }, operation) => {
  checkOwnApplication(operation, application_id)
  const { store } = operation.platform
  store.commit([...rememberApplication(operation.platform, application_id), store.roleConnectionRecords.put(application_id, { records })])
  return [...records]
}

const NONE: StoredRoleConnection = { platformName: null, platformUsername: null, metadata: {} }

const view = ({ platformName, platformUsername, metadata }: StoredRoleConnection): RoleConnection => ({
  ...(platformName === null ? {} : { platform_name: platformName }),
  platform_username: platformUsername,
  metadata: { ...metadata },
})

/** The key of the values of the calling user. */
function keyOf(operation: Operation, applicationId: string): string {
  checkOwnApplication(operation, applicationId)
  return applicationUserKey(applicationId, asUser(operation.caller).id)
}

const getConnection: Handler<'GET_CURRENT_USER_APPLICATION_ROLE_CONNECTION'> = ({ application_id }, operation) =>
  view(operation.platform.store.roleConnections.get(keyOf(operation, application_id)) ?? NONE)

/** Like the platform, replaces all values. Throws invalidForm for a key without a metadata record. */
const updateConnection: Handler<'UPDATE_CURRENT_USER_APPLICATION_ROLE_CONNECTION'> = (args, operation) => {
  const { application_id, platform_name = null, platform_username = null } = args
  const key = keyOf(operation, application_id)
  const metadata = args.metadata ?? {}
  const known = new Set(recordsOf(operation, application_id).map((record) => record.key))
  const unknown = Object.keys(metadata).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw invalidBody([{ path: ['metadata', unknown], message: 'The application has no metadata record of this key.' }])
  const { store } = operation.platform
  const stored: StoredRoleConnection = { platformName: platform_name, platformUsername: platform_username, metadata }
  store.commit([store.roleConnections.put(key, stored)])
  return view(stored)
}

const deleteConnection: Handler<'DELETE_CURRENT_USER_APPLICATION_ROLE_CONNECTION'> = ({ application_id }, operation) => {
  const { store } = operation.platform
  store.commit([store.roleConnections.delete(keyOf(operation, application_id))])
  return null
}

export const roleConnectionHandlers = {
  DELETE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: deleteConnection,
  GET_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS: getRecords,
  GET_CURRENT_USER_APPLICATION_ROLE_CONNECTION: getConnection,
  UPDATE_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS: updateRecords,
  UPDATE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: updateConnection,
} satisfies Partial<Handlers>
