import { COMMANDS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { createDefaultHandlers, createHandlers } from '#daemon/src/rpc/handlers/index.ts'
import { TurnQueue } from '@sallyport/core/turn-queue'
import { Session } from '#daemon/src/sessions/session.ts'
import type { CallContext } from '#daemon/src/rpc/context.ts'
import type { CallDeadline } from '#daemon/src/sessions/timed-call.ts'
import { Router } from '#daemon/src/rpc/router.ts'
import { testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { unreadConnection } from '#test/support/session-connection.ts'

const channel = unreadConnection(7)
const newCaller = () => new Session(channel, { applicationId: '1234567890' })
const envelope = (cmd: string, args?: unknown, evt?: unknown) => ({ cmd, nonce: 'n', args, evt, sequence: 1 })

function newRouter(clock = new FakeClock(), more: object = {}): Router {
  const { handlerDeps } = testBridge({ clock })
  const turns = new TurnQueue(clock, setImmediate)
  return new Router(clock, { ...createHandlers(handlerDeps), ...more }, createDefaultHandlers(handlerDeps), turns, {
    strictArguments: true,
  })
}

/** A router whose GET_BRIDGE_STATUS is this handler. */
function routerWith(handler: (args: unknown, context: CallContext) => unknown) {
  const clock = new FakeClock()
  const router = newRouter(clock, { GET_BRIDGE_STATUS: handler })
  const session = newCaller()
  return {
    clock,
    session,
    call: (args?: unknown, evt?: unknown) => router.route(session, envelope('GET_BRIDGE_STATUS', args, evt)),
  }
}

describe('a call', () => {
  test('reaches its handler with parsed arguments, the session and the event name', () => {
    const seen: unknown[] = []
    const { call, session } = routerWith((args, context) => seen.push(args, context.session, context.evt))
    call({}, 'EVENT')
    expect(seen).toEqual([{}, session, 'EVENT'])
  })
  test.each([[undefined], [null], [{}]])('without arguments may pass %j', (args) => expect(routerWith(() => 'ok').call(args)).toBe('ok'))
  test('with arguments that break the schema never reaches its handler', () => {
    const { call } = routerWith(() => 'reached')
    expect(() => call({ more: 1 })).toThrow(expect.objectContaining({ error: 'INVALID_PAYLOAD' }))
  })
  test.each(['NO_SUCH_COMMAND', '', 'toString', '__proto__', 'set_activity'])('of an unknown name (%j) is INVALID_COMMAND', (cmd) => {
    const router = newRouter()
    expect(() => router.route(newCaller(), envelope(cmd))).toThrow(expect.objectContaining({ error: 'INVALID_COMMAND' }))
  })
  test('is checked for scopes before its arguments', () => {
    const router = newRouter()
    expect(() => router.route(newCaller(), envelope('GET_GUILD', 'nonsense'))).toThrow(
      expect.objectContaining({ error: 'INVALID_PERMISSIONS' }),
    )
  })
})

test('every command of the table has a handler', () => {
  const router = newRouter()
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
  const patient = (work: (call: CallDeadline) => Promise<unknown>, deadlineMs?: number) =>
    routerWith((_, context) => context.withDeadline(work, deadlineMs))
  /** Ends when it is cancelled. */
  const untilAborted = ({ signal }: CallDeadline) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

  test('receives its deadline', async () => {
    const { call, clock, session } = patient(async ({ deadlineAt }) => deadlineAt)
    expect(await call()).toBe(clock.elapsed() + 30_000)
    session.deadlineMs = 500
    expect(await call()).toBe(clock.elapsed() + 500)
  })
  test('may have a deadline of its own', async () => {
    const { call, clock } = patient(async ({ deadlineAt }) => deadlineAt, 300_000)
    expect(await call()).toBe(clock.elapsed() + 300_000)
  })
  test('fails at the deadline with its own message, even if the cancelled work fails too', async () => {
    const { call, clock } = patient(untilAborted)
    const answer = expect(call()).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: 'No response within 30000 ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.',
    })
    clock.advance(30_000)
    await answer
  })
  test('in time leaves no timer', async () => {
    const { call, clock } = patient(async () => 1)
    await call()
    expect(clock.pending).toBe(0)
  })
  test('keeps its own error, and leaves no timer', async () => {
    const { call, clock } = patient(() => Promise.reject(new TypeError('mine')))
    await expect(call()).rejects.toThrow('mine')
    expect(clock.pending).toBe(0)
  })
  test('is cancelled when the session ends', async () => {
    const signals: AbortSignal[] = []
    const { call, session } = patient(async (pending) => {
      signals.push(pending.signal)
      return untilAborted(pending)
    })
    const answers = Promise.allSettled([call(), call()])
    session.cancelCalls()
    await answers
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})
