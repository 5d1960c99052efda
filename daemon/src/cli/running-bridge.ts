/** Whether a bridge runs on the data folder, and how its user starts it again. */
import { readSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { probeSlot } from '../ipc/transport/address.ts'
import { UNIT_NAMES } from '../install/linux-files.ts'
import { hasSystemd, startersOf } from '../install/starters.ts'
import type { Context } from './command.ts'

export interface RunningBridge {
  readonly address: string
  /** What to type or do, without a period. */
  readonly restart: string
}

/** Whether a unit of the user's systemd starts the bridge. */
export const hasUnit = ({ io: { machine } }: Pick<Context, 'io'>): boolean =>
  hasSystemd(machine.env) && startersOf(machine).some(({ kind }) => kind === 'unit')

/** Undefined if none runs. */
export async function runningBridge(context: Context): Promise<RunningBridge | undefined> {
  const address = readSocketAddress(context.loaded.settings.dataDir)
  if (address === undefined || (await probeSlot(address)) !== 'taken') return undefined
  const restart = hasUnit(context)
    ? `systemctl --user restart ${UNIT_NAMES.service}`
    : 'stop it in the tray or by Ctrl-C in its terminal, then type sallyport run'
  return { address, restart }
}
