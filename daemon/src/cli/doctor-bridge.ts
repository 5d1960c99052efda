/** The check of `sallyport doctor` about the bridge that runs on the data folder: what it warns of. */
import type { BridgeState } from '@sallyport/protocol'
import { isBridgeLoaded } from '@sallyport/core/storage/bridge-loaded'
import { VERSION } from '@sallyport/core/version'
import type { LoadedSettings, Origin, Settings } from '../config/load.ts'
import { type Finding, found } from './doctor-finding.ts'
import { asOperator } from './operator.ts'
import { locationOnData, verifiedConnect } from '../operator/own-server.ts'

/** `none`: no bridge has loaded on this data folder. `silent`: one has, but it gives no state; perhaps it ended without a stop. */
export type RunningState = BridgeState | 'none' | 'silent'

/** Never loads a bridge. */
export async function readState(settings: Pick<Settings, 'application' | 'dataDir'>): Promise<RunningState> {
  const location = locationOnData(settings.dataDir)
  if (location === undefined || !isBridgeLoaded(settings.dataDir)) return 'none'
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
    const context = { loaded: { settings } }
    // Only then does it know whether the keychain is locked.
    await asOperator(client, context, 'OPERATE_BRIDGE', { action: 'open-vault' })
    return await asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})
  } catch (failure) {
    return isNothingThere(failure) ? 'none' : 'silent'
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

/** A bridge that was killed leaves its address behind. */
function isNothingThere(failure: unknown): boolean {
  for (let cause = failure; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && (cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED')) return true
  return failure instanceof Error && /ENOENT|ECONNREFUSED|no (?:server|bridge)/i.test(failure.message)
}

export const stateOf = (running: RunningState): BridgeState | undefined => (typeof running === 'string' ? undefined : running)

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
    return found('settings', 'wrong', `${chosen} But ${override.path} starts the bridge with ${override.by}, which wins. ${remedy}`)
  }
  if (state === undefined) return found('settings', 'ok', `${chosen} No bridge with this data folder serves games now.`)
  if (state.platform === set) return found('settings', 'ok', `${chosen} The running bridge has it.`)
  return found('settings', 'wrong', `${chosen} The running bridge still has ${state.platform}; start it again.`)
}

/** The bridge says this of itself in the log and in `status` too. */
export function checkWarnings(running: RunningState): Finding {
  if (running === 'none') return found('warnings', 'ok', 'No bridge with this data folder serves games, so none warns of anything.')
  if (running === 'silent')
    return found('warnings', 'not checked', 'The bridge with this data folder does not send its state. Look into its log: sallyport logs')
  const { warnings, vault_problem: problem, presence_feed: feed } = running
  const said = warnings.map(({ message, advice }) => `${message} ${advice}`)
  const also = [problem, feed?.reason].filter((text) => text !== undefined)
  if (said.length + also.length === 0) return found('warnings', 'ok', 'The bridge warns of nothing.')
  return found('warnings', 'wrong', [...said, ...also].join(' '))
}
