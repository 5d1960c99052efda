/** Requests and invites are published to the right games, and accepting an invite publishes the secret: once, deferred, or after a launch. */
import { beforeEach, describe, expect, it } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { activityMessage, idAt } from '#test/support/activity-messages.ts'
import { Game, KNOWN_PROGRAM, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const ANN = '80351110224678912'
const BOB = '197038439483310086'
const APPLICATION = '1234567890'
const SIBLING = '42'
const ACCOUNT = { applicationId: APPLICATION, userId: ANN }
/** Several frames may arrive in one chunk. */
const STREAMS = { contract: '1.0', streams: true }
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
  const game = Game.connected(bridge, { client_id: applicationId, ...STREAMS }, PROCESS)
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
const received = async (game: Game) => {
  await settled()
  return game.received().map(({ evt, data }) => ({ evt, data: data as Record<string, unknown> }))
}
const secretsAsked = () => bridge.platform.calls.filter(({ name }) => name === 'GET_ACTIVITY_SECRET').map(({ args }) => args)

describe('a request to join', () => {
  it('reaches the games of that user and application, with the activity of the user', { tags: ['4.3-30'] }, async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    const other = await signedIn({ userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    host.call('SET_ACTIVITY', {
      pid: 1,
      activity: { details: 'At sea', party: { id: 'pier', size: [1, 4] }, secrets: { join: 'join-the-crew' } },
    })
    bridge.invites.onMessage(ACCOUNT, request())
    expect(await received(host)).toEqual([
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
    expect(await received(other)).toEqual([])
  })

  it('does not contain the secret', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    host.call('SET_ACTIVITY', { pid: 1, activity: { party: { id: 'pier', size: [1, 4] }, secrets: { join: 'join-the-crew' } } })
    bridge.invites.onMessage(ACCOUNT, request())
    expect(JSON.stringify(await received(host))).not.toContain('join-the-crew')
  })

  it('is published once, and not for another game or after six hours', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    const old = request()
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, request(1, { application_id: SIBLING }))
    expect(await received(host)).toHaveLength(1)
    clock.advance(6 * 3_600_000)
    bridge.invites.onMessage(ACCOUNT, old)
    expect(await received(host)).toEqual([])
  })

  it('is left to the desktop client where that is connected', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE')
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, invite())
    expect(await received(host)).toEqual([])
  })

  it('is published if the desktop client is connected as another user', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE')
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.desktopClient.userId = BOB
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, invite(1))
    expect((await received(host)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'])
  })

  it('is closed after the user answered it on another device', async () => {
    const host = await listening('ACTIVITY_JOIN_REQUEST')
    bridge.invites.onMessage(ACCOUNT, request())
    expect(await received(host)).toHaveLength(1)
    bridge.invites.onMessage(ACCOUNT, activityMessage(1, { at: clock.now(), place: 1, from: ANN }))
    expect(() => bridge.invites.consumeRequest(ACCOUNT, BOB)).toThrow(expect.objectContaining({ error: 'INVALID_ACTIVITY_JOIN_REQUEST' }))
  })
})

describe('an invite', () => {
  it('reaches the games of its receiver, including a sibling of the invited game', { tags: ['4.3-30', '2.2-53'] }, async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(
      ACCOUNT,
      invite(0, { application_id: SIBLING, application: { id: SIBLING, name: 'Harbour', parent_id: APPLICATION } }),
    )
    expect(await received(game)).toEqual([
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

  it('of the user is not published', async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(1, { at: clock.now(), from: ANN }))
    expect(await received(game)).toEqual([])
  })

  it('that answers a request of the user is accepted at once', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.invites.onMessage(ACCOUNT, invite(1))
    expect(await received(game)).toEqual([
      { evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: APPLICATION } },
    ])
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
    expect(bridge.platform.calls.at(-1)?.credential).toMatchObject({ kind: 'user', applicationId: APPLICATION, userId: ANN })
    bridge.invites.onMessage(ACCOUNT, invite(2))
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
  })

  it('that answers a request is left to its game by other games of the user that receive it first', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.invites.onMessage({ ...ACCOUNT, applicationId: SIBLING }, invite(1))
    bridge.invites.onMessage(ACCOUNT, invite(1))
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN'])
    expect(secretsAsked()).toHaveLength(1)
  })

  it('that answers a request is accepted by a game that received it if only another user plays its game', async () => {
    await signedIn({ applicationId: SIBLING, userId: BOB })
    const game = await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: ANN, application_id: SIBLING }))
    bridge.invites.onMessage(ACCOUNT, invite(1, { application_id: SIBLING }))
    expect(await received(game)).toEqual([])
    expect(secretsAsked()).toHaveLength(1)
    expect(bridge.launches.launched).toEqual([SIBLING])
  })

  it('is published if its secret cannot be fetched', async () => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(new BridgeError('INVALID_PERMISSIONS', 'Missing Access')))
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.invites.onMessage(ACCOUNT, invite(1))
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
  })

  it('without a session id is published, and is not accepted automatically', async () => {
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: ANN }))
    bridge.invites.onMessage(ACCOUNT, invite(1, { activity: { type: 1 } }))
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_INVITE'])
    await expect(bridge.invites.acceptInvite(idAt(clock.now(), 1))).rejects.toMatchObject({ error: 'INVALID_INVITE' })
  })
})

describe('an event without a subscriber', () => {
  it('is deferred for a session of that user and application that may receive it, and delivered once, after the response to SUBSCRIBE', async () => {
    const game = await signedIn()
    bridge.invites.onMessage(ACCOUNT, request())
    const signedOut = Game.connected(bridge, STREAMS)
    signedOut.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    const other = await signedIn({ userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    expect([await received(signedOut), await received(other)]).toEqual([[], []])

    expect(game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')).toMatchObject({ evt: null, data: { evt: 'ACTIVITY_JOIN_REQUEST' } })
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
    const second = await listening('ACTIVITY_JOIN_REQUEST')
    expect([await received(game), await received(second)]).toEqual([[], []])
  })

  it('reaches a game that subscribed before its user signed in', async () => {
    const first = await signedIn()
    bridge.invites.onMessage(ACCOUNT, request())
    first.receiver.onClose()
    const game = Game.connected(bridge, STREAMS)
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN_REQUEST')
    expect(await received(game)).toEqual([])
    await game.ask('AUTHENTICATE', { access_token: tokenOf(SCOPES) })
    expect((await received(game)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
  })

  it('is replaced by a later join, or a later request of the same user', async () => {
    await signedIn()
    for (const place of [1, 2]) {
      bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => ({ secret: `secret-${place}` }))
      bridge.invites.onMessage(ACCOUNT, invite(place))
      await bridge.invites.acceptInvite(idAt(clock.now(), place))
      bridge.invites.onMessage(ACCOUNT, request(place + 2))
    }
    const game = await listening('ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST')
    expect((await received(game)).map(({ evt, data }) => [evt, data['secret'] ?? data['message_id']])).toEqual([
      ['ACTIVITY_JOIN', 'secret-2'],
      ['ACTIVITY_JOIN_REQUEST', idAt(clock.now(), 4)],
    ])
  })

  it('is not delivered if it was answered meanwhile', async () => {
    await signedIn()
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.consumeRequest(ACCOUNT, BOB)
    expect(await received(await listening('ACTIVITY_JOIN_REQUEST'))).toEqual([])
    expect(bridge.invites.health()).toEqual({ state: 'idle' })
  })

  it('is deleted with the account, and not delivered after a later sign-in', async () => {
    await signedIn()
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, invite(1))
    bridge.invites.onMessage(ACCOUNT, invite(2))
    expect(await bridge.invites.acceptInvite(idAt(clock.now(), 1))).toBe(true)
    await bridge.accounts.apply({ applicationId: APPLICATION, userId: ANN }, 'deauthorized')
    expect([bridge.invites.openInvites(), bridge.invites.health()]).toEqual([[], { state: 'idle' }])
    expect(await received(await listening('ACTIVITY_JOIN', 'ACTIVITY_INVITE', 'ACTIVITY_JOIN_REQUEST'))).toEqual([])
  })

  it('expires: a join after ten minutes, a request with its own expiry', async () => {
    await signedIn()
    bridge.invites.onMessage(ACCOUNT, request())
    bridge.invites.onMessage(ACCOUNT, invite(1))
    expect(await bridge.invites.acceptInvite(idAt(clock.now(), 1))).toBe(true)
    expect(bridge.invites.health()).toEqual({ state: 'active' })
    clock.advance(10 * 60_000)
    const late = await listening('ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST')
    expect((await received(late)).map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN_REQUEST'])
    expect(bridge.invites.health()).toEqual({ state: 'idle' })
  })
})

describe('an invite that is accepted', () => {
  it('while its game runs publishes ACTIVITY_JOIN, and launches nothing', async () => {
    const game = await listening('ACTIVITY_JOIN')
    bridge.invites.onMessage(ACCOUNT, invite())
    expect(bridge.invites.openInvites()).toHaveLength(1)
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(true)
    expect(await received(game)).toEqual([
      { evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: APPLICATION } },
    ])
    expect(bridge.launches.launched).toEqual([])
    expect(bridge.invites.openInvites()).toEqual([])
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(false)
  })

  it('twice at once is accepted once', async () => {
    const game = await listening('ACTIVITY_JOIN')
    bridge.invites.onMessage(ACCOUNT, invite())
    const id = idAt(clock.now())
    expect(await Promise.all([bridge.invites.acceptInvite(id), bridge.invites.acceptInvite(id)])).toEqual([true, true])
    expect([(await received(game)).length, secretsAsked().length]).toEqual([1, 1])
  })

  it('twice at once is accepted by the second call if the first fails', async () => {
    let fail = (): void => {}
    const replies = [
      new Promise((_, reject) => (fail = () => reject(new BridgeError('TRANSACTION_ABORTED', 'Left.')))),
      { secret: 'second' },
    ]
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => replies.shift())
    const game = await listening('ACTIVITY_JOIN')
    bridge.invites.onMessage(ACCOUNT, invite())
    const id = idAt(clock.now())
    const first = expect(bridge.invites.acceptInvite(id)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const second = bridge.invites.acceptInvite(id)
    await settled()
    fail()
    await first
    expect(await second).toBe(true)
    expect((await received(game)).map(({ data }) => data['secret'])).toEqual(['second'])
  })

  it('after its host stopped playing is rejected, and no longer open', async () => {
    const gone = new BridgeError('INVALID_PERMISSIONS', 'Unknown Activity', { platform_code: 10_003 })
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(gone))
    await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, invite())
    await expect(bridge.invites.acceptInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'INVALID_INVITE' })
    expect(bridge.invites.openInvites()).toEqual([])
  })

  it('with the platform unreachable is rejected, and stays open', async () => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => Promise.reject(new BridgeError('SERVICE_UNAVAILABLE', 'Away.')))
    await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, invite())
    await expect(bridge.invites.acceptInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE' })
    expect(bridge.invites.openInvites()).toHaveLength(1)
  })

  it('while only another user plays its game launches it', async () => {
    const other = await signedIn({ applicationId: SIBLING, userId: BOB })
    other.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    Game.connected(bridge, { client_id: SIBLING, ...STREAMS }, PROCESS)
    await signedIn()
    bridge.invites.onMessage(ACCOUNT, invite(0, { application_id: SIBLING }))
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([SIBLING])
    expect(await received(other)).toEqual([])
  })

  it('while its game runs without a known user launches nothing', async () => {
    Game.connected(bridge, { client_id: SIBLING, ...STREAMS }, { trust: 'kernel', pid: 7 })
    await signedIn()
    bridge.invites.onMessage(ACCOUNT, invite(0, { application_id: SIBLING }))
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([])
  })

  it('while its game does not run launches it, and defers the join', async () => {
    const sibling = await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, invite(0, { application_id: SIBLING }))
    expect(await received(sibling)).toHaveLength(1)
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.launches.launched).toEqual([SIBLING])
    expect(await received(sibling)).toEqual([])
    const launched = await signedIn({ applicationId: SIBLING })
    launched.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    expect(await received(launched)).toEqual([
      { evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: SIBLING } },
    ])
  })

  it('after sign-out uses the stored token, or is rejected', async () => {
    const game = await listening('ACTIVITY_INVITE')
    bridge.invites.onMessage(ACCOUNT, invite())
    game.receiver.onClose()
    await expect(bridge.invites.acceptInvite(idAt(clock.now()))).rejects.toMatchObject({ error: 'INVALID_TOKEN' })
    const account = { applicationId: APPLICATION, uid: undefined, userId: ANN }
    const { Secret } = await import('@sallyport/core/secret')
    await bridge.tokenStore.store(account, { ...account, accessToken: new Secret('kept'), scopes: SCOPES, expiresAt: clock.now() + 1000 })
    expect(await bridge.invites.acceptInvite(idAt(clock.now()))).toBe(true)
    expect(bridge.platform.calls.at(-1)?.credential?.token.reveal()).toBe('kept')
    expect(bridge.launches.launched).toEqual([APPLICATION])
  })
})

it('accepts any message that a gateway dispatches', async () => {
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
    bridge.invites.onMessage(ACCOUNT, junk)
  expect(await received(game)).toEqual([])
  expect(bridge.log.problems).toEqual([])
})
