/** The client against a real socket: calls, events, encodings, and what ends a call. */
import { CallError, CallTimeoutError, ConnectionLostError, SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BRIDGE, type FakeOptions, FakeServer, jsonFrame, temporaryDirectory } from './fake-server.ts'

let dir = ''
let cleanup: (() => unknown)[] = []

beforeEach(async () => {
  const temporary = await temporaryDirectory()
  dir = temporary.dir
  cleanup = [temporary.remove]
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

async function serve(options: Partial<FakeOptions> = {}): Promise<FakeServer> {
  const server = await new FakeServer({ dir, bridge: BRIDGE, ...options }).start()
  cleanup.push(() => server.kill())
  return server
}

async function connect(options: Partial<ConstructorParameters<typeof SallyportClient>[0]> = {}): Promise<SallyportClient> {
  const client = await SallyportClient.connect({ applicationId: '123', runtimeDir: dir, ...options })
  cleanup.push(() => client.close())
  return client
}

test('sends the contract version in the handshake and provides the server data', async () => {
  const server = await serve()
  const client = await connect()
  expect(server.last.handshake).toMatchObject({
    v: 1,
    client_id: '123',
    contract: '1.0',
    encoding: 'json',
    max_frame_bytes: 1_048_576,
    streams: true,
  })
  expect(client.server).toMatchObject({ path: server.path, slot: 0, bridge: BRIDGE, contract: '1.0', user: { id: '42', username: 'ada' } })
  expect(client.state).toMatchObject({ name: 'ready', restored: { signIn: 'none', activeSubscriptions: 0, presence: 'none' } })
})

test('matches responses to calls in any order, and numbers the nonces', async () => {
  const server = await serve()
  server.answer = () => 'silence'
  const client = await connect()
  const first = client.request('FIRST', { a: 1 })
  const second = client.request('SECOND')
  await server.until(() => server.last.received.length === 2)
  expect(server.last.received.map(({ nonce }) => nonce)).toEqual(['1', '2'])
  server.last.sendFrame(1, { cmd: 'SECOND', data: 'two', evt: null, nonce: '2' })
  server.last.sendFrame(1, { cmd: 'FIRST', data: 'one', evt: null, nonce: '1' })
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
})

test('an ERROR response rejects with code, name, message and the other data', async () => {
  const server = await serve()
  server.answer = () => ({ evt: 'ERROR', data: { code: 5011, message: 'wait a little', retry_after: 2 } })
  const client = await connect()
  const error = await client.call('GET_CURRENT_USER_GUILDS', {}).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CallError)
  expect(error).toMatchObject({
    code: 5011,
    errorName: 'RATE_LIMITED',
    message: 'wait a little',
    command: 'GET_CURRENT_USER_GUILDS',
    retryable: true,
  })
  expect((error as CallError).data['retry_after']).toBe(2)
  expect(client.state.name).toBe('ready')
})

test('a call ends at its deadline, and the late response is dropped', async () => {
  const server = await serve()
  server.answer = () => 'silence'
  const client = await connect({ callTimeoutMs: 5 })
  await expect(client.request('SLOW')).rejects.toBeInstanceOf(CallTimeoutError)
  server.answer = (message) => ({ data: message.cmd })
  server.last.sendFrame(1, { cmd: 'SLOW', data: 'late', evt: null, nonce: '1' })
  expect(await client.request('NEXT', {}, { timeoutMs: 5_000 })).toBe('NEXT')
})

test('a call ends by its signal, with the signal’s reason', async () => {
  const server = await serve()
  server.answer = () => 'silence'
  const client = await connect()
  const giveUp = new AbortController()
  const call = client.request('SLOW', {}, { signal: giveUp.signal })
  const reason = new Error('the player walked away')
  giveUp.abort(reason)
  await expect(call).rejects.toBe(reason)
  await expect(client.request('AGAIN', {}, { signal: giveUp.signal })).rejects.toBe(reason)
  expect(server.last.received.map(({ cmd }) => cmd)).not.toContain('AGAIN')
})

test('pending calls reject when the client is closed, and calls after that reject too', async () => {
  const server = await serve()
  server.answer = () => 'silence'
  const client = await connect()
  const call = client.request('SLOW')
  const ending = client.close()
  await expect(call).rejects.toBeInstanceOf(ConnectionLostError)
  await ending
  await expect(client.request('AFTER')).rejects.toThrow('the client is closed')
  await expect(client.connect()).rejects.toBeInstanceOf(ConnectionLostError)
})

test.each(['json', 'msgpack'] as const)('calls, events and errors in %s', async (encoding) => {
  const server = await serve()
  const client = await connect({ encoding })
  expect(client.server?.encoding).toBe(encoding)
  const args = { text: 'zażółć 🚢', list: [1, 2.5, null], deep: { yes: true } }
  expect(await client.request('ECHO', { ...args, absent: undefined })).toEqual({ echoed: args })
  expect(Object.keys(server.last.received[0]?.args ?? {})).toEqual(['text', 'list', 'deep'])
  expect(server.last.received[0]).not.toHaveProperty('evt')
  const received = new Promise((resolve) => client.on('ACTIVITY_JOIN', resolve))
  await server.until(() => server.commands().includes('SUBSCRIBE ACTIVITY_JOIN'))
  server.last.dispatch('ACTIVITY_JOIN', { secret: 's3' })
  expect(await received).toEqual({ secret: 's3' })
  server.answer = () => ({ evt: 'ERROR', data: { code: 4002, message: 'no such command' } })
  await expect(client.request('NOPE')).rejects.toMatchObject({ code: 4002, errorName: 'INVALID_COMMAND' })
})

test.each(['ignore', 'refuse'] as const)('the client uses JSON with a server that would %s the encoding', async (encoding) => {
  const server = await serve({ encoding, bridge: undefined })
  const client = await connect({ encoding: 'msgpack' })
  expect(client.server?.encoding).toBe('json')
  expect(await client.request('ECHO', { a: 1 })).toEqual({ echoed: { a: 1 } })
  expect(server.last.received[0]?.cmd).toBe('ECHO')
})

test('sends PONG with the bytes of PING, and accepts a frame in any chunks', async () => {
  const server = await serve()
  const client = await connect()
  const got: unknown[] = []
  await client.on('ACTIVITY_JOIN', (data) => got.push(data)).active
  const ping = jsonFrame(3, { t: 7 })
  const event = jsonFrame(1, { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN', data: { secret: 'x' }, nonce: null })
  server.last.sendRaw(Buffer.concat([ping, event.subarray(0, 5)]))
  server.last.sendRaw(event.subarray(5, 21))
  server.last.sendRaw(Buffer.concat([event.subarray(21), jsonFrame(3, 'again')]))
  await server.until(() => server.last.pongs.length === 2)
  expect(server.last.pongs).toEqual(['{"t":7}', '"again"'])
  expect(got).toEqual([{ secret: 'x' }])
})

test('a call above the server limit is rejected locally, and the connection stays open', async () => {
  await serve({ bridge: undefined })
  const client = await connect()
  await expect(client.request('BIG', { text: 'x'.repeat(70_000) })).rejects.toMatchObject({ errorName: 'INVALID_PAYLOAD', code: 4000 })
  expect(await client.request('SMALL', { a: 1 })).toEqual({ echoed: { a: 1 } })
})

test('the presence has the process id, and a clear has no activity', async () => {
  const server = await serve()
  const client = await connect()
  await client.setActivity({ details: 'At the dock' })
  await client.clearActivity()
  expect(server.last.received.map(({ args }) => args)).toEqual([
    { pid: process.pid, activity: { details: 'At the dock' } },
    { pid: process.pid },
  ])
})
