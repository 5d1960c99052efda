import { expect, test } from 'vitest'
import { checkProfile } from '#daemon/src/config/profile.ts'

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

test('missing fields that have a default get it', () => {
  expect(checkProfile(PROFILE)).toEqual({ profile: { ...PROFILE, presenceOrigins: [], rpcOrigins: [] }, settings: {} })
})

test('every field is taken', () => {
  const whole = {
    ...PROFILE,
    issuer: 'https://example',
    gatewayUrl: 'wss://gateway.example',
    removedConnections: { a: ['one'], b: [] },
    presenceOrigins: ['https://web.example'],
    rpcOrigins: ['http://localhost:*'],
  }
  expect(checkProfile({ ...whole, settings: { bridgePort: 1337 } })).toEqual({ profile: whole, settings: { bridgePort: 1337 } })
})

test.each([
  ['no object', [], 'It must be a JSON object.'],
  ['a missing field', { ...PROFILE, tokenUrl: undefined }, 'tokenUrl is missing.'],
  ['an unknown field', { ...PROFILE, tokenURL: 'x' }, 'tokenURL is unknown.'],
  ['no URL', { ...PROFILE, baseUrl: 'api.example' }, 'baseUrl must be a URL.'],
  ['null', { ...PROFILE, issuer: null }, 'issuer must be a URL.'],
  ['empty text', { ...PROFILE, name: '' }, 'name must be text that is not empty.'],
  ['a prefix with a slash', { ...PROFILE, ipcPrefix: 'a/b' }, 'ipcPrefix must be letters, digits, dots, dashes and underscores.'],
  [
    'an origin with a path',
    { ...PROFILE, rpcOrigins: ['https://example/path'] },
    'rpcOrigins must be a list of origins, as scheme://host[:port] (:* for any port).',
  ],
  ['settings that are a list', { ...PROFILE, settings: [] }, 'settings must be an object with defaults for the settings.'],
  ['several problems', { ...PROFILE, name: 1, cdnHost: undefined }, 'name must be text that is not empty, cdnHost is missing.'],
])('%s is refused', (_, content, sentence) => {
  expect(checkProfile(content)).toBe(sentence)
})
