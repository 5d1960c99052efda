import { describe, expect, test } from 'vitest'
import type { Grant } from '#daemon/src/auth/grants/grant.ts'
import {
  grantedScopes,
  hasEnded,
  shouldTouch,
  isStale,
  evaluateGrant,
  evaluateSilentAuthorize,
  newScopes,
} from '#daemon/src/auth/consent/rules.ts'
import type { Program } from '#daemon/src/identity/program.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000
const PROGRAM: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4' }
const grant = (over: Partial<Grant> = {}): Grant => ({
  id: 'abc',
  platform: 'test',
  applicationId: '1',
  applicationName: undefined,
  userId: '2',
  username: undefined,
  program: PROGRAM,
  basis: 'allowed',
  scopes: ['identify', 'guilds'],
  grantedAt: NOW,
  lastUsedAt: NOW,
  ...over,
})

test('a grant ends thirty days after its last use, and a use is stored once a day', () => {
  expect(hasEnded(grant(), NOW + 30 * DAY - 1)).toBe(false)
  expect(hasEnded(grant(), NOW + 30 * DAY)).toBe(true)
  expect(shouldTouch(grant(), NOW + DAY - 1)).toBe(false)
  expect(shouldTouch(grant(), NOW + DAY)).toBe(true)
})

test('scopes are compared with umbrellas expanded', () => {
  expect(newScopes(['identify', 'guilds', 'email'], ['guilds'])).toEqual(['identify', 'email'])
  expect(newScopes(['identify'], ['sdk.social_layer'])).toEqual([])
  expect(newScopes(['sdk.social_layer'], ['identify'])).toEqual(['sdk.social_layer'])
  expect(grantedScopes(['guilds', 'identify', 'email'], ['identify', 'guilds'])).toEqual(['guilds', 'identify'])
})

describe('evaluateGrant', () => {
  const of = (one: Grant | undefined, ofToken = ['identify', 'guilds'], program = PROGRAM, now = NOW) =>
    evaluateGrant(one, program, ofToken, now)

  test('allows exactly what was allowed', () => {
    expect(of(grant())).toEqual({ kind: 'allow', scopes: ['identify', 'guilds'] })
    expect(of(grant({ scopes: ['identify'] }))).toEqual({ kind: 'allow', scopes: ['identify'] })
    expect(of(grant(), [])).toEqual({ kind: 'allow', scopes: [] })
  })
  test.each([
    ['nothing was allowed', undefined, PROGRAM, NOW, 'new-program'],
    ['the file changed', grant(), { ...PROGRAM, file: '9:9:9:9' }, NOW, 'changed-program'],
    ['it was not used for too long', grant(), PROGRAM, NOW + 30 * DAY, 'idle'],
    ['it used its own token', grant({ basis: 'token' }), PROGRAM, NOW, 'brought-token'],
  ])('prompts for everything when %s', (_, one, program, now, reason) => {
    expect(of(one, ['identify', 'guilds'], program, now)).toEqual({ kind: 'prompt', reason, scopes: ['identify', 'guilds'] })
  })
  test('prompts only for the new scopes', () => {
    expect(of(grant({ basis: 'token', scopes: ['identify'] }))).toEqual({ kind: 'prompt', reason: 'brought-token', scopes: ['guilds'] })
    expect(of(grant({ scopes: ['email'] }), ['guilds'])).toEqual({ kind: 'prompt', reason: 'more-scopes', scopes: ['guilds'] })
  })
})

describe('evaluateSilentAuthorize', () => {
  const of = (grants: readonly Grant[], requested = ['identify', 'email'], program = PROGRAM, now = NOW) =>
    evaluateSilentAuthorize(grants, program, requested, now)

  test('allows when one grant of exactly this program covers everything', () => {
    expect(of([grant({ scopes: ['guilds'] }), grant({ scopes: ['identify', 'email', 'guilds'] })])).toMatchObject({ kind: 'allow' })
    expect(of([grant({ scopes: ['sdk.social_layer'] })], ['identify'])).toMatchObject({ kind: 'allow' })
  })
  test.each([
    ['nothing was allowed', [], ['identify', 'email'], 'new-program'],
    ['something else was', [grant()], ['email'], 'more-scopes'],
    ['two users allowed a part each', [grant({ scopes: ['guilds'] }), grant({ scopes: ['email'] })], ['identify'], 'more-scopes'],
    ['it used its own token', [grant({ basis: 'token' })], ['email'], 'brought-token'],
    [
      'it is a changed file',
      [grant({ program: { ...PROGRAM, file: 'old' }, scopes: ['identify', 'email'] })],
      ['identify', 'email'],
      'changed-program',
    ],
    ['it was idle', [grant({ lastUsedAt: NOW - 30 * DAY, scopes: ['identify', 'email'] })], ['identify', 'email'], 'idle'],
  ])('prompts for the new scopes when %s', (_, grants, scopes, reason) => {
    expect(of(grants)).toEqual({ kind: 'prompt', reason, scopes })
  })
})

describe('the command line', () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE
  const COMMAND_LINE: Program = { ...PROGRAM, session: 'tty:4304:271464' }
  const own = (over: Partial<Grant> = {}) => grant({ program: COMMAND_LINE, ...over })

  test('is allowed for ten minutes without a use, and for twelve hours in total', () => {
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
  test.each([
    ['another terminal', undefined, COMMAND_LINE, NOW, 'new-session'],
    ['the same terminal after a pause', own(), COMMAND_LINE, NOW + 10 * MINUTE, 'session-ended'],
    ['an unknown session', own({ program: { ...PROGRAM, session: 'none' } }), { ...PROGRAM, session: 'none' }, NOW, 'unknown-program'],
  ])('needs a prompt in %s', (_, one, program, now, reason) => {
    expect(evaluateGrant(one, program, ['identify'], now)).toEqual({ kind: 'prompt', reason, scopes: ['identify'] })
  })
  test('is allowed in its session', () => {
    expect(evaluateGrant(own(), COMMAND_LINE, ['identify'], NOW + MINUTE)).toEqual({ kind: 'allow', scopes: ['identify'] })
  })
})
