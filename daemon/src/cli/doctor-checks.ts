/** The checks of `sallyport doctor`. Each says what is right, or what to do. None starts a server or stores a secret. */
import { lstatSync } from 'node:fs'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { assertPrivate, openSocketFolder } from '@sallyport/core/storage/safe-folder'
import { keychainAdvice } from '../auth/vault/key-errors.ts'
import { createKeychainClient, selfCommand } from '../auth/vault/keychain-client.ts'
import { keychain } from '../auth/vault/keychain.ts'
import { type KeyStore, KeyStoreUnavailable } from '../auth/vault/key-store.ts'
import { readCertificates } from '../config/certificates.ts'
import type { LoadedSettings, Settings } from '../config/load.ts'
import { OPTIONS } from '../config/schema.ts'
import { overridesIn } from '../install/starters.ts'
import { surveySlots, type SlotSurvey } from '../ipc/transport/address.ts'
import { isPortFree } from '../loopback/loopback-server.ts'
import { HttpFailure } from '../platform/api/http-failure.ts'
import { createHttpSend } from '../platform/api/http.ts'
import type { Machine } from '../config/paths.ts'
import { checkSettings, checkWarnings, readState } from './doctor-bridge.ts'
import { type Finding, found, messageOf } from './doctor-finding.ts'
import { checkContract, checkFirstSlot, checkInstances, identifyServer } from './doctor-servers.ts'
import { checkClients, checkClock, checkPrivateFiles, checkService, checkSocketPath, checkTray, checkWine } from './doctor-session.ts'

const HTTP_MS = 10_000
/** An entry that no bridge stores; reading it opens the keychain without a change. */
const KEYCHAIN_ENTRY = 'sallyport-doctor'

export function checkSocketFolder({ runtimeDir }: Settings): Finding {
  try {
    const kind = openSocketFolder(runtimeDir)
    const note = kind === 'shared' ? ' Other users can create sockets in it too, so the bridge also listens in a private folder.' : ''
    return found('socket folder', true, `${runtimeDir} can hold the sockets.${note}`)
  } catch (failure) {
    return found('socket folder', false, `${messageOf(failure)} Or choose another --runtime-dir.`)
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
      finding: found('sockets', false, `Nothing answers at ${foreign.join(', ')}, which is not a socket of yours; move it away.${removal}`),
    }
  return { survey, finding: found('sockets', true, `${servers}${removal}`) }
}

export function checkDataFolder({ dataDir }: Settings): Finding {
  const facts = lstatSync(dataDir, { throwIfNoEntry: false })
  if (facts === undefined) return found('data folder', true, `${dataDir} does not exist yet; the bridge creates it.`)
  try {
    assertPrivate(dataDir, 'folder', facts)
    return found('data folder', true, `Only you can access ${dataDir}.`)
  } catch (failure) {
    return found('data folder', false, `${messageOf(failure)} Or choose another --data-dir.`)
  }
}

export async function checkKeychain({ vault }: Settings, store: Pick<KeyStore, 'read'>): Promise<Finding> {
  if (vault === 'file') return found('keychain', true, 'The settings keep the key of the tokens in a file (--vault file).')
  try {
    await store.read(KEYCHAIN_ENTRY, 'brief')
    return found('keychain', true, "The system's keychain can be used.")
  } catch (failure) {
    if (!(failure instanceof KeyStoreUnavailable)) throw failure
    const fallback = vault === 'auto' ? ' Until then, a new key is kept in a file that only you can read.' : ' Or run with --vault file.'
    return found('keychain', vault === 'auto', `${keychainAdvice(failure.reason)}${fallback}`)
  }
}

/** Any response shows that the platform can be reached. `time`: the platform's own, in milliseconds since 1970, if it sent one. */
export async function checkPlatform({ profile, proxies, caFile }: Settings): Promise<{ finding: Finding; time: number | undefined }> {
  if (profile === undefined) return { finding: found('platform', true, 'The sandbox platform runs within the bridge.'), time: undefined }
  const { name, baseUrl } = profile
  const http = createHttpSend({ proxies, ...(caFile === undefined ? {} : { certificates: readCertificates(caFile) }) })
  const { origin } = new URL(baseUrl)
  try {
    const { status, headers } = await http.send({ method: 'GET', url: `${baseUrl}/gateway`, headers: {} }, AbortSignal.timeout(HTTP_MS))
    const time = Date.parse(String(headers['date']))
    return {
      finding: found('platform', true, `${name} answers at ${origin} (HTTP status ${status}).`),
      time: Number.isNaN(time) ? undefined : time,
    }
  } catch (failure) {
    if (!(failure instanceof HttpFailure)) throw failure
    const says = `${name} does not answer at ${origin} (${failure.kind}). Check the network, --proxy and --ca-file.`
    return { finding: found('platform', false, says), time: undefined }
  } finally {
    await http.close()
  }
}

/** Ports with a fixed number must be free, unless a bridge runs, which then probably has them. */
export async function checkPorts(
  { dashboardPort, sandboxPort, webhookPort, profile }: Settings,
  { taken }: Pick<SlotSurvey, 'taken'>,
): Promise<Finding> {
  const wanted = {
    '--dashboard-port': dashboardPort,
    '--webhook-port': webhookPort,
    ...(profile === undefined ? { '--sandbox-port': sandboxPort } : {}),
  }
  const fixed = Object.entries(wanted).flatMap(([flag, port]) => (typeof port === 'number' && port > 0 ? [{ flag, port }] : []))
  const states = await Promise.all(fixed.map(async (one) => ({ ...one, free: await isPortFree(one.port) })))
  const busy = states.filter(({ free }) => !free)
  if (busy.length === 0) return found('ports', true, 'All ports of the settings are free.')
  const names = busy.map(({ flag, port }) => `${port} (${flag})`).join(', ')
  if (taken.length > 0) return found('ports', true, `In use, as expected while a bridge runs: ${names}.`)
  return found('ports', false, `Another program uses ${names}. Stop it, or choose another port.`)
}

const UNCHECKED = 'They were not checked, because their folder is not safe.'

/** In the order of what a game meets first. */
export async function runChecks(loaded: LoadedSettings, machine: Machine): Promise<readonly Finding[]> {
  const { settings } = loaded
  const path = checkSocketPath(settings, machine)
  const folder = checkSocketFolder(settings)
  const { finding: sockets, survey } = folder.ok
    ? await checkSockets(settings)
    : { finding: found('sockets', false, UNCHECKED), survey: { taken: [] } }
  const servers = await Promise.all(survey.taken.map((taken) => identifyServer(taken, settings)))
  const keychainHelper = createKeychainClient(selfCommand())
  try {
    const [state, keys, { finding: platform, time }, ports, tray] = await Promise.all([
      readState(settings),
      checkKeychain(settings, keychain(keychainHelper.send)),
      checkPlatform(settings),
      checkPorts(settings, survey),
      checkTray(machine),
    ])
    return [
      path,
      folder,
      sockets,
      checkFirstSlot(servers),
      checkInstances(servers),
      checkContract(servers),
      checkWarnings(state),
      checkSettings(loaded, state, overridesIn(machine, OPTIONS.platform)),
      checkClients(settings, machine),
      checkDataFolder(settings),
      checkPrivateFiles(settings),
      keys,
      platform,
      checkClock(time, Date.now()),
      ports,
      checkService(machine),
      tray,
      checkWine(machine),
    ]
  } finally {
    keychainHelper.close()
  }
}
