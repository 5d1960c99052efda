/** The table of the command line: every command there is, and the names that are promised for later. */
import { call } from './call.ts'
import { callback } from './callback.ts'
import type { CommandTable } from './command.ts'
import { config } from './config.ts'
import { grants } from './grants.ts'
import { link } from './link.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { run } from './run.ts'
import { sandbox } from './sandbox.ts'
import { status } from './status.ts'
import { version } from './version.ts'

export const CLI_COMMANDS: CommandTable = {
  commands: [run, sandbox, status, call, login, logout, link, grants, callback, config, version],
  later: [
    { name: 'logs', summary: 'Follow the log.' },
    { name: 'inspect', summary: 'Follow the frames of every connection.' },
    { name: 'replay', summary: 'Play recorded frames and compare the answers.' },
    { name: 'doctor', summary: 'Check this machine and say what to do.' },
    { name: 'install', summary: 'Start with the session of this user.' },
    { name: 'uninstall', summary: 'Undo install.' },
  ],
}
