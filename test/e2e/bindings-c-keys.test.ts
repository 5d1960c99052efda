/** Calls with a key in the C client, besides what the conformance kit plays: their memory, their order, and calls inside callbacks. */
import { expect, test } from 'vitest'
import { type Call, type Peer, responseTo } from '#test/support/scripted-server.ts'
import { describeC } from './support/c-world.ts'

const E = { memory: -4, lost: -9, timeout: -10, closed: -15 } as const
const KEYS = { call_keys: true }
/** More bytes than the client queues for a server that does not read. */
const LARGE = 'x'.repeat(60_000)
const MANY = 60
/** What the tables of a client may differ by; each call that stays has more. */
const SMALL = 32_768

describeC('the calls with a key of the C client', (world) => {
  async function again(peer: Peer, ready: object = KEYS): Promise<Peer> {
    peer.socket.destroy()
    const next = await world.server.peer()
    await next.ready(ready)
    return next
  }

  test('are repeated in their order, more than the server reads at once, and give their memory back', async () => {
    const peer = await world.connected(KEYS)
    const before = await world.count()
    const calls: Call[] = []
    for (let index = 0; index < MANY; index += 1) {
      world.probe.send(`call SEND_LOBBY_MESSAGE {"index":${index},"content":"${LARGE}"}`)
      calls.push(await peer.message())
    }
    const next = await again(peer)
    const repeats: Call[] = []
    for (let index = 0; index < MANY; index += 1) repeats.push(await next.message())
    expect(repeats.map(({ key }) => key)).toEqual(calls.map(({ key }) => key))
    expect(repeats.map(({ args }) => args.index)).toEqual(calls.map((_, index) => index))
    next.write(...repeats.map((repeat) => responseTo(repeat, repeat.args.index)))
    await world.probe.line('result', MANY)
    expect(world.probe.with('result').every(({ result, data }) => result === data + 1)).toBe(true)
    // The buffers of a connection end with it.
    const last = await again(next)
    world.probe.send('call LAST')
    await expect.poll(async () => (await world.count()).in_use).toBeLessThan(before.in_use + SMALL)
    last.socket.destroy()
    await world.probe.quit()
  })

  test('allocate nothing once the client is ready, also when they are repeated', async () => {
    const peer = await world.connected(KEYS)
    let results = 0
    // Two calls are open at most, so that each turn takes the same memory.
    const turn = async (answering: Peer) => {
      world.probe.send('call SEND_LOBBY_MESSAGE {"lobby_id":"7","content":"12 crates ashore"}')
      world.probe.send('call CREATE_MESSAGE {"content":"12 crates ashore"}')
      await answering.answer({ id: '7' })
      await answering.answer({ id: '7' })
      results += 2
      await world.probe.line('result', results)
    }
    for (let warm = 0; warm < 3; warm += 1) await turn(peer)
    const before = await world.count()
    for (let round = 0; round < 50; round += 1) await turn(peer)
    expect((await world.count()).allocations).toBe(before.allocations)
    await world.probe.quit()
  })

  test('are not sent without the memory to keep them', async () => {
    const peer = await world.connected(KEYS)
    world.probe.send('inside no-memory')
    expect(await world.probe.ask('call SEND_LOBBY_MESSAGE {"content":"hello"}', 'return')).toEqual({ return: E.memory })
    world.probe.send('inside quiet')
    world.probe.send('call GET_LOBBY {"lobby_id":"7"}')
    expect((await peer.answer()).cmd).toBe('GET_LOBBY')
    world.probe.send('call SEND_LOBBY_MESSAGE {"content":"hello"}')
    expect((await peer.answer()).cmd).toBe('SEND_LOBBY_MESSAGE')
    await world.probe.line('result', 2)
    await world.probe.quit()
  })

  test.each(['close', 'destroy'])('end once when the callback of one can %s the client', async (action) => {
    const peer = await world.connected(KEYS)
    for (const content of ['first', 'second', 'third']) {
      world.probe.send(`call SEND_LOBBY_MESSAGE {"content":"${content}"}`)
      await peer.message()
    }
    world.probe.send(`inside result-${action}`)
    await again(peer, {})
    await world.probe.line('result', 3)
    const ends = world.probe.with('result').map(({ result, code }) => [result, code])
    expect(ends).toEqual([
      [1, E.lost],
      [2, E.closed],
      [3, E.closed],
    ])
    await world.probe.quit()
  })

  test('are not repeated when a sign-in that timed out may have changed the user', async () => {
    const peer = await world.connected(KEYS)
    world.probe.send('within 1 AUTHENTICATE')
    await peer.message()
    expect(await world.probe.line('result')).toMatchObject({ result: 1, code: E.timeout })
    world.probe.send('call SEND_LOBBY_MESSAGE {"content":"of whom?"}')
    await peer.message()
    const next = await again(peer)
    expect(await world.probe.line('result', 2)).toMatchObject({ result: 2, code: E.lost })
    // The sign-in ended with its connection.
    world.probe.send('call SEND_LOBBY_MESSAGE {"content":"of no user"}')
    const call = await next.message()
    expect(call.args.content).toBe('of no user')
    expect((await (await again(next)).answer()).key).toBe(call.key)
    expect(await world.probe.line('result', 3)).toMatchObject({ result: 3, code: 0 })
    await world.probe.quit()
  })

  test('are not retryable without a response, because they may have taken effect; others are', async () => {
    const peer = await world.connected(KEYS)
    for (const command of ['SEND_LOBBY_MESSAGE', 'GET_LOBBY']) {
      world.probe.send(`within 1 ${command}`)
      await peer.message()
    }
    await world.probe.line('result', 2)
    for (const command of ['SEND_LOBBY_MESSAGE', 'GET_LOBBY']) {
      world.probe.send(`call ${command} {"lobby_id":"7"}`)
      await peer.message()
    }
    // It honours no keys, so that the call with one is lost too.
    const next = await again(peer, {})
    await world.probe.line('result', 4)
    world.probe.send('call SEND_LOBBY_MESSAGE {"lobby_id":"7"}')
    await next.message()
    next.socket.destroy()
    await world.probe.line('result', 5)
    const ends = world.probe.with('result').toSorted((a, b) => a.result - b.result)
    expect(ends.map(({ code, retryable }) => [code, retryable])).toEqual([
      [E.timeout, 0],
      [E.timeout, 1],
      [E.lost, 0],
      [E.lost, 1],
      [E.lost, 0],
    ])
    await world.probe.quit()
  })

  test('end with the connection where the client does not reconnect', async () => {
    await world.probe.quit()
    world.start({ reconnect: false })
    const peer = await world.connected(KEYS)
    world.probe.send('call SEND_LOBBY_MESSAGE {"content":"hello"}')
    await peer.message()
    peer.socket.destroy()
    expect(await world.probe.line('result')).toMatchObject({ result: 1, code: E.lost })
    expect(await world.probe.state('offline')).toMatchObject({ error: 'E_CONNECTION_LOST' })
    await world.probe.quit()
  })
})
