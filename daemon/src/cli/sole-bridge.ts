/** Refuses a second bridge on a data folder: it would replace the addresses by which the command line and the tray find the first. */
import type { Settings } from '../config/load.ts'
import { probeSlot } from '../ipc/transport/address.ts'
import { identifyServer } from './doctor-servers.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** `known`: the address in the data folder, which a killed bridge leaves behind, so another program may listen there. Rejects with CommandFailure. */
export async function requireSoleBridge(known: string, settings: Pick<Settings, 'application' | 'dataDir'>): Promise<void> {
  if ((await probeSlot(known)) !== 'taken' || (await identifyServer(known, settings)).bridge === undefined) return
  throw new CommandFailure(
    EXIT.failed,
    `A bridge runs with the data folder ${settings.dataDir} already, at ${known}. Stop it with: sallyport stop. Or choose another --data-dir.`,
  )
}
