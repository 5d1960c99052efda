/** What the daemon takes from a platform's profile. */
import { REMOVED_CONNECTIONS } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { checkProfile } from '#daemon/src/config/profile.ts'
import { loadPlatform } from '#daemon/src/config/platforms.ts'
import { removedConnections } from '#daemon/src/app/platform.ts'

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
const removedOf = (more: object) => {
  const checked = checkProfile({ ...PROFILE, ...more })
  return typeof checked === 'string' ? checked : removedConnections(checked.profile)
}

test('kinds of removed connections are those that are known, unless the profile names others', { tags: ['9.2-11'] }, () => {
  expect(removedOf({})).toEqual(REMOVED_CONNECTIONS)
  expect(removedConnections(loadPlatform('discord').profile ?? {})).toEqual({ a: ['riotgames', 'leagueoflegends'], b: ['battlenet'] })
  expect(removedOf({ removedConnections: { b: ['provider-b'] } })).toEqual({ a: REMOVED_CONNECTIONS.a, b: ['provider-b'] })
  expect(removedOf({ removedConnections: { a: [], b: [] } })).toEqual({ a: [], b: [] })
  expect(removedOf({ removedConnections: { c: [] } })).toBe(
    'removedConnections must be an object with lists of connection types in a and b.',
  )
})
