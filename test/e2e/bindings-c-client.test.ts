/** The C client and a server that a test scripts: search, restoration, sign-in, and calls of the API inside callbacks. Under the sanitizers. */
import { expect, test } from 'vitest'
import { frame, jsonOf, OP } from '#test/support/frames.ts'
import { errorFor, event, NO_BRIDGE, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { describeC } from './support/c-world.ts'

const E = { reentrant: -3, notReady: -8, timeout: -10, closed: -15 } as const

describeC('the C client', (world) => {
  test('names itself in the handshake', async () => {
    world.probe.send('connect -1')
    expect(await (await world.server.peer()).handshake()).toEqual({
      v: 1,
      client_id: '42',
      contract: '1.0',
      encoding: 'json',
      max_frame_bytes: 1_048_576,
      streams: true,
      sdk_version: 'sallyport-c/0.1.0',
    })
  })

  test('prefers a bridge to a server in an earlier slot, and takes the other one if there is none', async () => {
    const second = await ScriptedServer.listen(world.runtime, 1)
    world.probe.send('connect -1')
    const other = await world.server.peer()
    await other.ready(NO_BRIDGE)
    const bridge = await second.peer()
    await bridge.ready()
    await world.probe.state('ready')
    await other.ended()
    await world.probe.quit()
    await second.close()

    world.start()
    world.probe.send('connect -1')
    await (await world.server.peer()).ready(NO_BRIDGE)
    await world.probe.state('ready')
    await world.probe.quit()
  })

  test('with require_bridge accepts no other server', async () => {
    await world.probe.quit()
    world.start({ requireBridge: true })
    world.probe.send('connect 0')
    await (await world.server.peer()).ready(NO_BRIDGE)
    expect(await world.probe.state('offline')).toMatchObject({ error: 'E_NO_SERVER' })
    await world.probe.quit()
  })

  test('ends a call in time, and ignores its late response', async () => {
    const peer = await world.connected()
    world.probe.send('within 50 X')
    const call = await peer.message()
    expect(await world.probe.line('result')).toMatchObject({ code: E.timeout, name: 'E_TIMEOUT' })
    peer.write(responseTo(call, 'late'), event('AFTER', null))
    await expect.poll(() => world.probe.with('event').at(-1)?.['event']).toBe('AFTER')
    expect(world.probe.with('result')).toHaveLength(1)
    await world.probe.quit()
  })

  test('measures with a PING, which only its PONG ends', async () => {
    expect(await world.probe.ask('ping', 'return')).toEqual({ return: E.notReady })
    const peer = await world.connected()
    world.probe.send('ping')
    const { opcode, payload } = await peer.frame()
    expect(opcode).toBe(OP.PING)
    const nonce = jsonOf(payload) as string
    peer.write(frame(OP.FRAME, { cmd: 'X', evt: null, nonce, data: 1 }), frame(OP.PONG, '{'), frame(OP.PONG, '"7"'), event('MARK', null))
    await expect.poll(() => world.probe.with('event').at(-1)?.['event']).toBe('MARK')
    expect(world.probe.with('result')).toEqual([])
    world.probe.send('call X')
    const call = await peer.message()
    peer.write(frame(OP.PONG, JSON.stringify(call.nonce)), frame(OP.PONG, payload))
    expect(await world.probe.line('result')).toMatchObject({ result: 2, code: 0, bytes: 0 })
    peer.write(responseTo(call, null))
    expect(await world.probe.line('result', 2)).toMatchObject({ result: 3, code: 0 })
    await world.probe.quit()
  })

  test('restores AUTHORIZE_REQUEST, the sign-in, the subscriptions and the presence, in this order', async () => {
    await world.probe.ask('subscribe ACTIVITY_JOIN', 'return')
    await world.probe.ask('subscribe GUILD_STATUS {"guild_id":"5"}', 'return')
    await world.probe.ask('subscribe AUTHORIZE_REQUEST', 'return')
    world.probe.send('connect -1')
    const first = await world.server.peer()
    await first.ready()
    expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST' })
    expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'ACTIVITY_JOIN' })
    expect(await first.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: { guild_id: '5' } })
    expect(await world.probe.state('ready')).toMatchObject({ active: 3, sign_in: 0, presence: 0 })
    world.probe.send('sign-in-silently')
    await first.answer({ user: { id: '77', username: 'ada' } })
    await world.probe.line('result')
    world.probe.send('activity {"state":"one"}')
    expect((await first.answer()).args).toMatchObject({ activity: { state: 'one' } })
    world.probe.send('activity {"state":"two"}')
    expect((await first.answer()).args).toMatchObject({ activity: { state: 'two' } })
    await world.probe.line('result', 3)

    const from = world.probe.lines.length
    first.socket.destroy()
    const second = await world.server.peer()
    await second.ready()
    expect(await second.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: 'AUTHORIZE_REQUEST' })
    const signIn = await second.message()
    expect(signIn).toMatchObject({ cmd: 'AUTHENTICATE', args: { user_id: '77' } })
    second.write(responseTo(signIn, { user: { id: '77' } }))
    const rest = [await second.answer(), await second.answer(), await second.answer()]
    expect(rest.map(({ cmd, evt }) => evt ?? cmd)).toEqual(['ACTIVITY_JOIN', 'GUILD_STATUS', 'SET_ACTIVITY'])
    expect(rest[2]?.args.activity).toEqual({ state: 'two' })
    expect(await world.probe.state('ready', from)).toMatchObject({ sign_in: 1, presence: 1, active: 3, refused: 0 })

    second.write(event('GUILD_STATUS', { guild: { id: '6' } }), event('GUILD_STATUS', { guild: { id: '5' } }))
    // on_event of the options gets both; the subscription one.
    await expect.poll(() => world.probe.lines.filter(({ event: name }) => name === 'GUILD_STATUS')).toHaveLength(3)
    await world.probe.quit()
  })

  test('keeps the last presence of the time without a connection, and none that was refused', async () => {
    const first = await world.connected()
    world.probe.send('activity {"state":"good"}')
    await first.answer()
    world.probe.send('activity {"state":"bad"}')
    first.write(errorFor(await first.message(), { code: 4000, message: 'Bad.' }))
    await world.probe.line('result', 2)
    first.socket.destroy()
    const second = await world.server.peer()
    await second.ready()
    expect((await second.message()).args.activity).toEqual({ state: 'good' })
    const from = world.probe.lines.length
    second.socket.destroy()
    await world.probe.state('waiting', from)
    const returned = world.probe.with('return').length
    world.probe.send('activity {"state":"newer"}')
    world.probe.send('activity {"state":"newest"}')
    expect(await world.probe.line('return', returned + 2)).toEqual({ return: E.notReady })
    const third = await world.server.peer()
    await third.ready()
    expect((await third.answer()).args.activity).toEqual({ state: 'newest' })
    await world.probe.quit()
  })

  test('signs in with a proof key', async () => {
    const peer = await world.connected()
    world.probe.send('sign-in openid sdk.social_layer_presence')
    const authorize = await peer.answer({ code: 'c\u00f6de', redirect_uri: 'http://127.0.0.1/' })
    expect(authorize).toMatchObject({ cmd: 'AUTHORIZE', args: { client_id: '42', scopes: ['openid', 'sdk.social_layer_presence'] } })
    const exchange = await peer.answer({ access_token: 'secret' })
    expect(exchange).toMatchObject({ cmd: 'GET_TOKEN', args: { code: 'c\u00f6de', redirect_uri: 'http://127.0.0.1/' } })
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(exchange.args.code_verifier as string))
    expect(authorize.args.code_challenge).toBe(Buffer.from(digest).toString('base64url'))
    expect(await peer.answer({ user: { id: '9' } })).toMatchObject({ cmd: 'AUTHENTICATE', args: {} })
    expect(await world.probe.line('result')).toMatchObject({ code: 0, data: { user: { id: '9' } } })
    expect(await world.probe.line('account')).toEqual({ account: 1 })
    await world.probe.quit()
  })

  test('calls back for each pending call when it closes, and never later', async () => {
    const peer = await world.connected()
    world.probe.send('call X')
    world.probe.send('call Y')
    await peer.message()
    await peer.message()
    world.probe.send('close')
    await world.probe.line('result', 2)
    expect(world.probe.with('result').map(({ code }) => code)).toEqual([E.closed, E.closed])
    peer.write(event('AFTER', null))
    expect(await world.probe.ask('connect -1', 'return')).toEqual({ return: E.closed })
    const from = world.probe.lines.findIndex(({ state }) => state === 'closed')
    expect(world.probe.lines.slice(from).some((line) => 'event' in line || 'result' in line)).toBe(false)
    await world.probe.quit()
  })

  test.each(['close', 'destroy'])('can %s inside a callback', async (action) => {
    const peer = await world.connected()
    world.probe.send('call X')
    await peer.message()
    world.probe.send(`inside ${action}`)
    await world.probe.ask('status 0', 'status')
    peer.write(event('ONE', null), event('TWO', null))
    expect(await world.probe.line('result')).toMatchObject({ code: E.closed })
    await peer.ended()
    await world.probe.quit()
    expect(world.probe.with('event').map(({ event: name }) => name)).toEqual(['READY', 'ONE'])
  })

  test('refuses poll inside a callback, and makes calls there', async () => {
    const peer = await world.connected()
    world.probe.send('inside poll')
    await world.probe.ask('status 0', 'status')
    peer.write(event('ONE', null))
    expect(await world.probe.line('return', 2)).toEqual({ return: E.reentrant })
    world.probe.send('inside call')
    await world.probe.ask('status 0', 'status')
    await world.probe.line('status')
    peer.write(event('TWO', null))
    expect((await peer.message()).cmd).toBe('FROM_CALLBACK')
    await world.probe.quit()
  })

  test('allocates nothing once it is ready', async () => {
    const peer = await world.connected()
    const turn = async () => {
      world.probe.send('call GET_LOBBY {"lobby_id":"7"}')
      world.probe.send('activity {"state":"Unloading the Copper Wren","details":"12 crates ashore"}')
      await peer.answer({ id: '7', members: [] })
      await peer.answer({ state: 'x' })
      peer.write(event('LOBBY_MESSAGE_CREATE', { text: 'x'.repeat(500) }))
    }
    for (let warm = 0; warm < 3; warm += 1) await turn()
    await world.probe.line('result', 6)
    const before = await world.count()
    for (let round = 0; round < 50; round += 1) await turn()
    await world.probe.line('result', 106)
    expect((await world.count()).allocations).toBe(before.allocations)
    await world.probe.quit()
  })
})
