/** Who answers when a program wants what it was not granted: the user, or always the same. */
import { type Consent, denied } from './questions.ts'

/** `allow` is refused for real platforms when the settings are read. */
export type ConsentMode = 'prompt' | 'allow' | 'deny'

export const consentOf = (mode: ConsentMode, user: Consent): Consent =>
  ({
    prompt: user,
    allow: { ask: async () => {} },
    deny: { ask: () => Promise.reject(denied()) },
  })[mode]
