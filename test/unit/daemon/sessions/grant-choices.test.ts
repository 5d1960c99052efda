import { describe, expect, test } from 'vitest'
import { chooseForGrant } from '#daemon/src/sessions/grant-choices.ts'
import { revokeGrant } from '#daemon/src/sessions/grant-revocation.ts'
import { TemporaryGrants } from '#daemon/src/sessions/temporary-grants.ts'
import { authorizationInformation, tokenOf } from '#test/support/tokens.ts'
import { ACTIVITY, DAY, EXCHANGE, SECOND, SILENT, farewellOf, peer, start } from './granted.ts'

describe('a blocked program', () => {
  const REFUSED = { evt: 'ERROR', data: { code: 4006, message: expect.stringMatching(/blocked this program.*grants revoke/) as string } }

  test('is closed, and gets nothing on its next connections, without a prompt', async () => {
    const { choose, one, two, again, consent, registry } = await start()
    expect(await choose('block')).toBe(true)
    expect(farewellOf(one)).toMatchObject({ code: 4003, message: expect.stringContaining('blocked') })
    const asked = consent.requests.length
    for (const game of [again('one'), again('one', '9:9:9:9:9')]) {
      for (const [cmd, args] of [
        ['AUTHENTICATE', {}],
        ['AUTHENTICATE', { access_token: 'own' }],
        ['AUTHORIZE', { scopes: ['identify'] }],
        ['GET_TOKEN', EXCHANGE],
        ['SET_ACTIVITY', ACTIVITY],
        ['GET_BRIDGE_STATUS', undefined],
        ['UNHEARD_OF', {}],
      ] as const)
        expect(await game.ask(cmd, args), cmd).toMatchObject(REFUSED)
      expect(await game.ask('SUBSCRIBE', {}, 'CURRENT_USER_UPDATE')).toMatchObject(REFUSED)
    }
    expect(consent.requests).toHaveLength(asked)
    expect(await two.ask('SET_ACTIVITY', ACTIVITY)).toMatchObject(SILENT)
    expect(registry.signedIn('1234567890')).toHaveLength(1)
  })

  test('loses all its grants, and the last grant of an account its tokens', async () => {
    const { choose, grants, tokenStore, tokenEndpoint, idOf, deps } = await start()
    const other = { program: { ...peer('one'), kind: 'native', uid: 1000 } as const, applicationId: '777', userId: '5' }
    grants.allow(other, ['identify'], {})
    const { id = '' } = grants.forPath(other.program, '1234567890')[0] ?? {}
    expect(await chooseForGrant(id, 'block', {}, deps)).toBe(true)
    expect(grants.ofPath(other.program).map(({ basis, scopes }) => [basis, scopes])).toEqual([['blocked', []]])
    expect([await tokenStore.list(), tokenEndpoint.revoked]).toMatchObject([[{}], []])
    expect(await choose('block', 'two')).toBe(true)
    expect([await tokenStore.list(), tokenEndpoint.revoked]).toEqual([[], ['refresh-for-the-game']])
    // What deletes the rows of the account leaves the block.
    expect([idOf('one'), idOf('two')].map((one) => grants.get(one)?.basis)).toEqual(['blocked', 'blocked'])
    expect([grants.has(other.program), grants.wasAllowed(other.program, '777')]).toEqual([false, false])
  })

  test('stays blocked after a restart and a year, and is no use of its account', async () => {
    const { choose, clock, restarted, idOf } = await start()
    await choose('block')
    const id = idOf('one')
    clock.advance(365 * DAY)
    const grants = restarted()
    const row = grants.get(id)
    expect(row).toBeDefined()
    if (row === undefined) return
    expect(grants.live().map((grant) => grant.id)).toContain(id)
    expect(grants.sweep().map((grant) => grant.id)).not.toContain(id)
    expect([grants.isBlocked(row.program), grants.isInUse(row), grants.ofAccount(row)]).toEqual([true, false, []])
    expect(() => grants.allow(row, ['identify'], {})).toThrow(/blocked this program/)
    expect(() => grants.recordOwnToken(row, ['identify'], {})).toThrow(/blocked this program/)
  })

  test('is served again, also on its open connection, when the user revokes the row; it begins anew', async () => {
    const { choose, again, idOf, deps, consent, grants } = await start()
    await choose('block')
    const game = again('one')
    expect(await revokeGrant(idOf('one'), deps)).toBe(true)
    expect(await game.ask('SET_ACTIVITY', ACTIVITY)).toMatchObject(SILENT)
    const asked = consent.requests.length
    await game.ask('AUTHENTICATE', {})
    expect(consent.requests).toHaveLength(asked + 1)
    expect(grants.live()).toHaveLength(1)
  })

  test('is not unblocked by a sign-in that began before', async () => {
    const { choose, again, platform, grants, idOf, registry } = await start()
    const held = Promise.withResolvers<void>()
    platform.replies.set('GET_CURRENT_AUTHORIZATION_INFORMATION', async () => {
      await held.promise
      return authorizationInformation({ applicationId: '1234567890', userId: '80351110224678912', scopes: ['identify'] })
    })
    again('one').begin('AUTHENTICATE', { access_token: tokenOf(['identify']) })
    await choose('block')
    held.resolve()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(grants.get(idOf('one'))?.basis).toBe('blocked')
    expect(registry.signedIn('1234567890').map(({ program }) => program.executable)).toEqual(['/games/two'])
  })

  test('is not the command line, which lifts blocks', async () => {
    const { grants, deps } = await start()
    const program = { kind: 'native', uid: 1000, executable: '/opt/sallyport', file: '1', session: 'tty:1:1' } as const
    const row = grants.allow({ program, applicationId: '7', userId: '5' }, ['identify'], {})
    await expect(chooseForGrant(row?.id ?? '', 'block', {}, deps)).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    expect(grants.isBlocked(program)).toBe(false)
  })
})

describe('a narrowed grant', () => {
  const REFUSED = {
    evt: 'ERROR',
    data: { code: 4006, message: expect.stringContaining('needs the scope guilds, which the user does not allow this program') as string },
  }

  test('takes the scope from connected games at once, and from later sign-ins without a prompt', async () => {
    const { choose, one, two, again, consent, restarted, idOf } = await start()
    expect(await one.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(SILENT)
    expect(await choose('narrow', 'one', ['guilds'])).toBe(true)
    expect(await one.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(REFUSED)
    expect(await two.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(SILENT)
    const next = again('one')
    const asked = consent.requests.length
    expect((await next.ask('AUTHENTICATE', {})).data).toMatchObject({ scopes: ['identify'] })
    expect(await next.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(REFUSED)
    expect(consent.requests).toHaveLength(asked)
    expect(restarted().get(idOf('one'))).toMatchObject({ scopes: ['identify', 'guilds'], deniedScopes: ['guilds'] })
    expect(await choose('narrow', 'one')).toBe(true)
    for (const game of [one, next]) expect(await game.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(SILENT)
  })

  test('holds for a token that the game brings, and after the next grant of the program', async () => {
    const { choose, again, consent, grants, idOf } = await start()
    await choose('narrow', 'one', ['guilds'])
    const game = again('one', '9:9:9:9:9')
    consent.decide = async () => {}
    expect((await game.ask('AUTHENTICATE', {})).data).toMatchObject({ scopes: ['identify'] })
    expect(consent.requests.at(-1)).toMatchObject({ reason: 'changed-program', scopes: ['identify'] })
    expect(grants.get(idOf('one'))).toMatchObject({ deniedScopes: ['guilds'] })
  })

  test('that loses a part of an umbrella scope loses the umbrella too, and keeps its other parts', async () => {
    const { choose, again, grants, idOf, registry } = await start()
    const game = again('one')
    await game.ask('AUTHENTICATE', { access_token: tokenOf(['sdk.social_layer']) })
    const row = grants.get(idOf('one'))
    grants.allow(
      { program: { ...peer('one'), kind: 'native' }, applicationId: '1234567890', userId: row?.userId ?? '' },
      ['sdk.social_layer'],
      {},
    )
    await choose('narrow', 'one', ['activities.invites.write'])
    const session = registry.all().findLast(({ program }) => program.executable === '/games/one')
    expect([
      session?.scopes.has('sdk.social_layer'),
      session?.scopes.has('activities.invites.write'),
      session?.scopes.has('identify'),
    ]).toEqual([false, false, true])
    expect([...(session?.deniedScopes ?? [])].toSorted()).toEqual(['activities.invites.write', 'sdk.social_layer'])
  })

  test('takes no scope that the grant does not have', async () => {
    const { choose, grants, idOf } = await start()
    await expect(choose('narrow', 'one', ['email', 'guilds'])).rejects.toMatchObject({
      error: 'INVALID_PAYLOAD',
      message: 'The grant does not have email. It has identify, guilds.',
    })
    expect(grants.get(idOf('one'))?.deniedScopes).toEqual([])
  })
})

describe('hidden activities', () => {
  test('are kept and not shown, and the answer says so, until the user shows them', async () => {
    const { choose, one, two, presenceStore, clock } = await start()
    await one.ask('SET_ACTIVITY', ACTIVITY)
    expect(presenceStore.all()).toHaveLength(1)
    expect(await choose('hide')).toBe(true)
    expect(presenceStore.all()).toEqual([])
    const answer = await one.ask('SET_ACTIVITY', { ...ACTIVITY, activity: { details: 'In port' } })
    expect(answer).toMatchObject({ evt: null, data: { details: 'In port', hidden: true } })
    expect(presenceStore.all()).toEqual([])
    clock.advance(30 * SECOND)
    expect((await two.ask('SET_ACTIVITY', ACTIVITY)).data).not.toHaveProperty('hidden')
    expect(presenceStore.all()).toHaveLength(1)
    await two.ask('SET_ACTIVITY', { pid: 1 })
    clock.advance(30 * SECOND)
    expect(presenceStore.all()).toEqual([])
    await choose('show')
    expect(presenceStore.all().map(({ stored }) => stored.activity.details)).toEqual(['In port'])
  })

  test('stay hidden on later connections and after a restart, also before a sign-in', async () => {
    const { choose, one, again, presenceStore, restarted, idOf, grants } = await start()
    await choose('hide')
    one.receiver.onClose()
    const next = again('one')
    expect((await next.ask('SET_ACTIVITY', ACTIVITY)).data).toMatchObject({ hidden: true })
    expect(presenceStore.all()).toEqual([])
    const { program } = grants.get(idOf('one')) ?? {}
    expect(program && ['1234567890', '777'].map((id) => restarted().presenceOf(program, id))).toEqual(['hidden', 'shown'])
  })
})

describe('what holds until the program has left', () => {
  test('a grant for the session ends a minute after the last connection closed, with the tokens that it alone used', async () => {
    const { choose, one, two, again, clock, grants, tokenStore, idOf } = await start()
    expect(await choose('for-session')).toBe(true)
    const [id, second] = [idOf('one'), again('one')]
    one.receiver.onClose()
    clock.advance(600 * SECOND)
    second.receiver.onClose()
    clock.advance(59 * SECOND)
    const back = again('one')
    clock.advance(600 * SECOND)
    expect(await back.ask('AUTHENTICATE', {})).toMatchObject(SILENT)
    back.receiver.onClose()
    clock.advance(59 * SECOND)
    expect(grants.get(id)).toBeDefined()
    clock.advance(SECOND)
    expect(grants.get(id)).toBeUndefined()
    expect(await tokenStore.list()).toHaveLength(1)
    expect(await two.ask('GET_CURRENT_USER_GUILDS')).toMatchObject(SILENT)
    await choose('for-session', 'two')
    two.receiver.onClose()
    clock.advance(60 * SECOND)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await tokenStore.list()).toEqual([])
  })

  test('a grant that the user keeps again does not end, nor does one of another program', async () => {
    const { choose, one, two, clock, grants, idOf } = await start()
    await choose('for-session')
    one.receiver.onClose()
    await choose('keep')
    two.receiver.onClose()
    clock.advance(600 * SECOND)
    expect([grants.get(idOf('one'))?.lasts, grants.get(idOf('two'))?.lasts]).toEqual(['kept', 'kept'])
  })

  test('a program that never comes back after a restart has a minute', async () => {
    const { choose, restarted, log, lifecycle, clock, idOf } = await start()
    await choose('for-session')
    const [grants, ended] = [restarted(), [] as string[]]
    const make = () =>
      new TemporaryGrants({
        clock,
        log,
        lifecycle,
        grants,
        registry: { all: () => [] },
        endGrant: async (grant) => void ended.push(grant.id),
      })
    make().stop()
    make()
    clock.advance(59 * SECOND)
    expect(ended).toEqual([])
    clock.advance(SECOND)
    expect(ended).toEqual([idOf('one')])
  })

  test('activities that are hidden for now are shown again at the next session', async () => {
    const { choose, one, again, clock, presenceStore } = await start()
    await choose('hide-now')
    expect((await one.ask('SET_ACTIVITY', ACTIVITY)).data).toMatchObject({ hidden: true })
    one.receiver.onClose()
    clock.advance(60 * SECOND)
    expect((await again('one').ask('SET_ACTIVITY', ACTIVITY)).data).not.toHaveProperty('hidden')
    expect(presenceStore.all()).toHaveLength(1)
  })
})

test('nothing is chosen for a grant that does not exist', async () => {
  const { deps } = await start()
  for (const choice of ['block', 'narrow', 'hide', 'show', 'for-session'] as const)
    expect(await chooseForGrant('none', choice, {}, deps)).toBe(false)
})
