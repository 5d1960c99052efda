/** Starts the bridge in the background, in the way in which it was installed. */
import { carryOut } from '../install/carry-out.ts'
import { UNIT_NAMES } from '../install/linux-files.ts'
import type { Step } from '../install/steps.ts'
import type { Context } from './command.ts'
import { keptFlags, programHere, quietProgramHere } from './install-steps.ts'
import { hasUnit } from './running-bridge.ts'

const systemctl = (verb: 'start' | 'restart'): Step => ({ do: 'run', command: ['systemctl', '--user', verb, UNIT_NAMES.service] })

/** Undefined, or why it failed. */
async function carriedOut(step: Step): Promise<string | undefined> {
  const [done] = await carryOut(
    [step],
    async () => false,
    () => {},
  )
  return done?.reason
}

/** Resolves when it is started, not when it listens. Undefined, or why it could not be started. */
export const startBridgeInBackground = (context: Context): Promise<string | undefined> =>
  carriedOut(
    hasUnit(context)
      ? systemctl('start')
      : { do: 'start', command: [...(quietProgramHere() ?? programHere()), 'run', ...keptFlags(context)] },
  )

/** The same for a bridge that runs in the unit of systemd. */
export const restartUnit = (): Promise<string | undefined> => carriedOut(systemctl('restart'))
