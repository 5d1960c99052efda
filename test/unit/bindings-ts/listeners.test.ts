/** State listeners: each receives every state in order, whichever calls other listeners make. */
import { ConnectionLostError, type SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryServer, quiet } from './memory-server.ts'

let server: MemoryServer
let client: SallyportClient

beforeEach(() => {
  server = new MemoryServer()
  client = server.newClient()
})
afterEach(() => client.close())

test('a listener that closes the client does not change the order for others', async () => {
  const received: string[][] = [[], []]
  client.onState(({ name }) => {
    received[0]?.push(name)
    if (name === 'ready') void client.close()
  })
  client.onState(({ name }) => received[1]?.push(name))
  await expect(client.connect()).rejects.toBeInstanceOf(ConnectionLostError)
  await quiet()
  expect(received[1]).toEqual(received[0])
  expect(received[0]).toEqual(['connecting', 'connecting', 'ready', 'closed'])
  expect(server.clock.pending).toBe(0)
})

test('a listener that another one removed is not called', async () => {
  const received: string[] = []
  client.onState(() => stop())
  const stop = client.onState(({ name }) => received.push(name))
  await client.connect()
  expect(received).toEqual([])
})

test('lobby events are delivered while their listeners add and remove listeners', { tags: ['9.1-8'] }, async () => {
  await client.connect()
  const received: string[] = []
  const lobby = { lobby_id: '7' }
  const first = client.on('LOBBY_MESSAGE_CREATE', lobby, () => {
    received.push('first')
    first.close()
    removed.close()
    client.on('LOBBY_MESSAGE_CREATE', lobby, () => received.push('added'))
  })
  const removed = client.on('LOBBY_MESSAGE_CREATE', lobby, () => received.push('removed'))
  client.on('LOBBY_MESSAGE_CREATE', lobby, () => received.push('last'))
  await quiet()
  for (const round of ['one', 'two']) {
    received.push(round)
    server.last.dispatch('LOBBY_MESSAGE_CREATE', lobby, lobby)
    await quiet()
  }
  expect(received).toEqual(['one', 'first', 'last', 'two', 'last', 'added'])
})

test('calls in a listener of `ready` are sent, and a new event listener is subscribed once', async () => {
  const answers: unknown[] = []
  client.onState((state) => {
    if (state.name !== 'ready') return
    client.on('ACTIVITY_JOIN', () => {})
    void client.call('GET_BRIDGE_STATUS').then((answer) => answers.push(answer))
  })
  await client.connect()
  await quiet()
  expect(server.asked).toEqual(['SUBSCRIBE ACTIVITY_JOIN', 'GET_BRIDGE_STATUS'])
  expect(answers).toHaveLength(1)
})

test('a listener that calls connect after a loss does not loop', async () => {
  await client.connect()
  const received: string[] = []
  client.onState((state) => {
    received.push(state.name)
    if (state.name === 'waiting' && received.length < 10) void client.connect().catch(() => {})
  })
  await server.vanish()
  expect(received).toContain('connecting')
  server.isUp = true
  await client.close()
  expect(received.at(-1)).toBe('closed')
})

test('an error in a listener is an uncaught exception and does not affect others or the client', async () => {
  const own = process.listeners('uncaughtException')
  const faults: unknown[] = []
  const note = (fault: Error): void => void faults.push(fault.message)
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', note)
  try {
    const received: string[] = []
    const fail = (where: string) => () => {
      throw new Error(where)
    }
    for (const listener of [fail('state'), ({ name }: { readonly name: string }) => received.push(name)]) client.onState(listener)
    for (const listener of [fail('account'), (account: string) => received.push(account)]) client.onAccount(listener)
    for (const listener of [fail('event'), () => received.push('joined')]) client.on('ACTIVITY_JOIN', listener)
    await client.connect()
    await client.signInSilently()
    await quiet()
    server.last.dispatch('ACTIVITY_JOIN', {}, { secret: 's' })
    await quiet()
    await client.close()
    expect(received).toEqual(['connecting', 'connecting', 'ready', 'signed-in', 'joined', 'closed'])
    expect(faults).toEqual(['state', 'state', 'state', 'account', 'event', 'state'])
  } finally {
    process.off('uncaughtException', note)
    for (const listener of own) process.on('uncaughtException', listener)
  }
})
