/** Commands by which a game says how it is launched when its user joins somebody and it does not run. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { nothing, text, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const registerLaunchCommand = defineCommand({
  name: 'REGISTER_LAUNCH_COMMAND',
  summary:
    'Say how this application is launched: the absolute path of a program and its arguments, those with spaces in double quotes, or a URI. No shell sees it.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ command: text(1, LIMITS.launchCommand.value) }),
  data: nothing,
  provenance: 'sallyport',
})

export const registerLaunchSteamApplication = defineCommand({
  name: 'REGISTER_LAUNCH_STEAM_APPLICATION',
  summary: 'Say that Steam launches this application, as the one of this number.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ steam_app_id: wholeNumber(1, 4_294_967_295) }),
  data: nothing,
  provenance: 'sallyport',
})
