/** REGISTER_LAUNCH_COMMAND, REGISTER_LAUNCH_STEAM_APPLICATION: how the game is launched when its user joins somebody and it does not run. */
import type { Handler } from '../context.ts'
import { steamCommand } from '../../social/launch/plan.ts'

export const registerLaunchCommand: Handler<'REGISTER_LAUNCH_COMMAND'> = ({ command }, { caller, services }) => {
  services.social.launches.register(caller.applicationId, caller.channel.peer, command)
  return null
}

export const registerLaunchSteamApplication: Handler<'REGISTER_LAUNCH_STEAM_APPLICATION'> = (
  { steam_app_id: id },
  { caller, services },
) => {
  services.social.launches.register(caller.applicationId, caller.channel.peer, steamCommand(id))
  return null
}
