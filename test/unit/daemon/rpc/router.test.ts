import { COMMANDS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { FAMILIES, HANDLERS } from '../../../../daemon/src/rpc/handlers/index.ts'
import { Session, type SessionConnection } from '../../../../daemon/src/sessions/session.ts'
import type { CallContext, PendingCall } from '../../../../daemon/src/rpc/context.ts'
import { Router } from '../../../../daemon/src/rpc/router.ts'
import { testBridge } from '../../../support/bridge.ts'
import { FakeClock } from '../../../support/fake-clock.ts'

const channel: SessionConnection = {
  id: 7,
  peer: { trust: 'directory' },
  encoding: { name: 'json' },
  isOpen: true,
  encodeEvent: () => Buffer.alloc(0),
  deliver: () => {},
  close: () => {},
  proveSender: async () => true,
}
const newCaller = () => new Session(channel, { applicationId: '1234567890' })
const envelope = (cmd: string, args?: unknown, evt?: unknown) => ({ cmd, nonce: 'n', args, evt })

/** A router whose GET_BRIDGE_STATUS is this handler. */
function routerWith(handler: (args: unknown, context: CallContext, evt: unknown) => unknown) {
  const clock = new FakeClock()
  const { services } = testBridge({ clock })
  const router = new Router(services, { ...HANDLERS, GET_BRIDGE_STATUS: handler as never }, FAMILIES)
  const caller = newCaller()
  return {
    clock,
    caller,
    services,
    call: (args?: unknown, evt?: unknown) => router.route(caller, envelope('GET_BRIDGE_STATUS', args, evt)),
  }
}

describe('a call', () => {
  test('reaches its handler with parsed arguments, the caller and the event name', () => {
    const seen: unknown[] = []
    const { call, caller, services } = routerWith((args, context, evt) => seen.push(args, context.caller, context.services, evt))
    call({}, 'EVENT')
    expect(seen).toEqual([{}, caller, services, 'EVENT'])
  })
  test.each([[undefined], [null], [{}]])('without arguments may say so by %j', (args) =>
    expect(routerWith(() => 'ok').call(args)).toBe('ok'),
  )
  test('with arguments that break the schema never reaches its handler', () => {
    const { call } = routerWith(() => 'reached')
    expect(() => call({ more: 1 })).toThrow(expect.objectContaining({ error: 'INVALID_PAYLOAD' }))
  })
  test.each(['NO_SUCH_COMMAND', '', 'toString', '__proto__', 'set_activity'])('of no known name (%j) is INVALID_COMMAND', (cmd) => {
    const { services } = testBridge()
    const router = new Router(services, HANDLERS, FAMILIES)
    expect(() => router.route(newCaller(), envelope(cmd))).toThrow(expect.objectContaining({ error: 'INVALID_COMMAND' }))
  })
  test('is refused by the gate before its arguments are looked at', () => {
    const router = new Router(testBridge().services, HANDLERS, FAMILIES)
    expect(() => router.route(newCaller(), envelope('GET_GUILD', 'nonsense'))).toThrow(
      expect.objectContaining({ error: 'INVALID_PERMISSIONS' }),
    )
  })
})

test('no known command is ever unknown', () => {
  const router = new Router(testBridge().services, HANDLERS, FAMILIES)
  for (const name of Object.keys(COMMANDS)) {
    let failure: unknown
    try {
      const answer = router.route(newCaller(), envelope(name, { nonsense: 1 }))
      if (answer instanceof Promise) answer.catch(() => {})
    } catch (error) {
      failure = error
    }
    expect(failure, name).not.toMatchObject({ error: 'INVALID_COMMAND' })
  }
})

describe('work that takes time', () => {
  const patient = (work: (call: PendingCall) => Promise<unknown>, deadlineMs?: number) =>
    routerWith((_, context) => context.wait(work, deadlineMs))
  /** As every port does: ends when it is told to. */
  const untilAborted = ({ signal }: PendingCall) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

  test('is given its deadline', async () => {
    const { call, clock, caller } = patient(async ({ deadlineAt }) => deadlineAt)
    expect(await call()).toBe(clock.now() + 30_000)
    caller.deadlineMs = 500
    expect(await call()).toBe(clock.now() + 500)
  })
  test('may have a deadline of its own', async () => {
    const { call, clock } = patient(async ({ deadlineAt }) => deadlineAt, 300_000)
    expect(await call()).toBe(clock.now() + 300_000)
  })
  test('ends at the deadline with words for the caller, whatever the aborted part says', async () => {
    const { call, clock } = patient(untilAborted)
    const answer = expect(call()).rejects.toMatchObject({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('30000 ms') })
    clock.advance(30_000)
    await answer
  })
  test('in time leaves no timer', async () => {
    const { call, clock } = patient(async () => 1)
    await call()
    expect(clock.pending).toBe(0)
  })
  test('keeps its own failure, and leaves no timer', async () => {
    const { call, clock } = patient(() => Promise.reject(new TypeError('mine')))
    await expect(call()).rejects.toThrow('mine')
    expect(clock.pending).toBe(0)
  })
  test('is given up when the caller leaves', async () => {
    const signals: AbortSignal[] = []
    const { call, caller } = patient(async (pending) => {
      signals.push(pending.signal)
      return untilAborted(pending)
    })
    const answers = Promise.allSettled([call(), call()])
    caller.abandonCalls()
    await answers
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
