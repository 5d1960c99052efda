/** Requires certificate checks for a real platform. */
import type { Machine } from './paths.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import { SettingsError } from './settings-error.ts'

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED'

/** Throws SettingsError if the environment disables certificate checks and the platform uses https. */
export function requireTlsVerification(profile: Pick<PlatformProfile, 'baseUrl' | 'tokenUrl'> | undefined, env: Machine['env']): void {
  if (env[VARIABLE] !== '0' || profile === undefined) return
  if (![profile.baseUrl, profile.tokenUrl].some((url) => url.startsWith('https:'))) return
  throw new SettingsError(
    `${VARIABLE}=0 disables the certificate checks for the platform. Unset it, and trust a private CA with --ca-file.`,
  )
}
