/** The member `key` of a call: where it has a meaning, and what it must be. */
import { describe, expect, test } from 'vitest'
import { WithWarnings } from '#daemon/src/ipc/connection/with-warnings.ts'
import { createHandlers } from '#daemon/src/rpc/handlers/index.ts'
import { Router } from '#daemon/src/rpc/router.ts'
import { Session } from '#daemon/src/sessions/session.ts'
import { TurnQueue } from '@sallyport/core/turn-queue'
import { testBridge } from '#test/support/bridge.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { unreadConnection } from '#test/support/session-connection.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const channel = unreadConnection(7)

/** Calls a keyed command, and one that takes no key, as a game that named a contract or did not. */
async function world(contract?: string) {
  const clock = new FakeClock()
  const seen: unknown[] = []
  const router = new Router(
    clock,
    { ...createHandlers(testBridge({ clock }).handlerDeps), GET_BRIDGE_STATUS: () => 'status' as never },
    {
      api:
        () =>
        (_args, { key }) => {
          seen.push(key)
          return 'made'
        },
      desktopClient: () => () => undefined,
    },
    new TurnQueue(clock, setImmediate),
    { strictArguments: true },
  )
  const session = new Session(channel, { applicationId: '1', ...(contract === undefined ? {} : { contract }) })
  const call = async (cmd: string, key: string | undefined, args: object = {}): Promise<unknown> =>
    router.route(session, { cmd, nonce: 'n', args, evt: undefined, sequence: 1, ...(key === undefined ? {} : { key }) })
  return { seen, call, keyed: (key?: string) => call('CREATE_LOBBY', key), unkeyed: (key?: string) => call('GET_BRIDGE_STATUS', key) }
}

describe('a key', () => {
  test('reaches the handler of a command that takes one', async () => {
    const { seen, keyed } = await world('1.0')
    expect([await keyed(KEY), await keyed(), seen]).toEqual(['made', 'made', [KEY, undefined]])
  })

  test.each(['', 'k', KEY.toUpperCase(), `${KEY}0`, KEY.slice(1), `${KEY}\n`])('is refused as %j, on every command', async (key) => {
    const { seen, keyed, unkeyed } = await world('1.0')
    for (const call of [keyed, unkeyed])
      await expect(call(key)).rejects.toMatchObject({ error: 'INVALID_PAYLOAD', detail: { path: 'key' } })
    expect(seen).toEqual([])
  })

  test('has no effect on other commands, which warn of it', async () => {
    const { unkeyed } = await world('1.0')
    expect(await unkeyed(KEY)).toEqual(
      new WithWarnings('status', [{ path: 'key', reason: expect.stringContaining('takes no key') as string }]),
    )
    expect(await unkeyed()).toBe('status')
  })

  test.each([KEY, 'k'])('means nothing (%j) without a contract', async (key) => {
    const { seen, keyed, unkeyed } = await world()
    expect([await keyed(key), await unkeyed(key), seen]).toEqual(['made', 'status', [undefined]])
  })
})
