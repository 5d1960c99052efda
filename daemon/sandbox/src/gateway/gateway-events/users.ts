/** Events of the user, for their own sessions. */
import { userView } from '../../api/user-view.ts'
import type { StoredUser } from '../../store/records.ts'
import { isSame, NO_EVENTS, type ChangeMapper } from './event-mapper.ts'

export const mapUser: ChangeMapper<StoredUser> = ({ before, after }, { platform }) => {
  if (before === undefined || after === undefined || isSame(userView(platform, before), userView(platform, after))) return undefined
  const event = { t: 'USER_UPDATE', d: userView(platform, after) }
  return ({ caller, shard }) => (shard.id === 0 && caller.kind === 'user' && caller.id === after.id ? [event] : NO_EVENTS)
}
