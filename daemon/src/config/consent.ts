/** The setting `consent`: who answers when a game requests a sign-in, and as whom the sandbox then signs in. */
import { SANDBOX_USERS, type SandboxUser } from '@sallyport/core/platform-names'

export type ConsentMode = 'prompt' | 'allow' | 'deny'
export type ConsentSetting = ConsentMode | `allow:${SandboxUser}`

export const CONSENTS: readonly ConsentSetting[] = ['prompt', 'allow', ...SANDBOX_USERS.map((name) => `allow:${name}` as const), 'deny']

export const consentMode = (consent: ConsentSetting): ConsentMode => (consent === 'prompt' || consent === 'deny' ? consent : 'allow')

/** Undefined for the first user of the sandbox. */
export const consentingUser = (consent: ConsentSetting): SandboxUser | undefined =>
  SANDBOX_USERS.find((name) => consent === `allow:${name}`)
