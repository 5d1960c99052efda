/** Denies every authorization instead of opening its page, for bridges that must not let any game sign in. */
import type { PageOpener } from '../auth.ts'
import { OAuthError } from '../oauth/oauth-error.ts'

export const deny = (): PageOpener => ({
  async open() {
    throw new OAuthError('access_denied', 'The operator of the bridge does not allow games to sign in.')
  },
})
