/** The checks of `sallyport doctor`. Each says what is right, or what to do. None starts a server or stores a secret. */
import { lstatSync } from 'node:fs'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { assertPrivateFolder, openSocketFolder } from '@sallyport/core/storage/safe-folder'
import { createKeychainClient, selfCommand } from '../auth/vault/keychain-client.ts'
import { keychain } from '../auth/vault/keychain.ts'
import type { LoadedSettings, Settings } from '../config/load.ts'
import { OPTIONS } from '../config/schema.ts'
import { overridesIn } from '../install/starters.ts'
import { surveySlots, type SlotSurvey } from '../ipc/transport/address.ts'
import { isPortFree } from '../loopback/loopback-server.ts'
import type { Machine } from '../config/paths.ts'
import { checkSettings, checkWarnings, readState, stateOf } from './doctor-bridge.ts'
import { type Finding, found, messageOf } from './doctor-finding.ts'
import { checkContract, checkFirstSlot, checkInstances, identifyServer } from './doctor-servers.ts'
import { defaultCollection, checkKeychain } from './doctor-keychain.ts'
import { checkDataFiles } from './doctor-data.ts'
import { checkClock, checkPlatform } from './doctor-network.ts'
import { clockJump } from './clock-jump.ts'
import { checkClients, checkPrivateFiles, checkService, checkSocketPath, checkTray, checkWine } from './doctor-session.ts'

export function checkSocketFolder({ runtimeDir }: Settings, system = process.platform): Finding {
  if (system === 'win32') return found('socket folder', 'ok', 'Games find pipes by their names, which need no folder.')
  try {
    const kind = openSocketFolder(runtimeDir)
    const note = kind === 'shared' ? ' Other users can create sockets in it too, so the bridge also listens in a private folder.' : ''
    return found('socket folder', 'ok', `${runtimeDir} can hold the sockets.${note}`)
  } catch (failure) {
    return found('socket folder', 'wrong', `${messageOf(failure)} Or choose another --runtime-dir.`)
  }
}

/** Removes the sockets that a killed bridge left behind. Games then see that no bridge runs, and some only then try again later. */
export async function checkSockets({ runtimeDir, profile }: Settings): Promise<{ finding: Finding; survey: SlotSurvey }> {
  const ipcPrefix = profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX
  const survey = await surveySlots({ directory: runtimeDir, ipcPrefix, platform: process.platform })
  const { taken, removed, foreign } = survey
  const removal = removed.length === 0 ? '' : ` Removed what an ended bridge left behind: ${removed.join(', ')}.`
  const servers = taken.length === 0 ? 'No bridge is running; start one with: sallyport run.' : `A server listens at ${taken.join(', ')}.`
  if (foreign.length > 0)
    return {
      survey,
      finding: found(
        'sockets',
        'wrong',
        `Nothing answers at ${foreign.join(', ')}, which is not a socket of yours; move it away.${removal}`,
      ),
    }
  return { survey, finding: found('sockets', 'ok', `${servers}${removal}`) }
}

export function checkDataFolder({ dataDir }: Settings): Finding {
  const facts = lstatSync(dataDir, { throwIfNoEntry: false })
  if (facts === undefined) return found('data folder', 'ok', `${dataDir} does not exist yet; the bridge creates it.`)
  try {
    assertPrivateFolder(dataDir)
    return found('data folder', 'ok', `Only you can access ${dataDir}.`)
  } catch (failure) {
    return found('data folder', 'wrong', `${messageOf(failure)} Or choose another --data-dir.`)
  }
}

/** Ports with a fixed number must be free, unless a bridge runs, which then probably has them. */
export async function checkPorts(
  { bridgePort, dashboardPort, sandboxPort, sandboxActivityPort, webhookPort, profile }: Settings,
  { taken }: Pick<SlotSurvey, 'taken'>,
): Promise<Finding> {
  const wanted = {
    '--bridge-port': bridgePort,
    '--dashboard-port': dashboardPort,
    '--webhook-port': webhookPort,
    ...(profile === undefined ? { '--sandbox-port': sandboxPort, '--sandbox-activity-port': sandboxActivityPort } : {}),
  }
  const fixed = Object.entries(wanted).flatMap(([flag, port]) => (typeof port === 'number' && port > 0 ? [{ flag, port }] : []))
  const states = await Promise.all(fixed.map(async (one) => ({ ...one, free: await isPortFree(one.port) })))
  const busy = states.filter(({ free }) => !free)
  if (busy.length === 0) return found('ports', 'ok', 'All ports of the settings are free.')
  const names = busy.map(({ flag, port }) => `${port} (${flag})`).join(', ')
  if (taken.length > 0) return found('ports', 'ok', `In use, as expected while a bridge runs: ${names}.`)
  return found('ports', 'wrong', `Another program uses ${names}. Stop it, or choose another port.`)
}

const UNCHECKED = 'They were not checked, because their folder is not safe.'

/** In the order of what a game meets first. */
export async function runChecks(loaded: LoadedSettings, machine: Machine): Promise<readonly Finding[]> {
  const { settings } = loaded
  const path = checkSocketPath(settings, machine)
  const folder = checkSocketFolder(settings)
  const { finding: sockets, survey } =
    folder.state === 'ok' ? await checkSockets(settings) : { finding: found('sockets', 'not checked', UNCHECKED), survey: { taken: [] } }
  const servers = await Promise.all(survey.taken.map((taken) => identifyServer(taken, settings)))
  const keychainHelper = createKeychainClient(selfCommand())
  try {
    const [running, keys, { finding: platform, time }, ports, tray] = await Promise.all([
      readState(settings),
      checkKeychain(settings, keychain(keychainHelper.send), machine.platform === 'linux' ? defaultCollection : async () => undefined),
      checkPlatform(settings),
      checkPorts(settings, survey),
      checkTray(machine),
    ])
    const state = stateOf(running)
    const clock = { platform: time, isSandbox: settings.profile === undefined, jump: state && clockJump(state, machine.platform) }
    return [
      path,
      folder,
      sockets,
      checkFirstSlot(servers),
      checkInstances(servers),
      checkContract(servers),
      checkWarnings(running),
      checkSettings(loaded, state, overridesIn(machine, OPTIONS.platform)),
      checkClients(settings, machine, state?.ipc),
      checkDataFolder(settings),
      checkDataFiles(settings, running),
      checkPrivateFiles(settings),
      keys,
      platform,
      checkClock(clock, Date.now()),
      ports,
      checkService(machine),
      tray,
      checkWine(machine),
    ]
  } finally {
    keychainHelper.close()
  }
}
