import { expandScopes } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import type { Grant } from '#daemon/src/auth/grants/grant.ts'
import { grantedScopes, hasEnded, isStale, newScopes, shouldTouch, withoutDenied } from '#daemon/src/auth/grants/terms.ts'
import { sampleGrant } from './sample.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = 1_800_000_000_000
const grant = (over: Partial<Grant> = {}): Grant => sampleGrant('abc', { grantedAt: NOW, lastUsedAt: NOW, ...over })

test('a grant ends thirty days after its last use, and a use is stored once a day', () => {
  expect(hasEnded(grant(), NOW + 30 * DAY - 1)).toBe(false)
  expect(hasEnded(grant(), NOW + 30 * DAY)).toBe(true)
  expect(shouldTouch(grant(), NOW + DAY - 1)).toBe(false)
  expect(shouldTouch(grant(), NOW + DAY)).toBe(true)
})

describe('a grant of the command line', () => {
  const { program } = sampleGrant('abc')
  const own = (over: Partial<Grant> = {}) => grant({ program: { ...program, session: 'tty:4304:271464' }, ...over })

  test('ends after ten minutes without a use, and after twelve hours in total', () => {
    expect(hasEnded(own(), NOW + 10 * MINUTE - 1)).toBe(false)
    expect(hasEnded(own(), NOW + 10 * MINUTE)).toBe(true)
    const used = (now: number) => own({ lastUsedAt: now - 1 })
    expect(hasEnded(used(NOW + 12 * HOUR - 1), NOW + 12 * HOUR - 1)).toBe(false)
    expect(hasEnded(used(NOW + 12 * HOUR), NOW + 12 * HOUR)).toBe(true)
    expect(shouldTouch(own(), NOW + 999)).toBe(false)
    expect(shouldTouch(own(), NOW + 1000)).toBe(true)
  })
  test('is stale no sooner than any other program', () => {
    expect(isStale(own(), NOW + 30 * DAY - 1)).toBe(false)
    expect(isStale(own(), NOW + 30 * DAY)).toBe(true)
  })
})
test('scopes are compared with umbrellas expanded', () => {
  expect(newScopes(['identify', 'guilds', 'email'], ['guilds'])).toEqual(['identify', 'email'])
  expect(newScopes(['identify'], ['sdk.social_layer'])).toEqual([])
  expect(newScopes(['sdk.social_layer'], ['identify'])).toEqual(['sdk.social_layer'])
  expect(grantedScopes(['guilds', 'identify', 'email'], ['identify', 'guilds'])).toEqual(['guilds', 'identify'])
})

test('a grant of a program that is no longer recognised has ended, and is swept', () => {
  const { program } = sampleGrant('one')
  const of = (container: 'other' | 'flatpak') => sampleGrant('one', { program: { ...program, kind: 'container', container } })
  const at = of('other').lastUsedAt
  expect([hasEnded(of('other'), at), isStale(of('other'), at)]).toEqual([true, true])
  expect([hasEnded(of('flatpak'), at), isStale(of('flatpak'), at)]).toEqual([false, false])
})

test('what the user took from a program is removed with all that it covers; the rest of an umbrella is named', () => {
  const parts = [...expandScopes(['sdk.social_layer'])].filter((scope) => scope !== 'sdk.social_layer')
  expect(withoutDenied(['guilds', 'identify'], [])).toEqual(['guilds', 'identify'])
  expect(withoutDenied(['guilds', 'identify'], ['guilds', 'email'])).toEqual(['identify'])
  expect(withoutDenied(['email', 'sdk.social_layer', 'guilds'], ['sdk.social_layer'])).toEqual(['email'])
  expect(parts).toContain('identify')
  expect(withoutDenied(['sdk.social_layer', 'email'], ['identify'])).toEqual([...parts.filter((scope) => scope !== 'identify'), 'email'])
})
