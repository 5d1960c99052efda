/** What handlers learn of the platform's profile. */
import { REMOVED_CONNECTIONS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { PlatformProfile } from '@sallyport/core/profile'
import { platformFacts } from '../../../../daemon/src/app/platform.ts'

const PROFILE = {
  name: 'elsewhere',
  ipcPrefix: 'elsewhere-ipc',
  baseUrl: 'https://api.example/v10',
  authorizeUrl: 'https://example/authorize',
  tokenUrl: 'https://example/token',
  revokeUrl: 'https://example/revoke',
  cdnHost: 'cdn.example',
  activityProxyHost: 'activities.example',
  userAgent: 'tests',
  customSchemePrefix: 'elsewhere',
}
const factsOf = (more: object) => platformFacts(PlatformProfile.parse({ ...PROFILE, ...more }))

test('kinds of removed connections are those that are known, unless the profile names others', () => {
  expect(factsOf({})).toEqual({ activityProxyHost: 'activities.example', removedConnections: REMOVED_CONNECTIONS })
  expect(factsOf({ removedConnections: { b: ['provider-b'] } }).removedConnections).toEqual({ a: REMOVED_CONNECTIONS.a, b: ['provider-b'] })
  expect(factsOf({ removedConnections: { a: [], b: [] } }).removedConnections).toEqual({ a: [], b: [] })
  expect(PlatformProfile.safeParse({ ...PROFILE, removedConnections: { c: [] } }).success).toBe(false)
})
