/** Selects who answers consent requests: the user, or a fixed answer from the settings. */
import { BridgeError } from '@sallyport/core/errors'
import type { ConsentMode } from '../../config/consent.ts'
import { ALL_KEPT, type Consent } from './consent-prompts.ts'

const deniedByOperator = (): BridgeError =>
  new BridgeError('OAUTH2_ERROR', 'OAuth2 Error: access_denied: The operator of the bridge does not allow games to sign in.')

/** `allow` is refused for real platforms when the settings are read. */
export const consentOf = (mode: ConsentMode, user: Consent): Consent =>
  ({
    prompt: user,
    allow: { ask: async () => ALL_KEPT },
    deny: { ask: () => Promise.reject(deniedByOperator()) },
  })[mode]
