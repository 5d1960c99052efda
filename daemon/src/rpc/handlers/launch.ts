/** REGISTER_LAUNCH_COMMAND, REGISTER_LAUNCH_STEAM_APPLICATION: how the daemon launches the game when its user accepts an invite. */
import type { Handler } from '../context.ts'
import { steamCommand } from '../../social/launch/spec.ts'

export const registerLaunchCommand: Handler<'REGISTER_LAUNCH_COMMAND'> = ({ command }, { session, services }) => {
  services.social.launcher.register(session.applicationId, session.connection.peer, command)
  return null
}

export const registerLaunchSteamApplication: Handler<'REGISTER_LAUNCH_STEAM_APPLICATION'> = (
  { steam_app_id: id },
  { session, services },
) => {
  services.social.launcher.register(session.applicationId, session.connection.peer, steamCommand(id))
  return null
}
