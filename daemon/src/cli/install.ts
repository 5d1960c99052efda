/** `sallyport install` and `uninstall`: start at login, socket activation and URL schemes for this user. The modules behind them load only then. */
import type { Command } from './command.ts'

const PLAN_FLAGS = ['dryRun', 'platform', 'runtimeDir', 'dataDir', 'config'] as const
const MAX_SCHEMES = 64

export const install: Command = {
  name: 'install',
  summary: 'Start the bridge for this user: at login, or at the first game. Registers URL schemes for callbacks.',
  usage: '[flags] [SCHEME…]',
  operands: { min: 0, max: MAX_SCHEMES },
  flags: PLAN_FLAGS,
  run: async (context) => (await import('./install-steps.ts')).installHere(context),
}

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Remove what install placed, and stop the bridge. Your data stays.',
  usage: '[flags] [SCHEME…]',
  operands: { min: 0, max: MAX_SCHEMES },
  flags: [...PLAN_FLAGS, 'purge'],
  run: async (context) => (await import('./install-steps.ts')).uninstallHere(context),
}
