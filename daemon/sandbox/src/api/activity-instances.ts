/** Running activities, which interactions launched. */
import { INTERACTION_CALLBACKS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { checkOwnApplication } from './access.ts'
import type { Handler, Handlers } from './handlers.ts'
import { activityInstanceId } from './interactions.ts'

/** The instance exists from the response that launched it. */
const getInstance: Handler<'GET_APPLICATION_ACTIVITY_INSTANCE'> = ({ application_id, instance_id }, operation) => {
  checkOwnApplication(operation, application_id)
  const { platform } = operation
  const launched = platform.store.interactions
    .all()
    .find((one) => one.applicationId === application_id && activityInstanceId(platform, one) === instance_id)
  if (launched === undefined || launched.answeredBy !== INTERACTION_CALLBACKS.LAUNCH_ACTIVITY.type) throw new PlatformError('notFound')
  const { id, guildId, channelId, userId } = launched
  return {
    application_id,
    instance_id,
    launch_id: id,
    location: {
      id: guildId === null ? `pc-${channelId}` : `gc-${guildId}-${channelId}`,
      kind: guildId === null ? 'pc' : 'gc',
      channel_id: channelId,
      ...(guildId === null ? {} : { guild_id: guildId }),
    },
    users: [userId],
  }
}

export const activityInstanceHandlers = {
  GET_APPLICATION_ACTIVITY_INSTANCE: getInstance,
} satisfies Partial<Handlers>
