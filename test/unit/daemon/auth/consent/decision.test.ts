import { describe, expect, test } from 'vitest'
import type { Grant } from '#daemon/src/auth/grants/grant.ts'
import { evaluateAuthorization, evaluateGrant } from '#daemon/src/auth/consent/decision.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { sampleGrant } from '../grants/sample.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000
const PROGRAM: Program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4' }
const grant = (over: Partial<Grant> = {}): Grant => sampleGrant('abc', { program: PROGRAM, grantedAt: NOW, lastUsedAt: NOW, ...over })

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

describe('evaluateAuthorization', () => {
  const of = (grants: readonly Grant[], requested = ['identify', 'email'], program = PROGRAM, now = NOW) =>
    evaluateAuthorization(grants, program, requested, now)

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

describe('a Windows program in Wine', () => {
  const loaderOf = (version: number) => ({ executable: `/proton-${version}/files/bin/wine64`, file: `1:${version}:3:4:5` })
  const WINDOWS: Program = {
    ...PROGRAM,
    kind: 'wine',
    interpreter: { executable: '/prefix/bridge.exe', file: '1:2:3:4:5' },
    loader: loaderOf(1),
  }
  const updated = { ...WINDOWS, loader: loaderOf(2) }
  const one = grant({ program: WINDOWS, scopes: ['identify'] })
  const prompt = { kind: 'prompt', reason: 'other-wine', scopes: ['identify'] }

  test('needs a prompt when another Wine runs it, which has the one before', () => {
    expect(evaluateGrant(one, updated, ['identify'], NOW)).toEqual({ ...prompt, formerLoader: loaderOf(1) })
    expect(evaluateAuthorization([one], updated, ['identify'], NOW)).toEqual({ ...prompt, formerLoader: loaderOf(1) })
    const earlier = { ...one, program: { ...WINDOWS, loader: undefined } }
    expect(evaluateGrant(earlier, WINDOWS, ['identify'], NOW)).toEqual({ ...prompt, formerLoader: undefined })
  })
  test('needs none with the same Wine', () => {
    expect(evaluateGrant(one, WINDOWS, ['identify'], NOW)).toEqual({ kind: 'allow', scopes: ['identify'] })
  })
  test('that was changed too is a changed program', () => {
    expect(evaluateGrant(one, { ...updated, file: '9:9:9:9:9' }, ['identify'], NOW)).toMatchObject({ reason: 'changed-program' })
  })
})

describe('the command line', () => {
  const MINUTE = 60_000
  const COMMAND_LINE: Program = { ...PROGRAM, session: 'tty:4304:271464' }
  const own = (over: Partial<Grant> = {}) => grant({ program: COMMAND_LINE, ...over })

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
