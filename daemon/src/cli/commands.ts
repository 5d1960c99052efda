/** The table of all commands. */
import { call } from './call.ts'
import { callback } from './callback.ts'
import type { CommandTable } from './command.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { grants } from './grants.ts'
import { install, uninstall } from './install.ts'
import { link } from './link.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { run } from './run.ts'
import { sandbox } from './sandbox.ts'
import { status } from './status.ts'
import { version } from './version.ts'

export const CLI_COMMANDS: CommandTable = {
  commands: [run, sandbox, status, doctor, call, login, logout, link, grants, callback, install, uninstall, config, version],
}
