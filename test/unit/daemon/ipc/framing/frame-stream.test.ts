import { HEADER_BYTES } from '@sallyport/protocol/wire'
import { describe, expect, test } from 'vitest'
import { encodeMessage, FrameJoiner } from '#daemon/src/ipc/framing/encoder.ts'
import { FrameStream } from '#daemon/src/ipc/framing/frame-stream.ts'
import type { FrameReceiver } from '#daemon/src/ipc/transport/transport.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { frame, head, OP, split } from '#test/support/frames.ts'
import { MemoryChannel } from '#test/support/memory-channel.ts'

const PACE_MS = 3

class Recorder implements FrameReceiver {
  readonly seen: string[] = []
  /** Runs for each frame. */
  onEach: () => void = () => {}

  onFrame(opcode: number, payload: Buffer): void {
    this.seen.push(`${opcode} ${payload.toString()}`)
    this.onEach()
  }
  onOversize(declared: number, limit: number): void {
    this.seen.push(`oversize ${declared} ${limit}`)
  }
  onRead(unfinishedBytes: number): void {
    this.seen.push(`read ${unfinishedBytes > 0 ? 'with a rest' : 'complete'}`)
  }
  onDrain(): void {
    this.seen.push('drain')
  }
  onEnd(): void {
    this.seen.push('end')
  }
  onClose(): void {
    this.seen.push('close')
  }
}

function stream(channel = new MemoryChannel()) {
  const clock = new FakeClock()
  const receiver = new Recorder()
  const frames = new FrameStream(channel, clock, new FrameJoiner(), () => receiver)
  /** Opcodes and payloads of each write since the last call. */
  const writes = (): string[][] =>
    channel.writes.splice(0).map((bytes) => split(bytes).frames.map(({ opcode, payload }) => `${opcode} ${payload.toString()}`))
  return { channel, clock, receiver, frames, writes }
}

describe('frames from the peer', () => {
  test('arrive before the end of their read', () => {
    const { frames, receiver } = stream()
    frames.onBytes(Buffer.concat([frame(OP.PING, 'a'), frame(OP.FRAME, 'b')]))
    expect(receiver.seen).toEqual(['3 a', '1 b', 'read complete'])
  })
  test('that are incomplete are reported with each read', () => {
    const { frames, receiver } = stream()
    const whole = frame(OP.FRAME, 'abc')
    frames.onBytes(whole.subarray(0, 9))
    frames.onBytes(whole.subarray(9))
    expect(receiver.seen).toEqual(['read with a rest', '1 abc', 'read complete'])
  })
  test('are limited to a handshake until the handshake raises the limit', () => {
    const before = stream()
    before.frames.onBytes(head(OP.HANDSHAKE, 4097))
    expect(before.receiver.seen[0]).toBe('oversize 4097 4096')
    const after = stream()
    after.frames.setStreamOptions({ maxPayloadBytes: 5000, canBatch: false })
    after.frames.onBytes(frame(OP.FRAME, 'x'.repeat(5000)))
    after.frames.onBytes(head(OP.FRAME, 5001))
    expect(after.receiver.seen).toContain('oversize 5001 5000')
  })
  test.each([
    ['end', 'end'],
    ['destroy', 'destroy'],
  ] as const)('are not read after %s, not even in the same chunk', (method, logged) => {
    const { frames, receiver, channel } = stream()
    receiver.onEach = () => frames[method]()
    frames.onBytes(Buffer.concat([frame(OP.FRAME, 'a'), frame(OP.FRAME, 'b')]))
    frames.onBytes(frame(OP.FRAME, 'c'))
    expect(receiver.seen).toEqual(['1 a', 'read complete', 'read complete'])
    expect(channel.log).toEqual([logged])
  })
})

describe('frames to the peer', () => {
  test('wait for a flush and for their turn', () => {
    const { frames, writes, clock, receiver } = stream()
    frames.send(encodeMessage('a'))
    frames.sendPong(Buffer.from('b'))
    expect(writes()).toEqual([])
    frames.flush()
    expect(writes()).toEqual([['1 a']])
    clock.advance(PACE_MS)
    expect(writes()).toEqual([['4 b']])
    expect(receiver.seen).toEqual(['drain'])
  })
  test('do not wait for a peer that has sent bytes', () => {
    const { frames, writes, clock } = stream()
    for (const letter of 'ab') {
      frames.onBytes(frame(OP.PONG, ''))
      frames.send(encodeMessage(letter))
      frames.flush()
    }
    expect(writes()).toEqual([['1 a'], ['1 b']])
    expect(clock.pending).toBe(0)
  })
  test('leave in one write to a peer that parses streams', () => {
    const { frames, writes } = stream()
    frames.setStreamOptions({ maxPayloadBytes: 100, canBatch: true })
    frames.send(encodeMessage('a'))
    frames.sendEvent(encodeMessage('b'))
    frames.flush()
    expect(writes()).toEqual([['1 a', '1 b']])
  })
  test('of responses are written as text, alone or between others, with their length in bytes', () => {
    const { frames, writes, clock } = stream()
    const send = (text: string) => frames.sendText(text, Buffer.byteLength(text))
    send('"ü"')
    expect(frames.unsentBytes).toBe(HEADER_BYTES + 4)
    frames.flush()
    expect(writes()).toEqual([['1 "ü"']])
    // A peer that may read one frame at a time.
    send('"€"')
    send('"b"')
    frames.flush()
    clock.advance(PACE_MS)
    expect(writes()).toEqual([['1 "€"']])
    clock.advance(PACE_MS)
    expect(writes()).toEqual([['1 "b"']])
    expect(frames.unsentBytes).toBe(0)
    // A peer that parses streams.
    frames.setStreamOptions({ maxPayloadBytes: 100, canBatch: true })
    send('"😀"')
    frames.sendEvent(encodeMessage('event'))
    send('')
    frames.flush()
    expect(writes()).toEqual([['1 "😀"', '1 event', '1 ']])
  })
  test('that are events are written without a copy', () => {
    const written: Buffer[] = []
    class Keeping extends MemoryChannel {
      override write(bytes: Buffer): boolean {
        written.push(bytes)
        return super.write(bytes)
      }
    }
    const event = encodeMessage('shared')
    for (const { frames } of [stream(new Keeping()), stream(new Keeping())]) {
      frames.sendEvent(event)
      frames.flush()
    }
    expect(written).toHaveLength(2)
    for (const bytes of written) expect(bytes).toBe(event)
  })
  test('count as unsent until the system accepts them', () => {
    const { frames, channel } = stream()
    const message = encodeMessage('abc')
    channel.isStuck = true
    frames.send(message)
    expect(frames.unsentBytes).toBe(message.length)
    frames.flush()
    expect(frames.unsentBytes).toBe(message.length)
    channel.pendingBytes = 0
    expect(frames.unsentBytes).toBe(0)
  })
  test('leave before the end, with the reason last and in one write', () => {
    const { frames, writes, channel, clock } = stream()
    frames.send(encodeMessage('a'))
    frames.send(encodeMessage('b'))
    frames.end({ code: 1000, message: 'Enough.', payload: 'why' })
    expect(writes()).toEqual([['1 a', '1 b', '2 why']])
    expect(channel.log).toEqual(['end'])
    expect(clock.pending).toBe(0)
  })
  test.each(['end', 'destroy', 'onClose'] as const)('are dropped after %s', (method) => {
    const { frames, writes, clock } = stream()
    frames[method]()
    frames.send(encodeMessage('a'))
    frames.sendText('c', 1)
    frames.sendEvent(encodeMessage('b'))
    frames.flush()
    expect(frames.unsentBytes).toBe(0)
    expect(writes()).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('a ping to the sender', () => {
  test('is written at once, past the queue', () => {
    const order: string[] = []
    const senders: (number | undefined)[] = []
    class Watched extends MemoryChannel {
      override write(bytes: Buffer): boolean {
        order.push('write')
        return super.write(bytes)
      }
      watchSenders(onSender: (pid: number | undefined) => void) {
        order.push('watch')
        onSender(7)
        return { hadUnread: false, stop: () => void order.push('stop') }
      }
    }
    const { frames, writes } = stream(new Watched())
    const watch = frames.watchSenders((pid) => senders.push(pid))
    frames.sendPing(Buffer.from('nonce'))
    watch?.stop()
    expect(writes()).toEqual([['3 nonce']])
    expect(order).toEqual(['watch', 'write', 'stop'])
    expect(senders).toEqual([7])
  })
  test('has no watch where senders are unknown', () => {
    expect(stream().frames.watchSenders(() => {})).toBeUndefined()
  })
})

test('drain, end and close are passed on', () => {
  const { frames, receiver } = stream()
  frames.onDrain()
  frames.onEnd()
  frames.onClose()
  expect(receiver.seen).toEqual(['drain', 'end', 'close'])
})
