/** What others see of the user: online status and display name. */
import type { Platform } from '../platform.ts'
import type { StoredUser } from '../store/records.ts'
import { checkModerated } from './auto-moderation.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'

const setOnlineStatus: Handler<'SET_ONLINE_STATUS'> = ({ status }, { platform, caller }) => {
  change(platform, { ...asUser(caller).user, onlineStatus: status })
  return { status }
}

const updateDisplayName: Handler<'UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME'> = ({ global_name }, { platform, caller }) => {
  const { user } = asUser(caller)
  checkModerated(global_name)
  change(platform, { ...user, globalName: global_name })
  return { id: user.id, global_name }
}

const change = ({ store }: Platform, user: StoredUser): void => store.commit([store.users.put(user.id, user)])

export const accountHandlers = {
  SET_ONLINE_STATUS: setOnlineStatus,
  UPDATE_PROVISIONAL_ACCOUNT_DISPLAY_NAME: updateDisplayName,
} satisfies Partial<Handlers>
