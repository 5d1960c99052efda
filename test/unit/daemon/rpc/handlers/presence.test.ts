import { expect, test } from 'vitest'
import { Game, KNOWN_PROGRAM, testBridge } from '#test/support/bridge.ts'
import { tokenOf } from '#test/support/tokens.ts'

const set = (game: Game, activity: unknown) => game.call('SET_ACTIVITY', { pid: 4242, activity })

test('an activity is returned as stored and shown with its session and pid', { tags: ['4.3-13', '9.1-42'] }, () => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  expect(set(game, { details: 'In the docks', timestamps: { start: 1_763_726_400 } })).toMatchObject({
    evt: null,
    data: { details: 'In the docks', type: 0, timestamps: { start: 1_763_726_400_000 } },
  })
  expect(bridge.presenceStore.all()).toMatchObject([
    { applicationId: '1234567890', sessionId: 1, claimedPid: 4242, since: bridge.clock.now() },
  ])
})

test.each([[null], [{}], [undefined], [{ assets: {}, details: '', party: {} }]])('%j clears and returns null', (activity) => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  set(game, { details: 'In the docks' })
  expect(set(game, activity)).toMatchObject({ evt: null, data: null })
  expect(bridge.presenceStore.all()).toEqual([])
})

test('before a sign-in it has the name that an earlier sign-in of the application brought', async () => {
  const bridge = testBridge()
  expect(set(Game.connected(bridge), { details: 'In the docks' })).toMatchObject({ data: { name: '1234567890' } })
  await Game.connected(bridge, {}, KNOWN_PROGRAM).ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  expect(set(Game.connected(bridge), { details: 'In the docks' })).toMatchObject({ data: { name: 'Test game' } })
  expect(set(Game.connected(bridge), { details: 'In the docks', name: 'Mine' })).toMatchObject({ data: { name: 'Mine' } })
  expect(set(Game.connected(bridge, { client_id: '42' }), { details: 'In the docks' })).toMatchObject({ data: { name: '42' } })
  // Who shows it looks the name up.
  expect(bridge.presenceStore.all().map(({ stored }) => stored.activity.name)).toContain('')
  bridge.publicNames.set('42', 'Public game')
  expect(set(Game.connected(bridge, { client_id: '42' }), { details: 'In the docks' })).toMatchObject({ data: { name: 'Public game' } })
})

test('join secrets go to the sinks and never into the response or the log', () => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  const answer = set(game, { state: 'Waiting', party: { id: 'party-1', size: [1, 4] }, secrets: { join: 'secret-to-join' } })
  expect(JSON.stringify(answer)).not.toContain('secret-to-join')
  expect(bridge.presenceStore.all()[0]?.stored.secrets).toEqual({ join: 'secret-to-join' })
  expect(bridge.log.text).not.toContain('secret-to-join')
})

test('a broken rule between fields returns its code and path, and keeps the presence', () => {
  const bridge = testBridge()
  const game = Game.connected(bridge)
  set(game, { details: 'before' })
  const both = { secrets: { join: 'a-secret' }, buttons: [{ label: 'Go', url: 'https://example.test' }] }
  expect(set(game, both)).toMatchObject({ evt: 'ERROR', data: { code: 5005, path: 'activity.secrets' } })
  expect(bridge.presenceStore.all()[0]?.stored.activity.details).toBe('before')
})

test.each([[{}], [{ activity: null }], [{ pid: null, activity: { state: 'ok' } }]])('a program must name its process: %j', (args) => {
  const bridge = testBridge()
  expect(Game.connected(bridge).call('SET_ACTIVITY', args)).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'pid' } })
  expect(bridge.presenceStore.all()).toEqual([])
})

test('two users of one game are shown side by side, and an unidentified session replaces neither', async () => {
  const bridge = testBridge()
  const [ann, bob] = ['80351110224678912', '197038439483310086']
  const play = async (pid: number, userId?: string): Promise<Game> => {
    const game = Game.connected(bridge, { streams: true }, { trust: 'kernel', pid })
    if (userId !== undefined) await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify'], { userId }) })
    set(game, { details: `by process ${pid}` })
    return game
  }
  const game = await play(7, ann)
  await play(8, bob)
  await play(9)
  const shown = () => bridge.presenceStore.all().map(({ userId, claimedPid, stored }) => [userId, stored.activity.details, claimedPid])
  expect(shown()).toEqual([
    [ann, 'by process 7', 4242],
    [bob, 'by process 8', 4242],
    [undefined, 'by process 9', 4242],
  ])
  game.receiver.onClose()
  expect(shown().map(([userId]) => userId)).toEqual([bob, undefined])
})

test('the presence of a connection without sign-in belongs to the user of its process, while that user is signed in', async () => {
  const bridge = testBridge()
  const peer = { trust: 'kernel', pid: 7 } as const
  set(Game.connected(bridge, { streams: true }, peer), { details: 'In the docks' })
  const whose = () => bridge.presenceStore.all().map(({ userId }) => userId)
  expect(whose()).toEqual([undefined])
  const other = Game.connected(bridge, { streams: true }, peer)
  await other.ask('AUTHENTICATE', { access_token: tokenOf(['identify']) })
  expect(whose()).toEqual(['80351110224678912'])
  other.receiver.onClose()
  expect(whose()).toEqual([undefined])
})

test('the answer names what was dropped, but no absent value', () => {
  const game = Game.connected(testBridge(), { contract: '1.0' })
  const sent = {
    state: 'At sea',
    mood: 'merry',
    extra: null,
    other: '',
    party: { id: 'crew', rank: 3 },
    buttons: [{ label: 'a', url: 'https://a.test', x: 1 }],
  }
  expect(set(game, sent)).toMatchObject({
    evt: null,
    data: { state: 'At sea' },
    warnings: ['activity.mood', 'activity.party.rank', 'activity.buttons[0].x'].map((path) => ({ path })),
  })
  expect(set(game, { state: 'At sea' })).not.toHaveProperty('warnings')
})

test('the answer names what a headless session does not carry', async () => {
  const bridge = testBridge()
  bridge.platform.replies.set('CREATE_HEADLESS_SESSION', () => new Promise(() => {}))
  const game = Game.connected(bridge, { contract: '1.0' })
  const activity = {
    state: 'At sea',
    buttons: [{ label: 'a', url: 'https://a.test' }],
    status_display_type: 1,
    party: { id: 'crew', privacy: 1 },
  }
  // Nothing shows it yet, so nothing is left out.
  expect(set(game, activity)).not.toHaveProperty('warnings')
  await game.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'activities.write']) })
  game.received()
  expect(set(game, activity)).toMatchObject({
    data: { buttons: ['a'], status_display_type: 1, party: { privacy: 1 } },
    warnings: ['activity.buttons', 'activity.party.privacy', 'activity.status_display_type'].map((path) => ({ path })),
  })
  expect(set(game, { state: 'At sea', party: { id: 'crew' } })).not.toHaveProperty('warnings')
})
