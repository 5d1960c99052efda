/** The check of `sallyport doctor` about the bridge that runs on the data folder: what it warns of. */
import type { BridgeState } from '@sallyport/protocol'
import { isBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { VERSION } from '@sallyport/core/version'
import type { LoadedSettings, Origin, Settings } from '../config/load.ts'
import { type Finding, found } from './doctor-finding.ts'
import { asOperator } from './operator.ts'
import { locationOnData, verifiedConnect } from './own-server.ts'

/** The state of the bridge; undefined if none has loaded, or if it does not answer. Never loads one. */
export async function readState(settings: Pick<Settings, 'application' | 'dataDir'>): Promise<BridgeState | undefined> {
  const location = locationOnData(settings.dataDir)
  if (location === undefined || !isBridgeLoaded(settings.dataDir)) return undefined
  const binding = await import('@sallyport/client')
  const client = new binding.SallyportClient({
    applicationId: settings.application,
    requireBridge: true,
    reconnect: false,
    sdkVersion: `sallyport-cli/${VERSION}`,
    environment: { connect: verifiedConnect(binding) },
    ...location,
  })
  try {
    await client.connect()
    return await asOperator<BridgeState>(client, { loaded: { settings } }, 'WATCH_BRIDGE', {})
  } catch {
    return undefined
  } finally {
    await client.close()
  }
}

const FROM: Readonly<Record<Origin, string>> = {
  flag: 'a flag of this command',
  env: 'the environment',
  file: 'the settings file',
  package: 'the package',
  profile: 'the profile',
  default: 'the default of a program without a package',
}

/** The platform that runs and the one that is set. `overrides`: what starts the bridge with another one. */
export function checkSettings(
  { settings, origins }: LoadedSettings,
  state: Pick<BridgeState, 'platform'> | undefined,
  overrides: readonly { readonly path: string; readonly by: string }[],
): Finding {
  const set = settings.profile?.name ?? settings.platform
  const chosen = `The platform is set to ${set} (by ${FROM[origins.platform]}).`
  const [override] = overrides
  if (override !== undefined) {
    const remedy = 'Remove it there, or run sallyport install, which writes the file anew.'
    return found('settings', false, `${chosen} But ${override.path} starts the bridge with ${override.by}, which wins. ${remedy}`)
  }
  if (state === undefined) return found('settings', true, `${chosen} No bridge with this data folder serves games now.`)
  if (state.platform === set) return found('settings', true, `${chosen} The running bridge has it.`)
  return found('settings', false, `${chosen} The running bridge still has ${state.platform}; start it again.`)
}

export function checkWarnings(state: BridgeState | undefined): Finding {
  if (state === undefined) return found('warnings', true, 'Not checked, because no bridge with this data folder serves games.')
  const { warnings } = state
  if (warnings.length === 0) return found('warnings', true, 'The bridge warns of nothing.')
  return found('warnings', false, warnings.map(({ message, advice }) => `${message} ${advice}`).join(' '))
}
