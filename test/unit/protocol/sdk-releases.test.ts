/** What each version of the SDK lacks. */
import { SDK_RELEASES, sdkLacks, sdkSupport } from '@sallyport/protocol'
import { expect, it } from 'vitest'

const AUTHORIZE_FIX = 'AUTHORIZE_REQUEST is subscribed again after the client was away.'
const LOG_FIX = 'Bearer tokens stay out of logs; release builds log errors and warnings only.'
const lacks = (version: string, change: string) => sdkLacks(version)?.includes(change)

it('the newest lacks nothing, the first almost everything', () => {
  expect(sdkLacks('1.10.18687')).toEqual([])
  expect(sdkLacks('1.10.18686')).toEqual(['Signing in on iOS leaves the delegate of the host app alone.'])
  expect(sdkLacks('1.0.1')).toEqual(SDK_RELEASES.flatMap(({ changes }) => [...changes]))
})

it.each([
  ['1.9.17227', true],
  ['1.9.17228', false],
  ['1.10.18247', false],
  ['1.8.99999', true],
])('%s lacks the fix of AUTHORIZE_REQUEST: %s', (version, expected) => {
  expect(lacks(version, AUTHORIZE_FIX)).toBe(expected)
})

it.each([
  ['1.6.14447', true],
  ['1.6.14448', false],
  ['1.7.14432', true],
  ['1.7.14433', false],
  ['1.8.14436', true],
  ['1.8.14437', false],
  ['1.9.1', false],
  ['1.5.99999', true],
])('%s lacks what went to three minors at once: %s', (version, expected) => {
  expect(lacks(version, LOG_FIX)).toBe(expected)
})

it.each([
  ['Signing in on iOS leaves the delegate', '1.10.18686', '1.10.18687'],
  ['C# passes booleans', '1.10.18368', '1.10.18369'],
  ['C# passes booleans', '1.9.18336', '1.9.18337'],
  ['C# passes booleans', '1.8.18334', '1.8.18335'],
  ['Lobby events no longer end the process', '1.9.18336', '1.9.18337'],
  ['AdditionalName', '1.10.18246', '1.10.18247'],
  ['Consoles read presence', '1.10.18246', '1.10.18247'],
  ['Android shows presence', '1.10.18246', '1.10.18247'],
  ['WebRTC', '1.10.18246', '1.10.18247'],
  ['Accepting an activity invite', '1.9.15331', '1.9.15332'],
  ['ModerationMetadata', '1.8.13394', '1.8.13395'],
  ['GetGuildChannels', '1.6.99999', '1.7.1'],
  ['Apple identities', '1.6.99999', '1.7.1'],
  ['bound to some of the processors', '1.6.99999', '1.7.1'],
  ['GetUserMessagesWithLimit', '1.5.99999', '1.6.1'],
  ['GetUserApplicationProfiles', '1.5.99999', '1.6.1'],
  ['Authorizations can begin in the client', '1.5.99999', '1.6.1'],
  ['notification', '1.5.99999', '1.6.1'],
  ['History of direct messages', '1.4.99999', '1.5.1'],
  ['Listening, watching and competing', '1.4.99999', '1.5.1'],
  ['GetCurrentUserV2', '1.4.99999', '1.5.1'],
  ['Windows on ARM', '1.4.99999', '1.5.1'],
  ['ExchangeChildToken, RevokeToken', '1.3.99999', '1.4.1'],
  ['SetAecDump', '1.3.99999', '1.4.1'],
  ['SetHttpRequestTimeout', '1.2.99999', '1.3.1'],
  ['APPLICATION_DEAUTHORIZED', '1.2.99999', '1.3.1'],
  ['SetEngineManagedAudioSession', '1.2.99999', '1.3.1'],
  ['Presence on desktops', '1.0.99999', '1.1.1'],
  ['GetPTTReleaseDelay', '1.0.99999', '1.1.1'],
])('%s: %s is without it, %s has it', (change, without, having) => {
  const tells = (version: string) => sdkLacks(version)?.some((text) => text.includes(change))
  expect([tells(without), tells(having)]).toEqual([true, false])
})

it('text that is no version lacks nothing that is known', () => {
  expect(['dockside/1.0', '1', '', '1.2.3-beta'].map(sdkLacks)).toEqual([undefined, undefined, undefined, undefined])
})

it('every release is a version, the newest first, each with a change', () => {
  for (const { versions, changes } of SDK_RELEASES) {
    expect(changes.length).toBeGreaterThan(0)
    for (const version of versions) expect(sdkSupport(version, Date.UTC(2026, 6, 1)), version).not.toBe('unknown')
  }
  const minors = SDK_RELEASES.map(({ versions: [first = ''] }) => Number(first.split('.')[1]))
  expect(minors).toEqual(minors.toSorted((a, b) => b - a))
})
