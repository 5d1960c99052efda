/** Commands that register how the bridge launches a game when its user joins another player. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { empty, text, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const registerLaunchCommand = defineCommand({
  name: 'REGISTER_LAUNCH_COMMAND',
  summary:
    'Register the launch command of this application: an absolute program path with arguments (in double quotes if they contain spaces), or a URI. No shell is used.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ command: text(1, LIMITS.launchCommand.value) }),
  data: empty,
  launches: 'command',
  provenance: 'sallyport',
})

export const registerLaunchSteamApplication = defineCommand({
  name: 'REGISTER_LAUNCH_STEAM_APPLICATION',
  summary: 'Register a Steam app id, with which Steam launches this application.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ steam_app_id: wholeNumber(1, 4_294_967_295) }),
  data: empty,
  launches: 'steam_app_id',
  provenance: 'sallyport',
})
