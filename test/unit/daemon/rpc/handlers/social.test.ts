/** The commands of invites and join requests: via the desktop client or the platform, and their errors. */
import { beforeEach, describe, expect, it } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { activityMessage, idAt } from '#test/support/activity-messages.ts'
import { Game, testBridge, type TestBridge } from '#test/support/bridge.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { tokenOf } from '#test/support/tokens.ts'

const ANN = '80351110224678912'
const BOB = '197038439483310086'
const APPLICATION = '1234567890'
/** Several frames may arrive in one chunk. */
const STREAMS = { contract: '1.0', streams: true }
const ACCOUNT = { applicationId: APPLICATION, userId: ANN }
const ACTIVITY = { details: 'At sea', party: { id: 'pier', size: [1, 4] }, secrets: { join: 'join-the-crew' } }

let clock: FakeClock
let bridge: TestBridge
let game: Game
beforeEach(async () => {
  clock = new FakeClock()
  bridge = testBridge({ clock })
  game = await signedIn(['identify', 'sdk.social_layer'])
  bridge.platform.replies.set('SEND_ACTIVITY_MESSAGE', ({ args }) => ({
    id: idAt(clock.now(), 9),
    content: '',
    channel_id: '77',
    author: { id: ANN, username: 'ann', discriminator: '0', avatar: null },
    recipient_id: args['user_id'],
    application_id: APPLICATION,
  }))
  bridge.platform.replies.set('GET_ACTIVITY_SECRET', () => ({ secret: 'join-the-crew' }))
  bridge.shownSessions.set(`${APPLICATION} ${ANN}`, 'session-of-ann')
})

async function signedIn(scopes: string[]): Promise<Game> {
  const made = Game.connected(bridge, STREAMS)
  await made.ask('AUTHENTICATE', { access_token: tokenOf(scopes) })
  return made
}
const asked = () => bridge.invites.onMessage(ACCOUNT, activityMessage(5, { at: clock.now(), from: BOB }))
const sent = () => bridge.platform.calls.filter(({ name }) => name === 'SEND_ACTIVITY_MESSAGE').map(({ args }) => args)
const refusal = async (cmd: string, args: object, of = game) => {
  const { evt, data } = await of.ask(cmd, args)
  return [evt, (data as { code: number }).code]
}
const platformSays = (error: 'INVALID_PERMISSIONS' | 'SERVICE_UNAVAILABLE', platform_code: number) => () => {
  throw new BridgeError(error, 'No.', { http_status: 403, platform_code })
}

describe('SEND_ACTIVITY_JOIN_INVITE', () => {
  it('sends an invite to the session that shows the activity, once for each request', { tags: ['1-6'] }, async () => {
    game.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    asked()
    expect(await game.ask('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB, pid: 1 })).toMatchObject({ evt: null, data: null })
    expect(sent()).toEqual([{ user_id: BOB, activity: { type: 1, session_id: 'session-of-ann', party_id: 'pier' } }])
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 4012])
  })

  it('without a request is 4012, without a joinable activity 5006, and the request stays open', async () => {
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 4012])
    asked()
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 5006])
    game.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    bridge.shownSessions.clear()
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 5006])
    bridge.shownSessions.set(`${APPLICATION} ${ANN}`, 'later')
    expect(await game.ask('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toMatchObject({ evt: null })
  })

  it.each([
    ['no size', { ...ACTIVITY, party: { id: 'pier' } }],
    ['no party', { details: 'x', secrets: ACTIVITY.secrets }],
    ['no secret', { ...ACTIVITY, secrets: undefined }],
  ])('of an activity with %s is 5006', async (_, activity) => {
    game.call('SET_ACTIVITY', { pid: 1, activity })
    asked()
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 5006])
  })

  it("does not offer another user's activity", async () => {
    const other = Game.connected(bridge, STREAMS)
    await other.ask('AUTHENTICATE', { access_token: tokenOf(['identify', 'sdk.social_layer'], { userId: BOB }) })
    other.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    asked()
    expect(await refusal('SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB })).toEqual(['ERROR', 5006])
  })
})

describe.each(['CLOSE_ACTIVITY_REQUEST', 'CLOSE_ACTIVITY_JOIN_REQUEST'])('%s', (name) => {
  it('ends a request once, and sends nothing', async () => {
    asked()
    expect(await game.ask(name, { user_id: BOB })).toMatchObject({ evt: null, data: null })
    expect(await refusal(name, { user_id: BOB })).toEqual(['ERROR', 4012])
    expect(sent()).toEqual([])
  })
})

describe('ACTIVITY_INVITE_USER', () => {
  const INVITE = { user_id: BOB, type: 1, content: 'Come aboard', pid: 1 }

  it('sends an invite with its content', { tags: ['1-6'] }, async () => {
    expect(await refusal('ACTIVITY_INVITE_USER', INVITE)).toEqual(['ERROR', 5006])
    game.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    expect(await game.ask('ACTIVITY_INVITE_USER', INVITE)).toMatchObject({ evt: null, data: null })
    expect(await game.ask('ACTIVITY_INVITE_USER', { ...INVITE, content: '' })).toMatchObject({ evt: null })
    const activity = { type: 1, session_id: 'session-of-ann', party_id: 'pier' }
    expect(sent()).toEqual([
      { user_id: BOB, content: 'Come aboard', activity },
      { user_id: BOB, activity },
    ])
  })

  it('for an unknown user is 4010', async () => {
    game.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    bridge.platform.replies.set('SEND_ACTIVITY_MESSAGE', platformSays('INVALID_PERMISSIONS', 10_013))
    expect(await refusal('ACTIVITY_INVITE_USER', INVITE)).toEqual(['ERROR', 4010])
    bridge.platform.replies.set('SEND_ACTIVITY_MESSAGE', platformSays('INVALID_PERMISSIONS', 50_007))
    expect(await refusal('ACTIVITY_INVITE_USER', INVITE)).toEqual(['ERROR', 4006])
  })

  it('needs a token that may invite', async () => {
    const plain = await signedIn(['identify', 'activities.read'])
    plain.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    expect(await refusal('ACTIVITY_INVITE_USER', INVITE, plain)).toEqual(['ERROR', 4006])
    expect(sent()).toEqual([])
  })
})

describe('ACCEPT_ACTIVITY_INVITE', () => {
  const accept = (more: object = {}) => ({
    type: 1,
    user_id: BOB,
    session_id: 'session-of-bob',
    channel_id: '77',
    message_id: idAt(clock.now()),
    ...more,
  })
  const asking = () => bridge.platform.calls.filter(({ name }) => name === 'GET_ACTIVITY_SECRET').map(({ args }) => args)

  it('fetches the secret and publishes it as ACTIVITY_JOIN', { tags: ['1-6'] }, async () => {
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    game.begin('ACCEPT_ACTIVITY_INVITE', accept())
    await settled()
    expect(game.received().map(({ cmd, evt, data }) => ({ cmd, evt, data }))).toEqual([
      { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN', data: { secret: 'join-the-crew', intent: 0, applicationId: APPLICATION } },
      { cmd: 'ACCEPT_ACTIVITY_INVITE', evt: null, data: null },
    ])
    expect(asking()).toEqual([
      {
        user_id: BOB,
        session_id: 'session-of-bob',
        application_id: APPLICATION,
        action: '1',
        channel_id: '77',
        message_id: idAt(clock.now()),
      },
    ])
  })

  it('for a sibling application names that application and launches it', { tags: ['2.2-53', '9.1-14'] }, async () => {
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    expect(await game.ask('ACCEPT_ACTIVITY_INVITE', accept({ application_id: '42' }))).toMatchObject({ evt: null, data: null })
    expect(asking()).toEqual([expect.objectContaining({ application_id: '42' })])
    expect(bridge.launches.launched).toEqual(['42'])
  })

  it.each([50_001, 10_003, 10_008, 10_013])('that the platform rejects with %i is 4011', async (code) => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', platformSays('INVALID_PERMISSIONS', code))
    expect(await refusal('ACCEPT_ACTIVITY_INVITE', accept())).toEqual(['ERROR', 4011])
  })

  it('six hours later is 4011, without a request to the platform', async () => {
    const late = accept()
    clock.advance(6 * 3_600_000)
    expect(await refusal('ACCEPT_ACTIVITY_INVITE', late)).toEqual(['ERROR', 4011])
    expect(asking()).toEqual([])
  })

  it('passes other errors on, and needs a token with the scope for activities', async () => {
    bridge.platform.replies.set('GET_ACTIVITY_SECRET', platformSays('SERVICE_UNAVAILABLE', 0))
    expect(await refusal('ACCEPT_ACTIVITY_INVITE', accept())).toEqual(['ERROR', 1001])
    const plain = await signedIn(['identify', 'activities.invites.write'])
    expect(await refusal('ACCEPT_ACTIVITY_INVITE', accept(), plain)).toEqual(['ERROR', 4006])
  })
})

describe('a join request by message', () => {
  it('is recorded, so that the invite that answers it is accepted at once', async () => {
    game.call('SUBSCRIBE', {}, 'ACTIVITY_JOIN')
    await game.ask('SEND_ACTIVITY_MESSAGE', { user_id: BOB, activity: { type: 5 } })
    bridge.invites.onMessage(ACCOUNT, activityMessage(1, { at: clock.now(), from: BOB }))
    await settled()
    expect(game.received().map(({ evt }) => evt)).toEqual(['ACTIVITY_JOIN'])
  })
})

describe('with the desktop client connected', () => {
  const CALLS: readonly (readonly [string, object])[] = [
    ['SEND_ACTIVITY_JOIN_INVITE', { user_id: BOB, pid: 7 }],
    ['CLOSE_ACTIVITY_REQUEST', { user_id: BOB }],
    ['CLOSE_ACTIVITY_JOIN_REQUEST', { user_id: BOB }],
    ['ACTIVITY_INVITE_USER', { user_id: BOB, type: 1, content: 'Come', pid: 7 }],
    ['ACCEPT_ACTIVITY_INVITE', { type: 1, user_id: BOB, session_id: 's', channel_id: '77', message_id: '1', application_id: '42' }],
  ]
  it.each(CALLS)('%s is forwarded to it unchanged, with or without a signed-in user', { tags: ['9.1-14'] }, async (cmd, args) => {
    // The client supports only the long name.
    const known = cmd === 'CLOSE_ACTIVITY_REQUEST' ? 'CLOSE_ACTIVITY_JOIN_REQUEST' : cmd
    bridge.desktopClient.linked.add(APPLICATION)
    const before = bridge.platform.calls.length
    for (const one of [game, Game.connected(bridge, STREAMS)]) expect(await one.ask(cmd, args)).toMatchObject({ evt: null, data: null })
    expect(bridge.desktopClient.calls).toEqual([1, 2].map(() => ({ applicationId: APPLICATION, cmd: known, args })))
    expect(bridge.platform.calls).toHaveLength(before)
  })

  it('as another user, the calls of a signed-in user go to the platform and not to the client', async () => {
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.desktopClient.userId = BOB
    game.call('SET_ACTIVITY', { pid: 1, activity: ACTIVITY })
    expect(await game.ask('ACTIVITY_INVITE_USER', { user_id: BOB, type: 1, pid: 1 })).toMatchObject({ evt: null })
    expect(sent()).toHaveLength(1)
    expect(bridge.desktopClient.calls).toEqual([])
  })

  it.each(CALLS)('%s is rejected with the error of the client', async (cmd, args) => {
    bridge.desktopClient.linked.add(APPLICATION)
    bridge.desktopClient.answer = () => Promise.reject(new BridgeError('INVALID_ACTIVITY_JOIN_REQUEST', 'No such request.'))
    expect(await refusal(cmd, args)).toEqual(['ERROR', 4012])
  })

  it.each(CALLS)(
    '%s without the client and without a user is rejected with an error that names the sign-in and the client',
    async (cmd, args) => {
      const { evt, data } = await Game.connected(bridge, STREAMS).ask(cmd, args)
      expect([evt, (data as { code: number }).code]).toEqual(['ERROR', 4006])
      expect((data as { message: string }).message).toMatch(/desktop client does not run; sign in with AUTHORIZE/)
    },
  )
})

describe('registering a launch', () => {
  it('passes the command to the launcher', async () => {
    expect(await game.ask('REGISTER_LAUNCH_COMMAND', { command: '/opt/game --join' })).toMatchObject({ evt: null, data: null })
    expect(await game.ask('REGISTER_LAUNCH_STEAM_APPLICATION', { steam_app_id: 480 })).toMatchObject({ evt: null, data: null })
    expect(bridge.launches.registered.map(({ command }) => command)).toEqual(['/opt/game --join', 'steam://rungameid/480'])
  })
})
