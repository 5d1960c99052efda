/** Scopes that include others, and requirements as any-of sets of all-of scopes. */
import { allOf, anyOf, expandScopes, NO_SCOPE, satisfies } from '@sallyport/protocol'
import { expect, it } from 'vitest'

const PRESENCE = [
  'activities.invites.write',
  'activities.read',
  'activities.write',
  'application_identities.write',
  'gateway.connect',
  'identify',
  'relationships.read',
  'relationships.write',
]
const COMMUNICATION = [
  'dm_channels.read',
  'dm_channels.messages.read',
  'dm_channels.messages.write',
  'guilds',
  'guilds.channels.read',
  'lobbies.write',
]

it('expands sdk.social_layer_presence to exactly the scopes of presence', () => {
  expect([...expandScopes(['sdk.social_layer_presence'])].toSorted()).toEqual(['sdk.social_layer_presence', ...PRESENCE].toSorted())
})

it('expands sdk.social_layer to presence and communication', () => {
  expect([...expandScopes(['openid', 'sdk.social_layer'])].toSorted()).toEqual(
    ['openid', 'sdk.social_layer', ...PRESENCE, ...COMMUNICATION].toSorted(),
  )
})

it('keeps unknown names, also those of prototype properties', () => {
  expect([...expandScopes(['new.scope', 'constructor'])]).toEqual(['new.scope', 'constructor'])
})

it('requires one of anyOf, all of allOf, and nothing for NO_SCOPE', () => {
  const held = new Set(['rpc', 'identify'])
  expect(satisfies(NO_SCOPE, new Set())).toBe(true)
  expect(satisfies(anyOf('rpc', 'guilds'), held)).toBe(true)
  expect(satisfies(anyOf('guilds'), held)).toBe(false)
  expect(satisfies(allOf('rpc', 'identify'), held)).toBe(true)
  expect(satisfies(allOf('rpc', 'guilds'), held)).toBe(false)
})
