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
