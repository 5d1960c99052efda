/** A connection on a stream in memory; the test defines the responses. */
import { expect } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { EndOfTurnQueue } from '@sallyport/core/end-of-turn-queue'
import { programOf } from '#daemon/src/identity/program.ts'
import { FrameJoiner } from '#daemon/src/ipc/framing/encoder.ts'
import { FrameStream } from '#daemon/src/ipc/framing/frame-stream.ts'
import type { Envelope } from '#daemon/src/ipc/connection/envelope.ts'
import { Connection, type ConnectionHandler } from '#daemon/src/ipc/connection/connection.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { frame, handshake, OP, split } from '#test/support/frames.ts'
import { MemoryChannel } from '#test/support/memory-channel.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

export function open(
  answer: (envelope: Envelope) => unknown = ({ args }) => args ?? null,
  channel = new MemoryChannel(),
  says = { hasRights: false },
) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const accounting = new Accounting(clock)
  const unsentCharges: number[] = []
  const ended: (string | undefined)[] = []
  const calls: Envelope[] = []
  /** What was reported to the meter. */
  const answered: object[] = []
  const flushes = new EndOfTurnQueue<Connection<string>>(setImmediate, (one) => one.flush())
  const msgpack = msgpackCodec()
  const handler: ConnectionHandler<string> = {
    frameWatcher: undefined,
    calls: { watcher: undefined, failed: () => {} },
    meter: {
      now: () => clock.elapsed() * 1000,
      answered: (cmd, startedAt, code) => answered.push({ cmd, startedAt, code }),
      readEnded: (startedAt) => answered.push({ readSince: startedAt }),
    },
    clock,
    log,
    usage: (own) => {
      const usage = accounting.connect(programOf({}), own)
      const setUnsentBytes = usage.setUnsentBytes.bind(usage)
      usage.setUnsentBytes = (bytes) => {
        unsentCharges.push(bytes)
        setUnsentBytes(bytes)
      }
      return usage
    },
    codec: (name) => ({ json, msgpack })[name],
    hasRights: () => says.hasRights,
    accept: (own, { applicationId }) => ({ session: applicationId, ready: own.encodeEvent('READY', { v: 1 }) }),
    call: (caller, envelope) => {
      expect(caller).toBe('1234567890')
      calls.push(envelope)
      return answer(envelope)
    },
    flushSoon: (one) => flushes.add(one),
    onEnded: (_, caller) => ended.push(caller),
  }
  let opened: Connection<string> | undefined
  const stream = new FrameStream(channel, clock, new FrameJoiner(), (frames) => (opened = new Connection(1, frames, handler)))
  if (opened === undefined) throw new Error('the stream opened no connection')
  const connection: Connection<string> = opened
  /** Sends bytes and returns the frames that come back synchronously. */
  const give = (...frames: Buffer[]) => {
    stream.onBytes(Buffer.concat(frames))
    return split(channel.take()).frames
  }
  return { accounting, unsentCharges, connection, stream, channel, clock, log, ended, calls, answered, give }
}

export function afterReady(answer?: (envelope: Envelope) => unknown, hello: object = {}) {
  const made = open(answer)
  made.give(handshake(hello))
  return made
}

export const call = (nonce: string, args?: unknown) => frame(OP.FRAME, { cmd: 'ECHO', nonce, args })
/** Resolves at the end of this event-loop turn. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
