/** Tokens that contain their meaning in plain text, so that fakes of the platform need no state. */

export interface TokenMeaning {
  readonly applicationId: string
  readonly userId: string
  readonly scopes: readonly string[]
}

const TOKEN_MARK = 'opaque'
/** Starts every user code of the fake sign-in on another device. */
export const USER_CODE = 'WDJB-MJH'
/** The one code, refresh token and state that the fake sign-in knows. */
export const CODE = 'code-for-the-game'
export const REFRESH_TOKEN = 'refresh-for-the-game'
export const STATE = 'the-state'

/** Texts that mean something only to the fakes of the tests. */
export const FAKE_VALUES: readonly string[] = [`${TOKEN_MARK}:`, USER_CODE, CODE, REFRESH_TOKEN, STATE]

const APPLICATION = '1234567890'
const USER = '80351110224678912'

/** Application and user are those of the tests by default. */
export const tokenOf = (scopes: readonly string[], { applicationId = APPLICATION, userId = USER } = {}): string =>
  `${TOKEN_MARK}:${applicationId}:${userId}:${scopes.join('+')}`

export function meaningOf(token: string): TokenMeaning | undefined {
  const [mark, applicationId, userId, scopes] = token.split(':')
  if (mark !== TOKEN_MARK || applicationId === undefined || userId === undefined || scopes === undefined) return undefined
  return { applicationId, userId, scopes: scopes.split('+').filter(Boolean) }
}

/** The platform's answer to `GET /oauth2/@me`. It names the user only with the scope identify or sdk.social_layer. */
export const authorizationInformation = ({ applicationId, userId, scopes }: TokenMeaning): object => ({
  application: { id: applicationId, name: 'Test game', icon: null, description: '' },
  scopes: [...scopes],
  expires: '2025-12-21T12:00:00.000000+00:00',
  ...(scopes.includes('identify') || scopes.includes('sdk.social_layer')
    ? { user: { id: userId, username: 'ann', discriminator: '0', avatar: null, global_name: 'Ann' } }
    : {}),
})
