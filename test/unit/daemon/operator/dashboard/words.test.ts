/** Every scope that a user can be asked for has plain words. */
import { expandScopes, isOAuthScope, SCOPES } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { partsOf, PERMISSIONS, permissionText, socketText } from '#daemon/src/operator/dashboard/page/words.ts'

test('each permission that a user allows has words of its own, after "It can"', () => {
  const leaves = Object.keys(SCOPES).filter((scope) => isOAuthScope(scope) && expandScopes([scope]).size === 1)
  expect(Object.keys(PERMISSIONS).toSorted()).toEqual(leaves.toSorted())
  for (const text of Object.values(PERMISSIONS)) expect(text).toMatch(/^[a-z].*[a-z]$/)
})

test('an umbrella scope is shown by its parts, and an unknown one by its name', () => {
  expect(partsOf(['openid', 'sdk.social_layer_presence'])).toContain('relationships.read')
  expect(partsOf(['sdk.social_layer'])).not.toContain('sdk.social_layer')
  expect(partsOf(['new.scope'])).toEqual(['new.scope'])
  expect(permissionText('new.scope')).toBe('new.scope')
})

test('a socket that the system hands over is not shown by its number', () => {
  expect(socketText('fd:3')).toBe('a socket that the system opened')
  expect(socketText('/run/user/1000/discord-ipc-0')).toBe('/run/user/1000/discord-ipc-0')
})
