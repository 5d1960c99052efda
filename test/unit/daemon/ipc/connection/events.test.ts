/** Events on one connection: together, in order, and for each reader as it reads. */
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../../../../daemon/src/ipc/connection/connection.ts'
import { frame, jsonOf, messages, OP, split } from '../../../../support/frames.ts'
import { call, greeted, turn } from './harness.ts'

describe('events of one turn', () => {
  const event = (session: Connection<string>, data: number) => session.encodeEvent('X', data)
  const dataOf = (bytes: Buffer) => messages(bytes).map(({ data }) => data as number)

  test('go out together at its end to a peer that parses streams, after what was answered before', async () => {
    const { session, link, give } = greeted(undefined, { contract: '1.0', streams: true })
    link.take()
    for (const data of [1, 2, 3]) session.deliver(event(session, data))
    expect(link.writes).toEqual([])
    expect(give(call('n', 4)).map(({ payload }) => jsonOf(payload).data)).toEqual([1, 2, 3, 4])
    session.deliver(event(session, 5))
    session.deliver(event(session, 6))
    await turn()
    expect(link.writes).toHaveLength(1)
    expect(dataOf(link.take())).toEqual([5, 6])
  })
  test('go out one by one to a peer that takes one read for one frame, however many they are', async () => {
    const { session, link, clock } = greeted()
    session.onBytes(frame(OP.PING, ''))
    link.take()
    for (let data = 0; data < 20; data++) session.deliver(event(session, data))
    await turn()
    clock.advance(1000)
    expect(link.writes).toHaveLength(20)
    expect(dataOf(link.take())).toEqual(Array.from({ length: 20 }, (_, data) => data))
  })
  test('come before the last word, and nothing comes after it', async () => {
    const { session, link } = greeted()
    link.take()
    session.deliver(event(session, 1))
    session.close(4000, 'The end of the test.')
    const said = split(link.take()).frames
    expect(said.map(({ opcode }) => opcode)).toEqual([OP.FRAME, OP.CLOSE])
    session.deliver(event(session, 2))
    await turn()
    expect(link.writes).toEqual([])
  })
  test('of a connection that is gone go nowhere', async () => {
    const { session, link } = greeted()
    link.take()
    session.deliver(event(session, 1))
    session.onClose()
    await turn()
    expect(link.writes).toEqual([])
  })
})
