import { expect, test } from 'vitest'
import { grantedScopes, newScopes } from '#daemon/src/auth/grants/scopes.ts'

test('scopes are compared with umbrellas expanded', () => {
  expect(newScopes(['identify', 'guilds', 'email'], ['guilds'])).toEqual(['identify', 'email'])
  expect(newScopes(['identify'], ['sdk.social_layer'])).toEqual([])
  expect(newScopes(['sdk.social_layer'], ['identify'])).toEqual(['sdk.social_layer'])
  expect(grantedScopes(['guilds', 'identify', 'email'], ['identify', 'guilds'])).toEqual(['guilds', 'identify'])
})
