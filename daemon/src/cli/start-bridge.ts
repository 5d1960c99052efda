/** Starts the bridge in the background, in the way in which it was installed. */
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { carryOut } from '../install/carry-out.ts'
import { UNIT_NAMES } from '../install/linux-files.ts'
import type { Step } from '../install/steps.ts'
import type { Context } from './command.ts'
import { hasSystemd, keptFlags, programHere, quietProgramHere } from './install-steps.ts'

const SHARED_UNITS = ['/etc/systemd/user', '/usr/local/lib/systemd/user', '/usr/lib/systemd/user']

/** Undefined where no unit of systemd starts the bridge. */
function unitStep({ io: { machine } }: Context): Step | undefined {
  const { env, home } = machine
  const own = posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), 'systemd', 'user')
  const isInstalled = [own, ...SHARED_UNITS].some((folder) => existsSync(posix.join(folder, UNIT_NAMES.service)))
  if (!isInstalled || !hasSystemd(env['XDG_RUNTIME_DIR'])) return undefined
  return { do: 'run', command: ['systemctl', '--user', 'start', UNIT_NAMES.service] }
}

/** Resolves when it is started, not when it listens. Undefined, or why it could not be started. */
export async function startBridgeInBackground(context: Context): Promise<string | undefined> {
  const step = unitStep(context) ?? { do: 'start', command: [...(quietProgramHere() ?? programHere()), 'run', ...keptFlags(context)] }
  const [done] = await carryOut(
    [step],
    async () => false,
    () => {},
  )
  return done?.reason
}
