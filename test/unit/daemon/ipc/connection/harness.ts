/** A session on a link in memory, with a host that answers calls as the test says. */
import { expect } from 'vitest'
import { Accounting } from '../../../../../daemon/src/accounting/accounting.ts'
import { json } from '../../../../../daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '../../../../../daemon/src/ipc/codec/msgpack.ts'
import { TurnEnd } from '@sallyport/core/turn-end'
import { programOf } from '../../../../../daemon/src/identity/program.ts'
import type { Envelope } from '../../../../../daemon/src/ipc/connection/envelope.ts'
import { Connection, type ConnectionHandler } from '../../../../../daemon/src/ipc/connection/connection.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { frame, handshake, OP, split } from '../../../../support/frames.ts'
import { MemoryLink } from '../../../../support/memory-link.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

export function connection(answer: (envelope: Envelope) => unknown = ({ args }) => args ?? null) {
  const clock = new FakeClock()
  const link = new MemoryLink()
  const log = new RecordingLog()
  const accounting = new Accounting(clock)
  const ended: (string | undefined)[] = []
  const calls: Envelope[] = []
  const flushes = new TurnEnd<Connection<string>>(setImmediate, (one) => one.flush())
  const msgpack = msgpackCodec()
  const host: ConnectionHandler<string> = {
    clock,
    log,
    account: (own) => accounting.connect(programOf({}), own),
    codec: (name) => ({ json, msgpack })[name],
    greet: (own, { applicationId }) => ({ caller: applicationId, ready: own.encodeEvent('READY', { v: 1 }) }),
    call: (caller, envelope) => {
      expect(caller).toBe('1234567890')
      calls.push(envelope)
      return answer(envelope)
    },
    flushSoon: (one) => flushes.add(one),
    ended: (_, caller) => ended.push(caller),
  }
  const session = new Connection<string>(1, link, host)
  /** Sends, and gives the frames that come back at once. */
  const give = (...frames: Buffer[]) => {
    session.onBytes(Buffer.concat(frames))
    return split(link.take()).frames
  }
  return { accounting, session, link, clock, log, ended, calls, give }
}

export function greeted(answer?: (envelope: Envelope) => unknown, hello: object = {}) {
  const made = connection(answer)
  made.give(handshake(hello))
  return made
}

export const call = (nonce: string, args?: unknown) => frame(OP.FRAME, { cmd: 'ECHO', nonce, args })
/** Resolves when this turn of the event loop is over. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
