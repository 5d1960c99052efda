/** `sallyport install` and `uninstall`: start at login, socket activation and URL schemes for this user. */
import type { Command } from './command.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { installHere, uninstallHere } from './install-steps.ts'

const PLAN_FLAGS = ['dryRun', ...FIND_FLAGS] as const
const MAX_SCHEMES = 64

export const install: Command = {
  name: 'install',
  summary: 'Start the bridge for this user: at login, or at the first game. Registers URL schemes for callbacks.',
  usage: '[flags] [SCHEME…]',
  operands: { min: 0, max: MAX_SCHEMES },
  flags: PLAN_FLAGS,
  run: installHere,
}

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Remove what install placed, and stop the bridge. Your data stays.',
  usage: '[flags] [SCHEME…]',
  operands: { min: 0, max: MAX_SCHEMES },
  flags: [...PLAN_FLAGS, 'purge'],
  run: uninstallHere,
}
