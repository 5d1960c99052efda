/** Changes that SDK versions lack. */
import { consoleMinimums, SDK_RELEASES, missingInSdk, sdkSupport } from '@sallyport/protocol'
import { expect, it } from 'vitest'

const AUTHORIZE_FIX = 'AUTHORIZE_REQUEST is subscribed again after the client reconnects.'
const LOG_FIX = 'Bearer tokens stay out of logs; release builds log errors and warnings only.'
const lacks = (version: string, change: string) => missingInSdk(version)?.includes(change)

it('the newest version lacks nothing, the first almost all changes', () => {
  expect(missingInSdk('1.10.19337')).toEqual([])
  expect(missingInSdk('1.10.19336')).toEqual([expect.stringContaining('GetVoiceSettings')])
  expect(missingInSdk('1.10.18686')?.slice(1)).toEqual(['Signing in on iOS no longer replaces the delegate of the host app.'])
  expect(missingInSdk('1.0.1')).toEqual(SDK_RELEASES.flatMap(({ changes }) => [...changes]))
})

it.each([
  ['1.9.17227', true],
  ['1.9.17228', false],
  ['1.10.18247', false],
  ['1.8.99999', true],
])('%s lacks the fix of AUTHORIZE_REQUEST: %s', { tags: ['9.1-13'] }, (version, expected) => {
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
])('%s lacks the fix released for three minors: %s', { tags: ['9.1-15'] }, (version, expected) => {
  expect(lacks(version, LOG_FIX)).toBe(expected)
})

it.each([
  ['VoiceSettings', '1.10.19336', '1.10.19337'],
  ['privacy of a party', '1.8.14855', '1.8.14856'],
  ['Steam Deck', '1.7.13356', '1.7.13357'],
  ['Steam Deck', '1.6.13304', '1.6.13305'],
  ['Signing in on iOS no longer replaces the delegate', '1.10.18686', '1.10.18687'],
  ['C# passes booleans', '1.10.18368', '1.10.18369'],
  ['C# passes booleans', '1.9.18336', '1.9.18337'],
  ['C# passes booleans', '1.8.18334', '1.8.18335'],
  ['Lobby events no longer crash the process', '1.9.18336', '1.9.18337'],
  ['Lobby events no longer crash the process', '1.8.18334', '1.8.18335'],
  ['Consoles need newer system SDKs', '1.10.18246', '1.10.18247'],
  ['AdditionalName', '1.10.18246', '1.10.18247'],
  ['Consoles read presence', '1.10.18246', '1.10.18247'],
  ['Android shows presence', '1.10.18246', '1.10.18247'],
  ['WebRTC', '1.10.18246', '1.10.18247'],
  ['Accepting an activity invite', '1.9.15331', '1.9.15332'],
  ['ModerationMetadata', '1.8.13394', '1.8.13395'],
  ['GetGuildChannels', '1.6.99999', '1.7.1'],
  ['Apple identities', '1.6.99999', '1.7.1'],
  ['CPU affinity', '1.6.99999', '1.7.1'],
  ['GetUserMessagesWithLimit', '1.5.99999', '1.6.1'],
  ['GetUserApplicationProfiles', '1.5.99999', '1.6.1'],
  ['Authorizations can start in the client', '1.5.99999', '1.6.1'],
  ['Notifications', '1.5.99999', '1.6.1'],
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
])(
  '%s: missing in %s, included in %s',
  {
    tags: [
      '9.1-12',
      '9.1-14',
      '9.1-18',
      '9.1-19',
      '9.1-20',
      '9.1-23',
      '9.1-24',
      '9.1-22',
      '9.1-25',
      '9.1-26',
      '9.1-27',
      '9.1-28',
      '9.1-31',
      '9.1-32',
      '9.1-33',
      '9.1-34',
      '9.1-37',
      '9.1-38',
      '9.1-42',
    ],
  },
  (change, without, having) => {
    const lacksChange = (version: string) => missingInSdk(version)?.some((text) => text.includes(change))
    expect([lacksChange(without), lacksChange(having)]).toEqual([true, false])
  },
)

it('gives the fix of lobby events to 1.9 and 1.8 only: no build of 1.10 lacks it', () => {
  expect(missingInSdk('1.10.18247')?.slice(1)).toEqual([
    'Signing in on iOS no longer replaces the delegate of the host app.',
    'C# passes booleans as one byte.',
  ])
})

it('names the least system SDKs of consoles from 1.10.18247 on', { tags: ['9.1-9'] }, () => {
  const named = [
    { console: 'A', systemSdk: '241000', since: '1.10.18247' },
    { console: 'B', systemSdk: '10.000', since: '1.10.18247' },
  ]
  expect([consoleMinimums(undefined), consoleMinimums('1.10.18247'), consoleMinimums('1.10.18687')]).toEqual([named, named, named])
  expect([consoleMinimums('1.10.18246'), consoleMinimums('1.9.18337')]).toEqual([[], []])
  expect(consoleMinimums('dockside/1.0')).toBeUndefined()
})

it('returns undefined for text that is not a version', () => {
  expect(['dockside/1.0', '1', '', '1.2.3-beta'].map(missingInSdk)).toEqual([undefined, undefined, undefined, undefined])
})

it('lists valid versions with changes, newest first', () => {
  for (const { versions, changes } of SDK_RELEASES) {
    for (const change of changes) expect(change, versions.join()).toMatch(/\.$/)
    for (const version of versions) expect(sdkSupport(version, Date.UTC(2026, 6, 1)), version).not.toBe('unknown')
  }
  const minors = SDK_RELEASES.map(({ versions: [first = ''] }) => Number(first.split('.')[1]))
  expect(minors).toEqual(minors.toSorted((a, b) => b - a))
})
