/** `sallyport wine install|uninstall PREFIX` and `wine list`: the pipe bridge of Wine prefixes. */
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { installInPrefix, listPrefixes, uninstallFromPrefix } from './wine-steps.ts'

export const wine: Command = {
  name: 'wine',
  summary: 'Let Windows games of a Wine or Proton prefix reach the bridge: install, uninstall, or list the prefixes.',
  usage: 'install PREFIX | uninstall PREFIX | list [flags]',
  operands: { min: 1, max: 2 },
  flags: ['dryRun', 'platform', 'runtimeDir', 'config'],
  async run(context) {
    const [verb, prefix] = context.operands
    if (verb === 'install' && prefix !== undefined) return installInPrefix(prefix, context)
    if (verb === 'uninstall' && prefix !== undefined) return uninstallFromPrefix(prefix, context)
    if (verb === 'list' && prefix === undefined) return listPrefixes(context)
    throw new SettingsError('Use wine install PREFIX, wine uninstall PREFIX, or wine list. A prefix is a folder such as ~/.wine.')
  },
}
