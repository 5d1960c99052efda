/** The C++ client and a server that a test scripts: waiting calls, reconnects, events, and misuse inside callbacks. Under the sanitizers. */
import { expect, test } from 'vitest'
import { errorFor, event, type Peer, responseTo } from '#test/support/scripted-server.ts'
import type { ProbeLine } from './support/c-binding.ts'
import { type CWorld, describeCpp } from './support/c-world.ts'

const USER = { id: '77', username: 'ada', global_name: 'Ada', discriminator: '0', avatar: null }
const SIGNED_IN = { user: USER, scopes: ['openid', 'sdk.social_layer'], expires: '2030-01-01T00:00:00Z', application: { id: '42' } }
const FRIEND = { type: 1, user: { ...USER, id: '78', username: 'grace' }, presence: { status: 'idle' } }
const INVITE = { type: 1, user: FRIEND.user, activity: {}, channel_id: '5', message_id: '6', session_id: 's', application_id: '43' }

const connected = async ({ probe, server }: CWorld): Promise<Peer> => {
  probe.send('app 42')
  const peer = await server.peer()
  await peer.ready()
  return peer
}

/** Signs in and waits until the status is Ready. */
const ready = async (world: CWorld): Promise<Peer> => {
  world.probe.send('on-status')
  const peer = await connected(world)
  world.probe.send('token secret')
  expect(await peer.answer(SIGNED_IN)).toMatchObject({ cmd: 'UPDATE_TOKEN', args: { access_token: 'secret' } })
  expect(await world.probe.line('result')).toMatchObject({ ok: true, type: 'None' })
  world.probe.send('connect')
  expect((await peer.answer()).evt).toBe('CURRENT_USER_UPDATE')
  await loads(peer, [FRIEND])
  await status(world, 'Ready')
  return peer
}

/** What a client asks for once it is signed in. */
const loads = async (peer: Peer, relationships: readonly object[], isFirst = true): Promise<void> => {
  if (isFirst) for (const name of ['RELATIONSHIP_UPDATE', 'GAME_RELATIONSHIP_UPDATE']) expect((await peer.answer()).evt).toBe(name)
  expect((await peer.answer({ relationships })).cmd).toBe('GET_RELATIONSHIPS')
  expect((await peer.answer([])).cmd).toBe('GET_GAME_RELATIONSHIPS')
}

const status = async ({ probe }: CWorld, name: string, from = 0): Promise<ProbeLine> => {
  const find = () => probe.lines.slice(from).find((line) => line['status'] === name)
  await expect.poll(find, { message: `status ${name}` }).toBeDefined()
  return find() ?? {}
}

describeCpp('the C++ client', (world) => {
  test('is Ready with the user and the relationships', { tags: ['4.3-23'] }, async () => {
    expect(await world.probe.ask('user', 'user')).toEqual({ user: 'none', v1: false })
    const peer = await ready(world)
    expect(await world.probe.ask('user', 'user')).toEqual({ user: 'Ada', v1: true })
    expect(await world.probe.ask('relationships', 'relationships')).toEqual({ relationships: 'grace Friend Idle ' })
    world.probe.send('on-relationship')
    await world.probe.ask('user', 'user')
    peer.write(event('RELATIONSHIP_UPDATE', { ...FRIEND, type: 0 }), event('RELATIONSHIP_UPDATE', FRIEND))
    expect(await world.probe.line('event', 2)).toEqual({ event: 'friend', ids: '78 1' })
    expect(world.probe.with('event')[0]).toEqual({ event: 'no friend', ids: '78 1' })
    await world.probe.quit()
  })

  test('sends what AUTHORIZE takes, and gives the code', async () => {
    const peer = await connected(world)
    world.probe.send('authorize')
    const authorize = await peer.answer({ code: 'c', redirect_uri: 'http://127.0.0.1/', state: 'my-state' })
    expect(authorize).toMatchObject({
      cmd: 'AUTHORIZE',
      args: {
        client_id: '42',
        response_type: 'code',
        scopes: ['openid', 'sdk.social_layer'],
        state: 'my-state',
        code_challenge_method: 'S256',
        integration_type: 1,
      },
    })
    expect(authorize.args.code_challenge).toMatch(/^[\w-]{43}$/)
    expect(await world.probe.line('result')).toMatchObject({ ok: true, value: 'c http://127.0.0.1/' })
    world.probe.send('authorize')
    const refused = await peer.message()
    world.probe.send('abort')
    const abort = await peer.answer()
    expect(abort.cmd).toBe('ABORT_AUTHORIZE')
    peer.write(errorFor(refused, { code: 5000, message: 'OAuth2 Error: access_denied' }))
    expect(await world.probe.line('result', 2)).toMatchObject({ ok: false, type: 'AuthorizationFailed', code: 5000 })
    await world.probe.quit()
  })

  test('reports the errors of the bridge and of the platform', async () => {
    const peer = await connected(world)
    world.probe.send('leave 1')
    peer.write(errorFor(await peer.message(), { code: 4013, message: 'No lobby.' }))
    expect(await world.probe.line('result')).toMatchObject({ type: 'RPCError', code: 4013, http: 0, text: 'RPCError 4013: No lobby.' })
    world.probe.send('leave 1')
    peer.write(errorFor(await peer.message(), { code: 5011, message: 'Slow.', http_status: 429, platform_code: 20028, retry_after: 1.5 }))
    expect(await world.probe.line('result', 2)).toMatchObject({
      type: 'HTTPError',
      code: 20028,
      http: 429,
      retryable: true,
      retry_after: 1.5,
    })
    await world.probe.quit()
  })

  test('refuses wrong arguments without the bridge', async () => {
    world.probe.send('leave 1')
    expect(await world.probe.line('result')).toMatchObject({ type: 'ClientNotReady' })
    const peer = await connected(world)
    world.probe.send('null-args')
    world.probe.send('bad-text')
    world.probe.send('user-token')
    await world.probe.line('result', 7)
    expect(
      world.probe
        .with('result')
        .slice(1)
        .map(({ type }) => type),
    ).toEqual(Array.from({ length: 6 }, () => 'ValidationError'))
    expect(await world.probe.ask('launch 7', 'launch')).toEqual({ launch: false })
    world.probe.send('on-log')
    expect(await world.probe.ask('voice', 'call')).toEqual({ call: false })
    expect(await world.probe.line('result', 8)).toMatchObject({ type: 'Disabled' })
    expect(await world.probe.line('log', 2)).toEqual({ log: 'StartCall: a bridge carries no audio', severity: 'Error' })
    // Nothing of it was sent but LEAVE_LOBBY without a callback.
    expect((await peer.message()).cmd).toBe('LEAVE_LOBBY')
    await world.probe.quit()
  })

  test('holds calls until the bridge is there, and ends them if it does not come', async () => {
    world.probe.send('timeout 200')
    world.probe.send('app 42')
    world.probe.send('leave 1')
    expect(await world.probe.line('result')).toMatchObject({ type: 'NetworkError', retryable: true })
    world.probe.send('timeout 20000')
    world.probe.send('presence one')
    world.probe.send('presence two')
    world.probe.send('leave 2')
    const peer = await world.server.peer()
    await peer.ready()
    // In their order, but for the presence that was replaced.
    const sent = []
    for (let call = 0; call < 3; call += 1) sent.push(await peer.answer())
    // The presence is restored with the connection; the calls wait for it.
    expect(sent.map(({ cmd, args }) => args.activity?.state ?? cmd)).toEqual(['two', 'SET_HTTP_REQUEST_TIMEOUT', 'LEAVE_LOBBY'])
    await world.probe.line('result', 4)
    expect(world.probe.with('result').slice(1)).toMatchObject([
      { result: 2, type: 'Aborted', error: 'the game set a newer presence before this one was shown' },
      { result: 3, ok: true },
      { result: 4, ok: true },
    ])
    await world.probe.quit()
  })

  test('comes back with AUTHORIZE_REQUEST first, then the sign-in, the subscriptions and the presence', {
    tags: ['6-19', '9.1-13'],
  }, async () => {
    const first = await ready(world)
    world.probe.send('on-join')
    expect((await first.answer()).evt).toBe('ACTIVITY_JOIN')
    world.probe.send('on-link')
    expect((await first.answer()).evt).toBe('AUTHORIZE_REQUEST')
    world.probe.send('presence here')
    await first.answer()
    world.probe.send('leave 3')
    await first.message()
    const from = world.probe.lines.length
    first.socket.destroy()
    expect(await world.probe.line('result', 3)).toMatchObject({ ok: false, type: 'NetworkError', retryable: true })
    expect(await status(world, 'Reconnecting', from)).toMatchObject({ reason: 'UnexpectedClose' })
    expect(await world.probe.ask('user', 'user')).toMatchObject({ user: 'none' })
    const second = await world.server.peer()
    await second.ready()
    expect((await second.answer()).evt).toBe('AUTHORIZE_REQUEST')
    expect(await second.answer(SIGNED_IN)).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'secret' } })
    const rest = [await second.answer(), await second.answer(), await second.answer(), await second.answer(), await second.answer()]
    expect(rest.map(({ cmd, evt }) => evt ?? cmd).toSorted()).toEqual([
      'ACTIVITY_JOIN',
      'CURRENT_USER_UPDATE',
      'GAME_RELATIONSHIP_UPDATE',
      'RELATIONSHIP_UPDATE',
      'SET_ACTIVITY',
    ])
    await loads(second, [], false)
    await status(world, 'Ready', from)
    second.write(event('AUTHORIZE_REQUEST', null))
    await expect.poll(() => world.probe.with('event')).toEqual([{ event: 'link' }])
    world.probe.send('off-link')
    expect(await second.answer()).toMatchObject({ cmd: 'UNSUBSCRIBE', evt: 'AUTHORIZE_REQUEST' })
    await world.probe.quit()
  })

  test('signs in with the stored tokens if its own token was replaced, and else reports that it expired', async () => {
    const first = await ready(world)
    world.probe.send('on-expired')
    const from = world.probe.lines.length
    first.socket.destroy()
    const second = await world.server.peer()
    await second.ready()
    second.write(errorFor(await second.message(), { code: 4009, message: 'Old token.' }))
    for (let subscription = 0; subscription < 3; subscription += 1) await second.answer()
    expect(await second.answer(SIGNED_IN)).toMatchObject({ cmd: 'AUTHENTICATE', args: { user_id: '77' } })
    await loads(second, [], false)
    await status(world, 'Ready', from)
    second.socket.destroy()
    const third = await world.server.peer()
    await third.ready()
    for (let call = 0; call < 5 && world.probe.with('event').length === 0; call += 1) {
      const message = await third.message()
      third.write(message.cmd === 'AUTHENTICATE' ? errorFor(message, { code: 4009, message: 'No grant.' }) : responseTo(message, {}))
    }
    expect(await world.probe.line('event')).toEqual({ event: 'expired' })
    await status(world, 'Disconnected', from)
    await world.probe.quit()
  })

  test('ends with TOKEN_REVOKED', async () => {
    const peer = await ready(world)
    world.probe.send('on-expired')
    await world.probe.ask('user', 'user')
    peer.write(event('TOKEN_REVOKED', { application_id: '42', user_id: '77', reason: 'It expired.', cause: 'token_expired' }))
    expect(await status(world, 'Disconnected')).toMatchObject({ reason: 'ConnectionCanceled' })
    expect(await world.probe.line('event')).toEqual({ event: 'expired' })
    await world.probe.quit()
  })

  test('reports no end after the game took its callback away', async () => {
    const peer = await ready(world)
    world.probe.send('on-expired')
    world.probe.send('off-expired')
    await world.probe.ask('user', 'user')
    peer.write(event('TOKEN_REVOKED', { application_id: '42', user_id: '77', reason: 'It expired.', cause: 'token_expired' }))
    await status(world, 'Disconnected')
    await world.probe.quit()
    expect(world.probe.with('event')).toEqual([])
  })

  test('receives and accepts invites', { tags: ['4.3-30', '9.1-14'] }, async () => {
    const peer = await connected(world)
    world.probe.send('on-invite')
    world.probe.send('on-join')
    expect([(await peer.answer()).evt, (await peer.answer()).evt, (await peer.answer()).evt]).toEqual([
      'ACTIVITY_INVITE',
      'ACTIVITY_JOIN_REQUEST',
      'ACTIVITY_JOIN',
    ])
    peer.write(event('ACTIVITY_INVITE', INVITE))
    expect(await world.probe.line('event')).toEqual({ event: 'invite', type: 1, sender: '78', application: '43' })
    world.probe.send('accept')
    const accept = await peer.answer(null)
    expect(accept).toMatchObject({
      cmd: 'ACCEPT_ACTIVITY_INVITE',
      args: { type: 1, user_id: '78', session_id: 's', channel_id: '5', message_id: '6', application_id: '43' },
    })
    // A join of this game, which the user started elsewhere, is not the one of the invite.
    peer.write(event('ACTIVITY_JOIN', { secret: 'another' }), event('ACTIVITY_JOIN', { secret: 'other', applicationId: '44' }))
    expect(await world.probe.line('event', 3)).toEqual({ event: 'join', secret: 'other' })
    expect(world.probe.with('result')).toEqual([])
    peer.write(event('ACTIVITY_JOIN', { secret: 'the-secret', applicationId: '43' }))
    expect(await world.probe.line('result')).toMatchObject({ ok: true, value: 'the-secret' })
    expect(await world.probe.line('event', 4)).toEqual({ event: 'join', secret: 'the-secret' })
    // The bridge sends the secret before it answers.
    world.probe.send('accept')
    const again = await peer.message()
    peer.write(event('ACTIVITY_JOIN', { secret: 'before', applicationId: '43' }), responseTo(again, null))
    expect(await world.probe.line('result', 2)).toMatchObject({ ok: true, value: 'before' })
    expect(await world.probe.line('event', 5)).toEqual({ event: 'join', secret: 'before' })
    world.probe.send('accept')
    const refused = await peer.message()
    peer.write(event('ACTIVITY_JOIN', { secret: 'of a refusal', applicationId: '43' }), errorFor(refused, { code: 4000, message: 'No.' }))
    expect(await world.probe.line('result', 3)).toMatchObject({ ok: false })
    expect(await world.probe.line('event', 6)).toEqual({ event: 'join', secret: 'of a refusal' })
    peer.write(event('ACTIVITY_JOIN_REQUEST', { user: FRIEND.user }))
    expect(await world.probe.line('event', 7)).toMatchObject({ event: 'invite', type: 5, sender: '78' })
    world.probe.send('reply')
    expect(await peer.answer(null)).toMatchObject({ cmd: 'SEND_ACTIVITY_JOIN_INVITE', args: { user_id: '78' } })
    world.probe.send('ask 79')
    expect(await peer.answer({})).toMatchObject({ cmd: 'SEND_ACTIVITY_MESSAGE', args: { user_id: '79', activity: { type: 5 } } })
    world.probe.send('invite 79')
    const { args } = await peer.answer(null)
    expect(args).toEqual({ user_id: '79', type: 1, content: 'come', pid: expect.any(Number) })
    await world.probe.quit()
  })

  test('keeps lobbies and messages as the events report them', { tags: ['4.3-14'] }, async () => {
    const peer = await connected(world)
    world.probe.send('on-message')
    world.probe.send('on-lobby')
    for (let one = 0; one < 6; one += 1) await peer.answer()
    const member = { id: '77', flags: 0, metadata: null }
    world.probe.send('lobby pier')
    for (let one = 0; one < 3; one += 1) expect((await peer.answer()).cmd).toBe('SUBSCRIBE')
    const joined = await peer.answer({ id: '9', application_id: '42', metadata: { map: 'pier' }, members: [member] })
    expect(joined).toMatchObject({ cmd: 'CREATE_OR_JOIN_LOBBY', args: { secret: 'pier', lobby_metadata: { map: 'pier' } } })
    expect(await world.probe.line('result')).toMatchObject({ ok: true, value: '9' })
    peer.write(event('LOBBY_MEMBER_ADD', { lobby_id: '9', member: { ...member, id: '78' } }))
    expect(await world.probe.line('event')).toEqual({ event: 'member added', ids: '9 78' })
    expect(await world.probe.ask('lobby-members 9', 'members')).toEqual({ members: '77 78 ' })
    const message = {
      id: '11',
      type: 0,
      content: 'ahoy',
      lobby_id: '9',
      channel_id: '9',
      author: USER,
      flags: 0,
      lobby_member: { additional_name: 'Captain' },
    }
    peer.write(event('LOBBY_MESSAGE_CREATE', message))
    expect(await world.probe.line('event', 2)).toEqual({ event: 'message', ids: '11' })
    expect(await world.probe.ask('message 11', 'message')).toEqual({ message: 'ada: ahoy Captain' })
    world.probe.send('history 9')
    expect(await peer.answer([message, { ...message, id: '13' }, { ...message, id: '12' }])).toMatchObject({
      args: { lobby_id: '9', limit: 200 },
    })
    expect(await world.probe.line('result', 2)).toMatchObject({ value: '13 12 11 ' })
    peer.write(event('LOBBY_MESSAGE_DELETE', { id: '11', lobby_id: '9' }), event('LOBBY_DELETE', { lobby_id: '9' }))
    expect(await world.probe.line('event', 4)).toEqual({ event: 'lobby deleted', ids: '9' })
    expect(await world.probe.ask('message 11', 'message')).toEqual({ message: 'none' })
    expect(await world.probe.ask('lobby-members 9', 'members')).toEqual({ members: 'none' })
    await world.probe.quit()
  })

  test('can be destroyed inside a callback, after which no callback runs', async () => {
    const peer = await connected(world)
    world.probe.send('leave 1')
    world.probe.send('leave 2')
    const [one, other] = [await peer.message(), await peer.message()]
    world.probe.send('inside destroy')
    await world.probe.ask('user', 'user')
    peer.write(responseTo(one, null), responseTo(other, null))
    expect(await world.probe.line('after')).toEqual({ after: 'destroy' })
    await peer.ended()
    expect(await world.probe.ask('user', 'error')).toEqual({ error: 'no client' })
    await world.probe.quit()
    expect(world.probe.with('result')).toHaveLength(1)
  })

  test.each(['run', 'move', 'disconnect', 'call', 'replace'])('can %s inside a callback', async (action) => {
    const peer = await connected(world)
    world.probe.send('leave 1')
    world.probe.send('leave 2')
    const [one, other] = [await peer.message(), await peer.message()]
    world.probe.send(`inside ${action}`)
    await world.probe.ask('user', 'user')
    peer.write(responseTo(one, null))
    expect(await world.probe.line('after')).toEqual({ after: action })
    if (action === 'call') expect(await peer.answer()).toMatchObject({ cmd: 'LEAVE_LOBBY', args: { lobby_id: '9' } })
    if (action === 'replace') expect((await peer.answer()).evt).toBe('AUTHORIZE_REQUEST')
    if (action === 'disconnect') await peer.ended()
    else peer.write(responseTo(other, null))
    expect(await world.probe.line('result', 2)).toMatchObject(action === 'disconnect' ? { ok: false, type: 'Aborted' } : { ok: true })
    await world.probe.quit()
  })

  test('runs the other callbacks after one that throws', async () => {
    const peer = await connected(world)
    world.probe.send('leave 1')
    world.probe.send('leave 2')
    const [one, other] = [await peer.message(), await peer.message()]
    world.probe.send('inside throw')
    await world.probe.ask('user', 'user')
    peer.write(responseTo(one, null), responseTo(other, null))
    expect(await world.probe.line('caught')).toEqual({ caught: 'thrown by a callback' })
    expect(await world.probe.line('result', 2)).toMatchObject({ ok: true })
    await world.probe.quit()
  })

  test('can be moved, and connects again with another application', async () => {
    const first = await connected(world)
    world.probe.send('move')
    expect(await world.probe.line('result')).toMatchObject({ type: 'ClientDestroyed' })
    world.probe.send('leave 2')
    expect((await first.answer()).args).toEqual({ lobby_id: '2' })
    await world.probe.line('result', 2)
    world.probe.send('leave 3')
    await first.message()
    world.probe.send('app 43')
    expect(await world.probe.line('result', 3)).toMatchObject({ type: 'Aborted' })
    expect(await (await world.server.peer()).handshake()).toMatchObject({ client_id: '43', sdk_version: 'probe/1.0' })
    await world.probe.quit()
  })
})
