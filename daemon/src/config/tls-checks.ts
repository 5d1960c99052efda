/** Certificates of a real platform are always checked; whoever switched that off for Node is told so, instead of finding nothing reachable. */
import type { Machine } from './paths.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import { SettingsError } from './settings-error.ts'

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'

/** Throws SettingsError when the environment asks for connections without checks, and the platform is reached over https. */
export function refuseUncheckedTls(profile: Pick<PlatformProfile, 'baseUrl' | 'tokenUrl'> | undefined, env: Machine['env']): void {
  if (env[VARIABLE] !== '0' || profile === undefined) return
  if (![profile.baseUrl, profile.tokenUrl].some((url) => url.startsWith('https:'))) return
  throw new SettingsError(
    `${VARIABLE}=0 asks for connections to the platform whose certificates nobody checks. Unset it; name an authority of your own with --ca-file.`,
  )
}
