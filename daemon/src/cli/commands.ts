/** The table of all commands. Each is loaded when it runs, or for the help. */
import type { Command, CommandTable } from './command.ts'
import type { LaterCommand } from './later.ts'
import { run } from './run.ts'
import { version } from './version.ts'

const later = (name: LaterCommand) => async (): Promise<Command> => {
  const { LATER_COMMANDS } = await import('./later.ts')
  return LATER_COMMANDS[name]()
}

/** In the order of the help. */
export const CLI_COMMANDS: CommandTable = new Map([
  ['run', async () => run],
  ['sandbox', later('sandbox')],
  ['status', later('status')],
  ['doctor', later('doctor')],
  ['inspect', later('inspect')],
  ['record', later('record')],
  ['replay', later('replay')],
  ['call', later('call')],
  ['login', later('login')],
  ['logout', later('logout')],
  ['link', later('link')],
  ['grants', later('grants')],
  ['callback', later('callback')],
  ['install', later('install')],
  ['uninstall', later('uninstall')],
  ['wine', later('wine')],
  ['config', later('config')],
  ['completion', later('completion')],
  ['version', async () => version],
])
