/** Authorization prompt that always denies, for bridges that must not let any game sign in. */
import type { AuthorizationPrompt } from '../auth.ts'
import { OAuthError } from '../oauth/oauth-error.ts'

export const deny = (): AuthorizationPrompt => ({
  async open() {
    throw new OAuthError('access_denied', 'The operator of the bridge does not allow games to sign in.')
  },
})
