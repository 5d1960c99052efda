import { describe, expect, test } from 'vitest'
import { chooseForGrant } from '#daemon/src/sessions/grant-choices.ts'
import { revokeGrant, signOutAccount } from '#daemon/src/sessions/grant-revocation.ts'
import { Game } from '#test/support/bridge.ts'
import { ACTIVITY, DAY, OURS, SECOND, farewellOf, peer, start } from './granted.ts'

describe('a program without a grant', () => {
  const idle = (executable: string) => ({ ...peer('one'), executable }) as const

  test('is hidden by its connection, after a restart too, and shown again', async () => {
    const made = await start()
    const { grants, deps, presenceStore, restarted } = made
    const game = Game.connected(made, OURS, idle('/games/free'))
    const id = String(made.registry.all().at(-1)?.connection.id)
    await game.ask('SET_ACTIVITY', ACTIVITY)
    expect(presenceStore.all()).toHaveLength(1)
    expect(await chooseForGrant(id, 'hide', {}, deps)).toBe(true)
    expect(presenceStore.all()).toEqual([])
    const row = grants.live().find(({ basis }) => basis === 'none')
    expect(row).toMatchObject({ presence: 'hidden', scopes: [], userId: '' })
    if (row === undefined) return
    expect(restarted().presenceOf(row.program, row.applicationId)).toBe('hidden')
    // It gives nothing.
    expect([
      grants.has(row.program),
      grants.allowed(row.program, row.applicationId),
      grants.wasAllowed(row.program, row.applicationId),
    ]).toEqual([false, [], false])
    for (const choice of ['narrow', 'for-session', 'keep'] as const) expect(await chooseForGrant(row.id, choice, {}, deps)).toBe(false)
    expect(await chooseForGrant(row.id, 'show', {}, deps)).toBe(true)
    expect([presenceStore.all().length, grants.get(row.id)]).toEqual([1, undefined])
  })

  test('is hidden for now until it has left', async () => {
    const made = await start()
    const { clock, grants, deps } = made
    const game = Game.connected(made, OURS, idle('/games/free'))
    const id = String(made.registry.all().at(-1)?.connection.id)
    await chooseForGrant(id, 'hide-now', {}, deps)
    expect(grants.live().filter(({ basis }) => basis === 'none')).toHaveLength(1)
    game.receiver.onClose()
    clock.advance(60 * SECOND)
    expect(grants.live().filter(({ basis }) => basis === 'none')).toEqual([])
  })

  test('is blocked by its connection', async () => {
    const made = await start()
    const game = Game.connected(made, OURS, idle('/games/free'))
    const id = String(made.registry.all().at(-1)?.connection.id)
    expect(await chooseForGrant(id, 'block', {}, made.deps)).toBe(true)
    expect(farewellOf(game)).toMatchObject({ code: 4003 })
    expect(await Game.connected(made, OURS, idle('/games/free')).ask('SET_ACTIVITY', ACTIVITY)).toMatchObject({ evt: 'ERROR' })
  })

  test.each(['99', 'x', '', '1e0'])('%j is no connection', async (id) => {
    expect(await chooseForGrant(id, 'hide', {}, (await start()).deps)).toBe(false)
  })

  test('that cannot be recognised has no choice', async () => {
    const made = await start()
    Game.connected(made, OURS, { trust: 'directory', uid: 1000, pid: 1 })
    expect(await chooseForGrant(String(made.registry.all().at(-1)?.connection.id), 'hide', {}, made.deps)).toBe(false)
  })
})

describe('what the user hid stays hidden', () => {
  test('when the grant is revoked, the user signs out, or the grant ends without use; a new grant is hidden too', async () => {
    for (const end of ['revoke', 'sign out', 'unused'] as const) {
      const { choose, idOf, grants, deps, clock } = await start()
      await choose('hide')
      const { program, applicationId, userId } = grants.get(idOf('one')) ?? {}
      if (program === undefined || applicationId === undefined || userId === undefined) throw new Error('there is no grant')
      if (end === 'revoke') await revokeGrant(idOf('one'), deps)
      else if (end === 'sign out') expect(await signOutAccount({ applicationId, userId }, deps)).toBe(true)
      else {
        clock.advance(31 * DAY)
        grants.sweep()
      }
      expect([end, grants.ofPath(program).map(({ basis, presence }) => [basis, presence])]).toEqual([end, [['none', 'hidden']]])
      grants.allow({ program, applicationId, userId }, ['identify'], {})
      expect(grants.ofPath(program).map(({ basis, presence }) => [basis, presence])).toEqual([['allowed', 'hidden']])
    }
  })
})

describe('where games are shown', () => {
  const choose = (made: Awaited<ReturnType<typeof start>>, id: string, places?: readonly string[]) =>
    chooseForGrant(id, 'choose-places', { places }, made.deps)
  const programOf = ({ grants, idOf }: Awaited<ReturnType<typeof start>>) => {
    const grant = grants.get(idOf('one'))
    if (grant === undefined) throw new Error('there is no grant')
    return grant
  }

  test('is chosen for one game, before every game, and both outlive the daemon', async () => {
    const made = await start()
    const { program, applicationId } = programOf(made)
    const placesOf = (grants = made.grants) => grants.placesOf(program, applicationId)
    expect(placesOf()).toBeUndefined()
    expect(await choose(made, 'all', ['7', 'account'])).toBe(true)
    expect(placesOf()).toEqual(['7', 'account'])
    expect(await choose(made, made.idOf('one'), ['8-canary'])).toBe(true)
    expect([placesOf(), made.grants.ownPlacesOf(program, applicationId)]).toEqual([['8-canary'], ['8-canary']])
    // Another game of the same program has no choice of its own.
    expect([made.grants.placesOf(program, '777'), made.grants.ownPlacesOf(program, '777')]).toEqual([['7', 'account'], undefined])
    const again = made.restarted()
    expect([placesOf(again), again.placesOfAll, again.live().length]).toEqual([['8-canary'], ['7', 'account'], 2])
    expect(again.chosenPlaces()).toEqual(['7', 'account', '8-canary'])
    await choose(made, made.idOf('one'))
    expect(placesOf()).toEqual(['7', 'account'])
    await choose(made, 'all')
    expect([placesOf(), placesOf(made.restarted()), made.moved.length]).toEqual([undefined, undefined, 4])
  })

  test('stays when the grant ends, and holds for the next one', async () => {
    const made = await start()
    const { program, applicationId, userId } = programOf(made)
    await choose(made, made.idOf('one'), ['7'])
    await revokeGrant(made.idOf('one'), made.deps)
    expect(made.grants.ofPath(program)).toMatchObject([{ basis: 'none', presence: 'shown', places: ['7'] }])
    made.grants.allow({ program, applicationId, userId }, ['identify'], {})
    expect(made.grants.ofPath(program)).toMatchObject([{ basis: 'allowed', places: ['7'] }])
    expect(await choose(made, made.idOf('one'))).toBe(true)
    expect(made.grants.placesOf(program, applicationId)).toBeUndefined()
  })

  test('for a game without a grant has a row, which goes with the choice', async () => {
    const made = await start()
    const game = Game.connected(made, OURS, peer('three'))
    const session = made.registry.all().at(-1)
    expect(await choose(made, String(session?.connection.id), ['7'])).toBe(true)
    const row = made.grants.live().find(({ basis }) => basis === 'none')
    expect(row).toMatchObject({ places: ['7'], userId: '' })
    expect(await choose(made, row?.id ?? '')).toBe(true)
    expect(made.grants.live().some(({ basis }) => basis === 'none')).toBe(false)
    game.receiver.onClose()
  })

  test('must be a place that the bridge knows', async () => {
    const made = await start()
    await expect(choose(made, 'all', ['7', 'eve'])).rejects.toMatchObject({
      error: 'INVALID_PAYLOAD',
      message: expect.stringContaining('no place eve') as string,
    })
    expect(made.grants.placesOfAll).toBeUndefined()
  })
})

describe('signing out', () => {
  test('ends the account in every program, and revokes its tokens', async () => {
    const { one, two, grants, tokenStore, tokenEndpoint, idOf, deps } = await start()
    const { applicationId = '', userId = '' } = grants.get(idOf('one')) ?? {}
    expect(await signOutAccount({ applicationId, userId }, deps)).toBe(true)
    expect([await tokenStore.list(), tokenEndpoint.revoked, grants.live()]).toEqual([[], ['refresh-for-the-game'], []])
    for (const game of [one, two]) {
      expect(game.channel.take().toString()).toContain('TOKEN_REVOKED')
      expect(await game.ask('GET_CURRENT_USER_GUILDS', {})).toMatchObject({ evt: 'ERROR' })
    }
    expect(await signOutAccount({ applicationId, userId }, deps)).toBe(false)
  })
})
