/** Requests and invites become events of the right games, and who takes an invite learns the secret; once, later if need be, after a launch if need be. */
import { beforeEach, describe, expect, it } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { activityMessage, idAt } from '../../../support/activity-messages.ts'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridge } from '../../../support/bridge.ts'
import { FakeClock, settled } from '../../../support/fake-clock.ts'
import { tokenOf } from '../../../support/tokens.ts'

const ANN = '80351110224678912'
const BOB = '197038439483310086'
const APPLICATION = '1234567890'
const SIBLING = '42'
const PARTY = { applicationId: APPLICATION, userId: ANN }
/** Frames may come back to back. */
const STREAMS = { contract: '1.0', streams: true }
/** One process with several connections. */
const PROCESS = { ...KNOWN_PROGRAM, pid: 7 }
const SCOPES = ['identify', 'sdk.social_layer']

let clock: FakeClock
let bridge: TestBridge
beforeEach(() => {
  clock = new FakeClock()
  bridge = testBridge({ clock })
  bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => ({ secret: 'join-the-crew' }))
})

async function signedIn({ applicationId = APPLICATION, userId = ANN } = {}): Promise<Game> {
  const game = Game.greeted(bridge, { client_id: applicationId, ...STREAMS }, PROCESS)
  expect(await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES, { applicationId, userId }) })).toMatchObject({ evt: null })
  return game
}
async function listening(...events: string[]): Promise<Game> {
  const game = await signedIn()
  for (const event of events) game.call('SUBSCRIBE', {}, event)
  return game
}
const invite = (place = 0, more: object = {}) => activityMessage(1, { at: clock.now(), place, from: BOB, ...more })
const request = (place = 0, more: object = {}) => activityMessage(5, { at: clock.now(), place, from: BOB, ...more })
const told = async (game: Game) => {
  await settled()
  return game.heard().map(({ evt, data }) => ({ evt, data: data as Record<string, unknown> }))
}
const secretsAsked = () => bridge.platform.calls.filter(({ name }) => name === 'GET_ACTIVITY_SECRET').map(({ args }) => args)

describe('a request to join', () => {
  it('reaches the games of that user and application, with what the user shows', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    const other = await signedIn({ userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    host.call('SET_ACTIVITY', {
      pid: 1,
      activity: { details: 'At sea', party: { id: 'pier', size: [1, 4] }, secrets: { join: 'join-the-crew' } },
    })
    bridge.joins.heard(PARTY, request())
    expect(await told(host)).toEqual([
      {
        evt: 'ACTIVITY_JOIN_REQUEST',
        data: {
          user: expect.objectContaining({ id: BOB, username: `user ${BOB}` }),
          activity: expect.objectContaining({ details: 'At sea', application_id: APPLICATION }),
          type: 5,
          channel_id: '77',
          message_id: idAt(clock.now()),
        },
      },
    ])
    expect(await told(other)).toEqual([])
  })

  it('says nothing of the secret', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    host.call('SET_ACTIVITY', { pid: 1, activity: { party: { id: 'pier', size: [1, 4] }, secrets: { join: 'join-the-crew' } } })
    bridge.joins.heard(PARTY, request())
    expect(JSON.stringify(await told(host))).not.toContain('join-the-crew')
  })

  it('is heard once, and not when it is for another game or six hours old', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    const old = request()
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, request(1, { application_id: SIBLING }))
    expect(await told(host)).toHaveLength(1)
    clock.advance(6 * 3_600_000)
    bridge.joins.heard(PARTY, old)
    expect(await told(host)).toEqual([])
  })

  it('is left to the desktop client where that is linked', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE')
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, invite())
    expect(await told(host)).toEqual([])
  })

  it('is told where the desktop client that is linked is somebody else’s', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE')
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.desktopClient.userId = BOB
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, invite(1))
    expect((await told(host)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'])
  })

  it('that the user answered on another device is closed', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    bridge.joins.heard(PARTY, request())
    expect(await told(host)).toHaveLength(1)
    bridge.joins.heard(PARTY, activityMessage(1, { at: clock.now(), place: 1, from: ANN }))
    expect(() => bridge.joins.takeRequest(PARTY, BOB)).toThrow(expect.objectContaining({ error: 'INVALID_ACTIVITY_JOIN_REQUEST' }))
  })
})

describe('an invite', () => {
  it('reaches the games of its receiver, a sibling of the one it is about among them', async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, invite(0, { application_id: SIBLING, application: { id: SIBLING, name: 'Harbour', parent_id: APPLICATION } }))
    expect(await told(game)).toEqual([
      {
        evt: 'ACTIVITY_INVITE',
        data: {
          type: 1,
          user: expect.objectContaining({ id: BOB }),
          activity: { application_id: SIBLING, name: 'Harbour', party: { id: 'pier' } },
          channel_id: '77',
          message_id: idAt(clock.now()),
          session_id: 'session-of-the-host',
          party_id: 'pier',
          application_id: SIBLING,
          parent_application_id: APPLICATION,
        },
      },
    ])
    expect(secretsAsked()).toEqual([])
  })

  it('of our own is no news', async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(1, { at: clock.now(), from: ANN }))
    expect(await told(game)).toEqual([])
  })

  it('that answers a request of the user is taken at once, in their name', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.joins.heard(PARTY, invite(1))
    expect(await told(game)).toEqual([{ evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: APPLICATION } }])
    expect(secretsAsked()).toEqual([
      {
        user_id: BOB,
        session_id: 'session-of-the-host',
        application_id: APPLICATION,
        action: '1',
        channel_id: '77',
        message_id: idAt(clock.now(), 1),
      },
    ])
    expect(bridge.platform.calls.at(-1)?.credential).toMatchObject({ kind: 'user', id: `${APPLICATION}:${ANN}` })
    // The next one is an invite like any other.
    bridge.joins.heard(PARTY, invite(2))
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
  })

  it('that answers a request is left to the game it is about, by other games of the user that see it first', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.joins.heard({ ...PARTY, applicationId: SIBLING }, invite(1))
    bridge.joins.heard(PARTY, invite(1))
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN'])
    expect(secretsAsked()).toHaveLength(1)
  })

  it('that answers a request is taken by a game that saw it, where only another user plays the game it is about', async () => {
    await signedIn({ applicationId: SIBLING, userId: BOB })
    const game = await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(5, { at: clock.now(), from: ANN, application_id: SIBLING }))
    bridge.joins.heard(PARTY, invite(1, { application_id: SIBLING }))
    expect(await told(game)).toEqual([])
    expect(secretsAsked()).toHaveLength(1)
    expect(bridge.launches.launched).toEqual([SIBLING])
  })

  it('whose secret cannot be had is told instead', async () => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(new BridgeError('INVALID_PERMISSIONS', 'Missing Access')))
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.joins.heard(PARTY, invite(1))
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
  })

  it('that does not say which session shows the activity is told, and cannot be taken unasked', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.joins.heard(PARTY, invite(1, { activity: { type: 1 } }))
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
    await expect(bridge.joins.takeInvite(idAt(clock.now(), 1))).rejects.toMatchObject({ error: 'INVALID_INVITE' })
  })
})

describe('what nobody listens for', () => {
  it('waits for a session of that user and application that may hear it, and is told it once, after its answer', async () => {
    const game = await signedIn()
    bridge.joins.heard(PARTY, request())
    const stranger = Game.greeted(bridge, STREAMS)
    stranger.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    const other = await signedIn({ userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    expect([await told(stranger), await told(other)]).toEqual([[], []])

    expect(game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')).toMatchObject({ evt: null, data: { evt: 'ACTIVITY_JOIN_REQUEST' } })
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
    const second = await listening('ACTIVITY_JOIN_REQUEST')
    expect([await told(game), await told(second)]).toEqual([[], []])
  })

  it('reaches a game that subscribed before its user signed in', async () => {
    const first = await signedIn()
    bridge.joins.heard(PARTY, request())
    first.receiver.onClose()
    const game = Game.greeted(bridge, STREAMS)
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    expect(await told(game)).toEqual([])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
    expect((await told(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
  })

  it('is, of several joins, the last, and of several requests of one user, the last', async () => {
    await signedIn()
    for (const place of [1, 2]) {
      bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => ({ secret: `secret-${place}` }))
      bridge.joins.heard(PARTY, invite(place))
      await bridge.joins.takeInvite(idAt(clock.now(), place))
      bridge.joins.heard(PARTY, request(place + 2))
    }
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST')
    expect((await told(game)).map(({ evt, data }) => [evt, data['secret'] ?? data['message_id']])).toEqual([
      ['ACTIVITY_JOIN', 'secret-2'],
      ['ACTIVITY_JOIN_REQUEST', idAt(clock.now(), 4)],
    ])
  })

  it('is no news when it was answered meanwhile', async () => {
    await signedIn()
    bridge.joins.heard(PARTY, request())
    bridge.joins.takeRequest(PARTY, BOB)
    expect(await told(await listening('ACTIVITY_JOIN_REQUEST'))).toEqual([])
    expect(bridge.joins.health()).toEqual({ state: 'idle' })
  })

  it('goes with the account: nothing of it is told to who signs in later, or offered', async () => {
    await signedIn()
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, invite(1))
    bridge.joins.heard(PARTY, invite(2))
    expect(await bridge.joins.takeInvite(idAt(clock.now(), 1))).toBe(true)
    await bridge.accounts.note(APPLICATION, ANN, 'deauthorized')
    expect([bridge.joins.openInvites(), bridge.joins.health()]).toEqual([[], { state: 'idle' }])
    expect(await told(await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE', 'ACTIVITY_JOIN_REQUEST'))).toEqual([])
  })

  it('is forgotten: a join after ten minutes, a request when it ends', async () => {
    await signedIn()
    bridge.joins.heard(PARTY, request())
    bridge.joins.heard(PARTY, invite(1))
    expect(await bridge.joins.takeInvite(idAt(clock.now(), 1))).toBe(true)
    expect(bridge.joins.health()).toEqual({ state: 'live' })
    clock.advance(10 * 60_000)
    const late = await listening('ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST')
    expect((await told(late)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
    expect(bridge.joins.health()).toEqual({ state: 'idle' })
  })
})

describe('an invite that is taken', () => {
  it('while its game runs is told to it, and launches nothing', async () => {
    const game = await listening('ACTIVITY_JOIN')
    bridge.joins.heard(PARTY, invite())
    expect(bridge.joins.openInvites()).toHaveLength(1)
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(true)
    expect(await told(game)).toEqual([{ evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: APPLICATION } }])
    expect(bridge.launches.launched).toEqual([])
    expect(bridge.joins.openInvites()).toEqual([])
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(false)
  })

  it('twice at once is taken once', async () => {
    const game = await listening('ACTIVITY_JOIN')
    bridge.joins.heard(PARTY, invite())
    const id = idAt(clock.now())
    expect(await Promise.all([bridge.joins.takeInvite(id), bridge.joins.takeInvite(id)])).toEqual([true, true])
    expect([(await told(game)).length, secretsAsked().length]).toEqual([1, 1])
  })

  it('twice at once, the first time in vain, is taken by the second', async () => {
    let fail = (): void => {}
    const replies = [
      new Promise((_, reject) => (fail = () => reject(new BridgeError('TRANSACTION_ABORTED', 'Left.')))),
      { secret: 'second' },
    ]
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => replies.shift())
    const game = await listening('ACTIVITY_JOIN')
    bridge.joins.heard(PARTY, invite())
    const id = idAt(clock.now())
    const first = expect(bridge.joins.takeInvite(id)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const second = bridge.joins.takeInvite(id)
    await settled()
    fail()
    await first
    expect(await second).toBe(true)
    expect((await told(game)).map(({ data }) => data['secret'])).toEqual(['second'])
  })

  it('when its host has stopped playing is refused, and offered no more', async () => {
    const gone = new BridgeError('INVALID_PERMISSIONS', 'Unknown Activity', { platform_code: 10_003 })
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(gone))
    await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, invite())
    await expect(bridge.joins.takeInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'INVALID_INVITE' })
    expect(bridge.joins.openInvites()).toEqual([])
  })

  it('when the platform is away is refused, and offered still', async () => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'Away.')))
    await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, invite())
    await expect(bridge.joins.takeInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(bridge.joins.openInvites()).toHaveLength(1)
  })

  it('while only another user plays its game launches it', async () => {
    const other = await signedIn({ applicationId: SIBLING, userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    // By another connection of the same process.
    Game.greeted(bridge, { client_id: SIBLING, ...STREAMS }, PROCESS)
    await signedIn()
    bridge.joins.heard(PARTY, invite(0, { application_id: SIBLING }))
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([SIBLING])
    expect(await told(other)).toEqual([])
  })

  it('while its game runs and nobody is known to play it launches nothing', async () => {
    Game.greeted(bridge, { client_id: SIBLING, ...STREAMS }, { trust: 'kernel', pid: 7 })
    await signedIn()
    bridge.joins.heard(PARTY, invite(0, { application_id: SIBLING }))
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([])
  })

  it('while its game does not run launches it, and waits for it', async () => {
    const sibling = await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, invite(0, { application_id: SIBLING }))
    expect(await told(sibling)).toHaveLength(1)
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([SIBLING])
    expect(await told(sibling)).toEqual([])
    const launched = await signedIn({ applicationId: SIBLING })
    launched.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    expect(await told(launched)).toEqual([{ evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: SIBLING } }])
  })

  it('when nobody is signed in any more is asked with what is kept, or refused', async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.joins.heard(PARTY, invite())
    game.receiver.onClose()
    await expect(bridge.joins.takeInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    const account = { applicationId: APPLICATION, uid: undefined, userId: ANN }
    const { Secret } = await import('@sallyport/core/secret')
    await bridge.keeper.store(account, { ...account, accessToken: new Secret('kept'), scopes: SCOPES, expiresAt: clock.now() + 1000 })
    expect(await bridge.joins.takeInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.platform.calls.at(-1)?.credential?.token.reveal()).toBe('kept')
    expect(bridge.launches.launched).toEqual([APPLICATION])
  })
})

it('takes whatever a gateway dispatches', async () => {
  const game = await listening('ACTIVITY_INVITE', 'ACTIVITY_JOIN_REQUEST')
  for (const junk of [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { activity: 'x' },
    { activity: { type: {} } },
    { id: '1', activity: { type: 1 }, author: [] },
  ])
    bridge.joins.heard(PARTY, junk)
  expect(await told(game)).toEqual([])
  expect(bridge.log.problems).toEqual([])
})
