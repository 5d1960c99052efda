/** Calls of which the first ones of their command make a schema, which takes several turns of the event loop. */
import { describe, expect, test, vi } from 'vitest'
import { unreadConnection } from '#test/support/session-connection.ts'

/** Modules in which no schema is made yet, and a router whose queue makes one part in each turn. */
async function startRouter() {
  vi.resetModules()
  const [{ testBridge }, { FakeClock }, { Router }, { Session }, { createDefaultHandlers, createHandlers }, { TurnQueue }] =
    await Promise.all([
      import('#test/support/bridge.ts'),
      import('#test/support/fake-clock.ts'),
      import('#daemon/src/rpc/router.ts'),
      import('#daemon/src/sessions/session.ts'),
      import('#daemon/src/rpc/handlers/index.ts'),
      import('@sallyport/core/turn-queue'),
    ])
  const { handlerDeps } = testBridge({ clock: new FakeClock() })
  const turns: (() => void)[] = []
  let now = 0
  // Each reading is later than a slice may last.
  const queue = new TurnQueue({ elapsed: () => (now += 10) }, (work) => turns.push(work))
  const handled: string[] = []
  const router = new Router(
    new FakeClock(),
    { ...createHandlers(handlerDeps), GET_BRIDGE_STATUS: (() => handled.push('GET_BRIDGE_STATUS')) as never },
    {
      ...createDefaultHandlers(handlerDeps),
      api:
        ({ name }) =>
        (args) =>
          handled.push(`${name} ${JSON.stringify(args)}`),
    },
    queue,
    { strictArguments: true },
  )
  const connect = (id: number) => {
    const connection = { ...unreadConnection(id), isOpen: true }
    const session = new Session(connection, { applicationId: '1234567890' })
    session.signIn({ userId: '1' } as never, ['rpc.local'])
    return { session, connection }
  }
  const call = (session: InstanceType<typeof Session>, cmd: string, args: object = {}) =>
    Promise.resolve().then(() => router.route(session, { cmd, nonce: 'n', args, evt: undefined, sequence: 1 }))
  /** Runs all turns, with what follows each, and returns their number. */
  const runTurns = async (): Promise<number> => {
    let count = 0
    for (let idle = 0; idle < 2; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const turn = turns.shift()
      if (turn === undefined) idle++
      else {
        idle = 0
        count++
        turn()
      }
    }
    return count
  }
  return { call, connect, handled, runTurns }
}

const MESSAGE = { channel_id: '1', content: 'hello' }
const SENT = `CREATE_MESSAGE ${JSON.stringify(MESSAGE)}`

describe('while the schema of a command is made', () => {
  test('calls of the same session start in their order, those of another session at once', async () => {
    const { call, connect, handled, runTurns } = await startRouter()
    const [one, other] = [connect(1).session, connect(2).session]
    await Promise.all([call(other, 'GET_BRIDGE_STATUS'), runTurns()])
    handled.length = 0
    const calls = [call(one, 'CREATE_MESSAGE', MESSAGE), call(one, 'GET_BRIDGE_STATUS'), call(one, 'CREATE_MESSAGE', MESSAGE)]
    await call(other, 'GET_BRIDGE_STATUS')
    expect(handled).toEqual(['GET_BRIDGE_STATUS'])
    expect(await runTurns()).toBeGreaterThan(10)
    await Promise.all(calls)
    expect(handled).toEqual(['GET_BRIDGE_STATUS', SENT, 'GET_BRIDGE_STATUS', SENT])
  })

  test('a second session waits for the same making, and a session that ends stops nothing', async () => {
    const { call, connect, handled, runTurns } = await startRouter()
    const [one, other] = [connect(1), connect(2)]
    const ended = call(one.session, 'CREATE_MESSAGE', MESSAGE)
    const second = call(other.session, 'CREATE_MESSAGE', MESSAGE)
    one.connection.isOpen = false
    const refused = expect(ended).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await runTurns()
    await Promise.all([refused, second])
    expect(handled).toEqual([SENT])
  })

  test('arguments are checked as ever, and a failed call holds up none', async () => {
    const { call, connect, handled, runTurns } = await startRouter()
    const { session } = connect(1)
    const wrong = expect(call(session, 'CREATE_MESSAGE', { channel_id: 5 })).rejects.toMatchObject({ error: 'INVALID_PAYLOAD' })
    const unknown = expect(call(session, 'NO_SUCH_COMMAND')).rejects.toMatchObject({ error: 'INVALID_COMMAND' })
    const right = call(session, 'CREATE_MESSAGE', MESSAGE)
    await runTurns()
    await Promise.all([wrong, unknown, right])
    expect(handled).toEqual([SENT])
  })

  test('a session that signs out, or is blocked, gets the error of its state when the call starts', async () => {
    const { call, connect, handled, runTurns } = await startRouter()
    const [out, blocked] = [connect(1).session, connect(2).session]
    const failures = [
      expect(call(out, 'CREATE_MESSAGE', MESSAGE)).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' }),
      expect(call(blocked, 'CREATE_MESSAGE', MESSAGE)).rejects.toMatchObject({ error: 'INVALID_PERMISSIONS' }),
    ]
    await Promise.resolve()
    out.scopes = new Set()
    blocked.isBlocked = true
    await runTurns()
    await Promise.all(failures)
    expect(handled).toEqual([])
  })
})
