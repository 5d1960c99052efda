/** The proof that the process which connected sends the messages: by PING for clients with a contract, else by the first frame. */
import { LIMITS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { frame, handshake, OP, split } from '#test/support/frames.ts'
import { MemoryChannel } from '#test/support/memory-channel.ts'
import { call, open } from './harness.ts'

const CONNECTOR = 7
const HEIR = 8

/** The peer's messages come with the number of their sender while the daemon watches. */
class WatchedChannel extends MemoryChannel {
  hadUnread = false
  #onSender: ((pid: number | undefined) => void) | undefined
  constructor() {
    super({ trust: 'kernel', pid: CONNECTOR })
  }
  watchSenders(onSender: (pid: number | undefined) => void) {
    this.#onSender = onSender
    return { hadUnread: this.hadUnread, stop: () => void (this.#onSender = undefined) }
  }
  get isWatched(): boolean {
    return this.#onSender !== undefined
  }
  from(pid: number | undefined): void {
    this.#onSender?.(pid)
  }
}

function game(hello: object, { hasRights = true, hadUnread = false } = {}) {
  const channel = new WatchedChannel()
  channel.hadUnread = hadUnread
  const made = open(undefined, channel, { hasRights })
  made.give(handshake(hello))
  return {
    ...made,
    channel,
    says: (pid: number | undefined, ...frames: Buffer[]) => {
      channel.from(pid)
      return made.give(...frames)
    },
  }
}
const opcodesIn = (bytes: Buffer) => split(bytes).frames.map(({ opcode }) => opcode)

describe('a client without a contract', () => {
  test('proves itself by its first frame after READY, and receives no PING', async () => {
    const { connection, says, channel } = game({})
    says(CONNECTOR, call('1'))
    expect(channel.isWatched).toBe(false)
    expect(await connection.proveSender()).toBe(true)
    expect(await connection.proveSender(), 'once').toBe(true)
    expect(opcodesIn(channel.take())).not.toContain(OP.PING)
  })

  test.each([
    ['another process sent it', HEIR, {}],
    ['the kernel names no sender', undefined, {}],
    ['something was sent before', CONNECTOR, { hadUnread: true }],
  ])('does not if %s', async (_, pid, how) => {
    const { connection, says, channel } = game({}, how)
    says(pid, call('1'))
    expect(await connection.proveSender()).toBe(false)
    expect(opcodesIn(channel.take())).not.toContain(OP.PING)
  })

  test('does not by a frame that came together with its handshake', async () => {
    const channel = new WatchedChannel()
    const { connection, give } = open(undefined, channel, { hasRights: true })
    give(handshake({}), call('1'))
    expect(await connection.proveSender()).toBe(false)
  })

  test('does not if it is silent until the time is over, which ends the watch', async () => {
    const { connection, says, channel, clock } = game({})
    clock.advance(LIMITS.senderProofMs.value)
    expect(channel.isWatched).toBe(false)
    says(CONNECTOR, call('1'))
    expect(await connection.proveSender()).toBe(false)
  })

  test('is not watched if its program has no rights, and then proves nothing, at once', async () => {
    const { connection, channel } = game({}, { hasRights: false })
    expect(channel.isWatched).toBe(false)
    expect(await connection.proveSender()).toBe(false)
    expect(channel.isWatched).toBe(false)
  })
})

describe('a client with a contract', () => {
  const asked = (more = {}) => {
    const made = game({ contract: '1.0' }, more)
    made.channel.take()
    const proof = made.connection.proveSender()
    const ping = split(made.channel.take()).frames[0]
    if (ping?.opcode !== OP.PING) throw new Error('no PING')
    return { ...made, proof, payload: ping.payload }
  }

  test('proves itself by the PONG, and by no other frame', async () => {
    const { proof, says, payload, channel } = asked()
    says(CONNECTOR, call('1'), frame(OP.PONG, Buffer.alloc(16)))
    expect(channel.isWatched).toBe(true)
    says(CONNECTOR, frame(OP.PONG, payload))
    expect(await proof).toBe(true)
  })

  test('does not if another process sent the PONG, or none comes', async () => {
    const one = asked()
    one.says(HEIR, frame(OP.PONG, one.payload))
    expect(await one.proof).toBe(false)
    const two = asked()
    two.clock.advance(LIMITS.senderProofMs.value)
    expect(await two.proof).toBe(false)
  })
})
