/** Calls with a key: sent again with it after a broken connection, and only where that takes effect once. */
import { CallError, CallTimeoutError, type ClientOptions, ConnectionLostError, newCallKey, type SallyportClient } from '@sallyport/client'
import { ERRORS } from '@sallyport/protocol/errors'
import { LIMITS } from '@sallyport/protocol/limits'
import { describe, expect, test } from 'vitest'
import { type Asked, MemoryServer, quiet } from './memory-server.ts'

const KEY = /^[0-9a-f]{32}$/
const LOBBY = { lobby_id: '1', content: 'hi' }

async function world(ready: object = { call_keys: true }, options: Partial<ClientOptions> = {}) {
  const server = new MemoryServer()
  server.ready = ready
  const client = await server.client(options)
  return {
    server,
    client,
    /** Calls of this command on the current connection. */
    sent: (command = 'SEND_LOBBY_MESSAGE'): readonly Asked[] => server.last.asked.filter(({ cmd }) => cmd === command),
    /** From now on the server answers nothing until it comes back. */
    async breakWhile(made: () => Promise<unknown>): Promise<{ readonly outcome: Promise<unknown>; isOver: boolean }> {
      server.last.isHeld = true
      const state = { outcome: made().catch((error: unknown) => error), isOver: false }
      void state.outcome.then(() => (state.isOver = true))
      await quiet()
      await server.vanish()
      return state
    },
  }
}

/** A call of a signed-in user waits, because the platform could not check the sign-in on the next connection. */
async function waiting() {
  const scene = await world()
  const { server, client, breakWhile } = scene
  await client.signInSilently()
  const state = await breakWhile(say(client, { timeoutMs: 120_000 }))
  server.judge = ({ cmd }) => (cmd === 'AUTHENTICATE' ? ERRORS.SERVICE_UNAVAILABLE.code : undefined)
  await server.comeBack()
  server.judge = () => undefined
  expect([client.state.name, state.isOver, scene.sent()]).toEqual(['ready', false, []])
  return { ...scene, state }
}

const say =
  (client: SallyportClient, options: object = {}) =>
  (): Promise<unknown> =>
    client.request('SEND_LOBBY_MESSAGE', LOBBY, options)

describe('a call of a command that takes a key', () => {
  test('has a new one each time', async () => {
    const { client, sent } = await world()
    await say(client)()
    await say(client)()
    const keys = sent().map(({ key }) => key)
    expect(keys).toEqual([expect.stringMatching(KEY), expect.stringMatching(KEY)])
    expect(new Set(keys).size).toBe(2)
  })

  test('has none on a server that does not keep to it, and is lost with the connection', async () => {
    const { server, client, sent, breakWhile } = await world({})
    const { outcome } = await breakWhile(say(client))
    expect(sent()[0]).not.toHaveProperty('key')
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    await server.comeBack()
    expect(sent()).toEqual([])
  })

  test('is sent again with the same key and arguments, and another nonce, after the sign-in', async () => {
    const { server, client, sent, breakWhile } = await world()
    await client.signInSilently()
    const state = await breakWhile(say(client))
    const [first] = sent()
    expect(state.isOver).toBe(false)
    await server.comeBack()
    const [second, ...more] = sent()
    expect(more).toEqual([])
    expect(second).toEqual({ ...first, nonce: second?.nonce })
    expect(second?.nonce).not.toBe(first?.nonce)
    expect(server.last.asked.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE', 'SEND_LOBBY_MESSAGE'])
    expect(await state.outcome).toEqual({ evt: '' })
  })

  test('is sent again on each connection until its response', async () => {
    const { server, client, sent, breakWhile } = await world()
    const { outcome } = await breakWhile(say(client))
    const [first] = sent()
    server.holdsAnswers = true
    await server.comeBack()
    expect(sent()).toMatchObject([{ key: first?.key }])
    await server.vanish()
    server.holdsAnswers = false
    await server.comeBack()
    expect(sent()).toMatchObject([{ key: first?.key }])
    expect(await outcome).toEqual({ evt: '' })
  })

  test('is not repeated after an error, which may say that the outcome is unknown', async () => {
    const { server, client, sent, breakWhile } = await world()
    const { outcome } = await breakWhile(say(client))
    server.judge = ({ cmd }) => (cmd === 'SEND_LOBBY_MESSAGE' ? ERRORS.UNKNOWN_OUTCOME.code : undefined)
    await server.comeBack()
    const error = await outcome
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ errorName: 'UNKNOWN_OUTCOME', retryable: false })
    await server.vanish()
    await server.comeBack()
    expect(sent()).toEqual([])
  })

  test('ends at its timeout, connected or not', async () => {
    const { server, client, sent, breakWhile } = await world()
    const { outcome } = await breakWhile(say(client, { timeoutMs: 1000 }))
    await server.pass(1000)
    expect(await outcome).toBeInstanceOf(CallTimeoutError)
    await server.comeBack()
    expect(sent()).toEqual([])
  })

  test('ends with its signal and with the client', async () => {
    const { server, client, sent, breakWhile } = await world()
    const stop = new AbortController()
    server.last.isHeld = true
    const stopped = say(client, { signal: stop.signal })().catch((error: unknown) => error)
    const { outcome } = await breakWhile(say(client))
    stop.abort(new Error('enough'))
    expect(await stopped).toMatchObject({ message: 'enough' })
    await client.close()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    await server.comeBack()
    expect(sent()).toHaveLength(2)
  })

  test('is lost if the next server does not keep to keys', async () => {
    const { server, client, sent, breakWhile } = await world()
    const { outcome } = await breakWhile(say(client))
    server.ready = {}
    await server.comeBack()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    expect(sent()).toEqual([])
  })

  test('is lost if another user is signed in, for whom it would be another call', async () => {
    const { server, client, sent, breakWhile } = await world()
    await client.signInSilently()
    const { outcome } = await breakWhile(say(client))
    server.userId = '43'
    await server.comeBack()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    expect(sent()).toEqual([])
  })

  test('is lost if a sign-in had no answer when it was sent, because either user may have made it', async () => {
    const { server, client, sent, breakWhile } = await world()
    await client.signInSilently()
    const { outcome } = await breakWhile(() => {
      client.request('AUTHENTICATE', {}).catch(() => {})
      return say(client)()
    })
    await server.comeBack()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    expect(sent()).toEqual([])
  })

  test('waits while the client cannot sign in yet, and is lost if the sign-in is refused', async () => {
    for (const [code, isHeld] of [
      [ERRORS.SERVICE_UNAVAILABLE.code, true],
      [ERRORS.INVALID_TOKEN.code, false],
    ] as const) {
      const { server, client, sent, breakWhile } = await world()
      await client.signInSilently()
      const state = await breakWhile(say(client, { timeoutMs: 120_000 }))
      server.judge = ({ cmd }) => (cmd === 'AUTHENTICATE' ? code : undefined)
      await server.comeBack()
      expect([state.isOver, sent().length]).toEqual([!isHeld, 0])
      server.judge = () => undefined
      await server.pass(30_000)
      expect([state.isOver, sent().length]).toEqual([true, isHeld ? 1 : 0])
    }
  })

  test('waits until each sign-in has an answer, and is sent only for its user', async () => {
    for (const [last, isSent] of [
      ['42', true],
      ['43', false],
    ] as const) {
      const { server, client, sent, state } = await waiting()
      server.last.isHeld = true
      const signIns = [client.signInSilently(), client.signInSilently()]
      await quiet()
      server.last.answer(1)
      await quiet()
      expect([client.account, state.isOver, sent()]).toEqual(['signed-in', false, []])
      server.userId = last
      server.last.answer()
      await Promise.all(signIns)
      await quiet()
      expect(sent()).toHaveLength(isSent ? 1 : 0)
      server.last.answer()
      const outcome: unknown = await state.outcome
      if (isSent) expect(outcome).toEqual({ evt: '' })
      else expect(outcome).toBeInstanceOf(ConnectionLostError)
    }
  })

  test('waits for a sign-in that is refused, too', async () => {
    const { server, client, sent, state } = await waiting()
    server.last.isHeld = true
    const signIns = [client.signInSilently(), client.signInSilently()]
    await quiet()
    server.last.answer(1)
    server.judge = ({ cmd }) => (cmd === 'AUTHENTICATE' ? ERRORS.INVALID_TOKEN.code : undefined)
    server.last.isHeld = false
    server.last.answer()
    await Promise.allSettled(signIns)
    await quiet()
    expect(sent()).toHaveLength(1)
    expect(await state.outcome).toEqual({ evt: '' })
  })

  test('is sent before the calls of a listener, which may sign in another user', async () => {
    const { server, client, breakWhile } = await world()
    await client.signInSilently()
    const { outcome } = await breakWhile(say(client))
    client.onState(({ name }) => {
      if (name === 'ready') client.request('AUTHENTICATE', { user_id: '43' }).catch(() => {})
    })
    await server.comeBack()
    expect(server.last.asked.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE', 'SEND_LOBBY_MESSAGE', 'AUTHENTICATE'])
    expect(await outcome).toEqual({ evt: '' })
  })

  test('is lost when the repeated sign-in is refused, or the game signs out', async () => {
    const refused = await waiting()
    refused.server.judge = ({ cmd }) => (cmd === 'AUTHENTICATE' ? ERRORS.INVALID_TOKEN.code : undefined)
    await refused.server.pass(30_000)
    expect(refused.state.isOver).toBe(true)
    expect(await refused.state.outcome).toBeInstanceOf(ConnectionLostError)
    const signedOut = await waiting()
    await signedOut.client.signOut()
    await quiet()
    expect(signedOut.state.isOver).toBe(true)
    expect(await signedOut.state.outcome).toBeInstanceOf(ConnectionLostError)
    expect([...refused.sent(), ...signedOut.sent()]).toEqual([])
  })

  test('has the arguments of its first time, although the game has changed them', async () => {
    const { server, client, sent, breakWhile } = await world()
    const args: Record<string, unknown> = { lobby_id: '1', content: 'first', metadata: { mark: '1' } }
    const ask = () => client.request('SEND_LOBBY_MESSAGE', args).catch((error: unknown) => error)
    const { outcome } = await breakWhile(() => {
      const first = ask()
      args['content'] = 'second'
      const second = ask()
      Object.assign(args['metadata'] as object, { mark: 2n })
      return Promise.all([first, second])
    })
    const before = sent()
    expect(before.map(({ args: { content } }) => content)).toEqual(['first', 'second'])
    await server.comeBack()
    expect(sent()).toEqual(before.map((call, index) => ({ ...call, nonce: sent()[index]?.nonce })))
    expect(await outcome).toEqual([{ evt: '' }, { evt: '' }])
  })

  test('is lost, not refused, if it cannot be sent again, because the first may have been made', async () => {
    const { server, client, sent, breakWhile } = await world()
    const content = 'x'.repeat(LIMITS.outgoingPayloadBytes.value)
    const { outcome } = await breakWhile(() => client.request('SEND_LOBBY_MESSAGE', { content }))
    server.ready = { call_keys: true, contract: undefined }
    await server.comeBack()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    expect(sent()).toEqual([])
  })

  test('has none of its own if the client does not reconnect, and so repeats nothing', async () => {
    const { client, sent } = await world({ call_keys: true }, { reconnect: false })
    await say(client)()
    const key = newCallKey()
    await say(client, { key })()
    expect(sent().map((call) => call.key)).toEqual([undefined, key])
  })

  test('is lost once the bridge may have forgotten its key', async () => {
    const { server, client, sent, breakWhile } = await world()
    const { outcome } = await breakWhile(say(client, { timeoutMs: 3_600_000 }))
    server.clock.advance(LIMITS.maxDeadlineMs.value)
    await server.comeBack()
    expect(await outcome).toBeInstanceOf(ConnectionLostError)
    expect(sent()).toEqual([])
  })
})

describe('a key of the game', () => {
  test('is sent as it is', async () => {
    const { client, sent } = await world()
    const key = newCallKey()
    expect(key).toMatch(KEY)
    await say(client, { key })()
    expect(sent()).toMatchObject([{ key }])
  })

  test('is refused before sending where it has no meaning', async () => {
    const withKeys = await world()
    const without = await world({})
    const key = newCallKey()
    for (const call of [
      () => withKeys.client.request('GET_GUILDS', {}, { key }),
      () => without.client.request('SEND_LOBBY_MESSAGE', {}, { key }),
    ])
      await expect(call()).rejects.toMatchObject({ errorName: 'INVALID_PAYLOAD', data: { path: 'key' } })
    expect([...withKeys.server.last.asked, ...without.server.last.asked]).toEqual([])
  })
})
