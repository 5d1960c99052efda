/** Events on one connection: batched, in order, and paced for the reader. */
import { describe, expect, test } from 'vitest'
import type { Connection } from '#daemon/src/ipc/connection/connection.ts'
import { frame, jsonOf, messages, OP, split } from '#test/support/frames.ts'
import { call, afterReady, turn } from './harness.ts'

describe('events of one event-loop turn', () => {
  const event = (connection: Connection<string>, data: number) => connection.encodeEvent('X', data)
  const dataOf = (bytes: Buffer) => messages(bytes).map(({ data }) => data as number)

  test('are sent together at its end to a peer that parses streams, after earlier responses', async () => {
    const { connection, channel, give } = afterReady(undefined, { contract: '1.0', streams: true })
    channel.take()
    for (const data of [1, 2, 3]) connection.deliver(event(connection, data))
    expect(channel.writes).toEqual([])
    expect(give(call('n', 4)).map(({ payload }) => jsonOf(payload).data)).toEqual([1, 2, 3, 4])
    connection.deliver(event(connection, 5))
    connection.deliver(event(connection, 6))
    await turn()
    expect(channel.writes).toHaveLength(1)
    expect(dataOf(channel.take())).toEqual([5, 6])
  })
  test('are sent one by one to a peer that expects one frame per read, in any number', async () => {
    const { connection, channel, clock, stream } = afterReady()
    stream.onBytes(frame(OP.PING, ''))
    channel.take()
    for (let data = 0; data < 20; data++) connection.deliver(event(connection, data))
    await turn()
    clock.advance(1000)
    expect(channel.writes).toHaveLength(20)
    expect(dataOf(channel.take())).toEqual(Array.from({ length: 20 }, (_, data) => data))
  })
  test('precede the close frame, and nothing follows it', async () => {
    const { connection, channel } = afterReady()
    channel.take()
    connection.deliver(event(connection, 1))
    connection.close(4000, 'The end of the test.')
    const frames = split(channel.take()).frames
    expect(frames.map(({ opcode }) => opcode)).toEqual([OP.FRAME, OP.CLOSE])
    connection.deliver(event(connection, 2))
    await turn()
    expect(channel.writes).toEqual([])
  })
  test('of a closed connection are dropped', async () => {
    const { connection, channel, stream } = afterReady()
    channel.take()
    connection.deliver(event(connection, 1))
    stream.onClose()
    await turn()
    expect(channel.writes).toEqual([])
  })
})
