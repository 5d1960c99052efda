/** Scopes that include others, and requirements as any-of sets of all-of scopes. */
import {
  allOf,
  anyOf,
  ENDPOINTS,
  type EndpointName,
  expandScopes,
  NO_SCOPE,
  offeredTo,
  satisfies,
  type ScopeRow,
  SCOPES,
} from '@sallyport/protocol'
import { expect, it } from 'vitest'

const PRESENCE = ['CREATE_HEADLESS_SESSION', 'SEND_ACTIVITY_MESSAGE'] as const
const COMMUNICATION = ['SEND_LOBBY_MESSAGE', 'SEND_USER_MESSAGE', 'GET_USER_MESSAGES', 'GET_CURRENT_USER_GUILDS'] as const
const opened = (scope: string, rows: readonly EndpointName[]): readonly EndpointName[] =>
  rows.filter((name) => satisfies(ENDPOINTS[name].requires, expandScopes([scope])))

it('sdk.social_layer_presence opens presence, not communication', { tags: ['2.1-6'] }, () => {
  expect(opened('sdk.social_layer_presence', [...PRESENCE, ...COMMUNICATION])).toEqual(PRESENCE)
})

it('the presence layer has these scopes, and communication more', { tags: ['2.1-5', '2.1-6', '5-5'] }, () => {
  const presence = [
    'activities.invites.write',
    'activities.read',
    'activities.write',
    'application_identities.write',
    'gateway.connect',
    'identify',
    'relationships.read',
    'relationships.write',
  ]
  const communication = ['dm_channels.messages.read', 'dm_channels.messages.write', 'dm_channels.read']
  const lobbies = ['guilds', 'guilds.channels.read', 'lobbies.write']
  expect([...expandScopes(['sdk.social_layer_presence'])]).toEqual(['sdk.social_layer_presence', ...presence])
  expect([...expandScopes(['sdk.social_layer'])]).toEqual(['sdk.social_layer', ...presence, ...communication, ...lobbies])
})

it('sdk.social_layer opens presence and communication', { tags: ['2.1-5', '5-5'] }, () => {
  expect(opened('sdk.social_layer', [...PRESENCE, ...COMMUNICATION])).toEqual([...PRESENCE, ...COMMUNICATION])
})

it('expands a scope to itself and the scopes that it includes, and these include no others', () => {
  const umbrellas = Object.entries<ScopeRow>(SCOPES).filter(([, { expandsTo = [] }]) => expandsTo.length > 0)
  expect(umbrellas.length).toBeGreaterThan(1)
  for (const [name, { expandsTo = [] }] of umbrellas) {
    expect([...expandScopes(['openid', name])]).toEqual(['openid', name, ...expandsTo])
    expect(expandScopes(expandsTo).size).toBe(expandsTo.length)
  }
})

it('keeps unknown names, also those of prototype properties', () => {
  expect([...expandScopes(['new.scope', 'constructor'])]).toEqual(['new.scope', 'constructor'])
})

it('requires one of anyOf, all of allOf, and nothing for NO_SCOPE', { tags: ['2.1-8'] }, () => {
  const held = new Set(['rpc', 'identify'])
  expect(satisfies(NO_SCOPE, new Set())).toBe(true)
  expect(satisfies(anyOf('rpc', 'guilds'), held)).toBe(true)
  expect(satisfies(anyOf('guilds'), held)).toBe(false)
  expect(satisfies(allOf('rpc', 'identify'), held)).toBe(true)
  expect(satisfies(allOf('rpc', 'guilds'), held)).toBe(false)
})

it.each([
  ['a row without a scope', NO_SCOPE, ['program', 'page', 'activity']],
  ['a scope of the user', anyOf('identify'), ['program', 'page', 'activity']],
  ['a signed-in connection', anyOf('rpc.authenticated'), ['program', 'page', 'activity']],
  ['a local connection', anyOf('rpc.local'), ['program']],
  ['a local connection and a scope of the user', allOf('rpc.local', 'identify'), ['program']],
  ['an activity', anyOf('rpc.embedded_app'), ['activity']],
  ['an activity or a local connection', anyOf('rpc.local', 'rpc.embedded_app'), ['program', 'activity']],
  ['a page of the platform', anyOf('rpc.private'), []],
])('%s is offered to the clients that can have it', (_, requirement, expected) => {
  expect(offeredTo(requirement)).toEqual(expected)
})
