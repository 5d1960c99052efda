/** REGISTER_LAUNCH_COMMAND, REGISTER_LAUNCH_STEAM_APPLICATION: how the daemon launches the game when its user accepts an invite. */
import type { Social } from '../../social/social.ts'
import { steamCommand } from '../../social/launch/spec.ts'
import type { HandlerMap } from '../context.ts'

export interface LaunchDeps {
  readonly social: Pick<Social, 'launcher'>
}

export const launchHandlers = ({ social: { launcher } }: LaunchDeps) =>
  ({
    REGISTER_LAUNCH_COMMAND: ({ command }, { session }) => {
      launcher.register(session.applicationId, session.connection.peer, command)
      return null
    },

    REGISTER_LAUNCH_STEAM_APPLICATION: ({ steam_app_id: id }, { session }) => {
      launcher.register(session.applicationId, session.connection.peer, steamCommand(id))
      return null
    },
  }) satisfies Partial<HandlerMap>
