/** What the conformance kit of the clients does not ask of the C client: its own API, calls inside callbacks, allocations. Under the sanitizers. */
import { expect, test } from 'vitest'
import { frame, jsonOf, OP } from '#test/support/frames.ts'
import { errorFor, event, NO_BRIDGE, responseTo } from '#test/support/scripted-server.ts'
import { describeC } from './support/c-world.ts'

const E = { reentrant: -3, notReady: -8, closed: -15, replaced: -17 } as const
const DEFERRED = 1

describeC('the C client', (world) => {
  test('with require_bridge accepts no other server', async () => {
    await world.probe.quit()
    world.start({ requireBridge: true })
    world.probe.send('connect 0')
    await (await world.server.peer()).ready(NO_BRIDGE)
    expect(await world.probe.state('offline')).toMatchObject({ error: 'E_NO_SERVER' })
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

  test('gives a subscription with arguments its own events, and on_event all', async () => {
    await world.probe.ask('subscribe GUILD_STATUS {"guild_id":"5"}', 'return')
    world.probe.send('connect -1')
    const peer = await world.server.peer()
    await peer.ready()
    await peer.answer()
    peer.write(event('GUILD_STATUS', { guild: { id: '6' } }), event('GUILD_STATUS', { guild: { id: '5' } }), event('LAST', null))
    await expect.poll(() => world.probe.with('event').at(-1)?.['event']).toBe('LAST')
    expect(world.probe.lines.filter(({ event: name }) => name === 'GUILD_STATUS')).toHaveLength(3)
    await world.probe.quit()
  })

  test('keeps a presence that is set without a connection, shows it once, and reports it once', async () => {
    expect(await world.probe.ask('activity {"state":"early"}', 'return')).toEqual({ return: DEFERRED })
    expect(await world.probe.ask('activity {"state":"late"}', 'return')).toEqual({ return: DEFERRED })
    expect(await world.probe.line('result')).toMatchObject({ result: 1, code: E.replaced, name: 'E_REPLACED' })
    world.probe.send('connect -1')
    const first = await world.server.peer()
    await first.ready()
    expect((await first.message()).args.activity).toEqual({ state: 'late' })
    // A loss before the answer is no end: the next connection shows it.
    first.socket.destroy()
    const peer = await world.server.peer()
    await peer.ready()
    expect((await peer.answer({ state: 'late' })).args.activity).toEqual({ state: 'late' })
    expect(await world.probe.line('result', 2)).toMatchObject({ result: 2, code: 0, data: { state: 'late' } })
    await world.probe.state('ready')
    world.probe.send('call LAST')
    expect((await peer.answer()).cmd).toBe('LAST')
    await world.probe.line('result', 3)
    // Another connection shows it again without a report.
    peer.socket.destroy()
    const third = await world.server.peer()
    await third.ready()
    expect((await third.answer()).args.activity).toEqual({ state: 'late' })
    world.probe.send('activity')
    await third.answer()
    expect(await world.probe.line('result', 4)).toMatchObject({ result: 4 })
    await world.probe.quit()
  })

  test('reports that a presence was refused, or cleared', async () => {
    world.probe.send('activity {"state":"x"}')
    world.probe.send('connect -1')
    const peer = await world.server.peer()
    await peer.ready()
    const set = await peer.message()
    world.probe.send('activity')
    peer.write(errorFor(set, { code: 4000, message: 'No.' }))
    expect(await world.probe.line('result')).toMatchObject({ result: 1, code: 4000 })
    expect((await peer.answer(null)).args).toEqual({ pid: expect.any(Number) })
    expect(await world.probe.line('result', 2)).toMatchObject({ result: 2, code: 0 })
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
