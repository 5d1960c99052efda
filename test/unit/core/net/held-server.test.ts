import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdFirstFree, holdPort } from '@sallyport/core/net/held-port'
import { HeldServer } from '@sallyport/core/net/held-server'

let folder: string
let path: string
let held: HeldServer<string>
let accepted: number
let released: string[]
let needed: number
const dialed: Socket[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'held-'))
  path = join(folder, 'socket')
  accepted = 0
  released = []
  needed = 0
  held = await HeldServer.listen(
    { path },
    { identify: () => `peer ${++accepted}`, release: (peer) => released.push(peer), onNeeded: () => (needed += 1) },
  )
})
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of dialed.splice(0)) socket.destroy()
  await held.close()
  rmSync(folder, { recursive: true })
})

async function dial(text?: string): Promise<Socket> {
  const socket = connect({ path, allowHalfOpen: true })
  dialed.push(socket)
  await once(socket, 'connect')
  if (text !== undefined) socket.write(text)
  return socket
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

/** The server waits a second for the first byte. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

/** Serves with an echo, and returns what was served. */
function echo(): string[] {
  const served: string[] = []
  held.serve((socket, peer) => {
    served.push(peer)
    socket.on('data', (bytes) => socket.write(bytes))
    socket.on('end', () => socket.end()).on('error', () => {})
  })
  return served
}

test('a connection waits with its bytes, and is served with the peer of its accept', async () => {
  const first = await dial('one')
  await until(() => needed === 1)
  const second = await dial('two')
  await until(() => needed === 2)
  const served = echo()
  expect(String((await once(first, 'data'))[0])).toBe('one')
  expect(String((await once(second, 'data'))[0])).toBe('two')
  first.write('more')
  expect(String((await once(first, 'data'))[0])).toBe('more')
  expect(served).toEqual(['peer 1', 'peer 2'])
  const third = await dial('three')
  expect(String((await once(third, 'data'))[0])).toBe('three')
  expect(released).toEqual([])
})

test('bytes and the end of the side of a peer that waits both arrive', async () => {
  const socket = await dial()
  socket.end('last words')
  await until(() => needed > 0)
  echo()
  expect(String((await once(socket, 'data'))[0])).toBe('last words')
  await once(socket, 'end')
})

test('a program that only looks whether the server listens does not need it, and leaves nothing', async () => {
  stopTime()
  ;(await dial()).destroy()
  ;(await dial()).end()
  await until(() => released.length === 2)
  expect(needed).toBe(0)
  expect(echo()).toEqual([])
})

test('a connection that stays silent needs the server after a second', async () => {
  stopTime()
  await dial()
  await until(() => accepted === 1)
  vi.advanceTimersByTime(999)
  expect(needed).toBe(0)
  vi.advanceTimersByTime(1)
  expect(needed).toBe(1)
  expect(echo()).toEqual([])
  await turn()
})

test('a connection that was paused by what serves it stays paused', async () => {
  await dial('one')
  await until(() => needed === 1)
  const received: string[] = []
  let served: Socket | undefined
  held.serve((given) => {
    served = given
    given.on('data', (bytes) => received.push(bytes.toString()))
    given.pause()
  })
  for (let count = 0; count < 50; count++) await turn()
  expect(received).toEqual([])
  served?.resume()
  await until(() => received.length > 0)
  expect(received).toEqual(['one'])
  served?.destroy()
})

test('close ends the connections that wait and removes the socket', async () => {
  const socket = await dial('one')
  await until(() => needed === 1)
  const closed = once(socket.resume(), 'end')
  await held.close()
  await closed
  expect(released).toEqual(['peer 1'])
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
})

test('connections that cannot be accepted do not end others', async () => {
  const socket = await dial('one')
  await until(() => needed === 1)
  held.server.emit('error', new Error('accept ENFILE'))
  echo()
  expect(String((await once(socket, 'data'))[0])).toBe('one')
})

test('an address in use is refused', async () => {
  const again = HeldServer.listen({ path }, { identify: () => '', release: () => {}, onNeeded: () => {} })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test.skipIf(process.platform === 'win32')('the bind runs inside aroundBind', async () => {
  const at = join(folder, 'other')
  const exists = () => statSync(at, { throwIfNoEntry: false }) !== undefined
  const seen: boolean[] = []
  const other = await HeldServer.listen({ path: at }, { identify: () => '', release: () => {}, onNeeded: () => {} }, (bind) => {
    seen.push(exists())
    bind()
    seen.push(exists())
  })
  expect(seen).toEqual([false, true])
  await other.close()
})

test('a port serves a request that came before its HTTP server existed', async () => {
  let isNeeded = false
  const port = await holdPort(0, () => {
    isNeeded = true
  })
  const reply = fetch(`http://127.0.0.1:${port.port}/path`, { method: 'POST', body: 'x'.repeat(100_000), headers: { connection: 'close' } })
  await until(() => isNeeded)
  const http = createHttpServer((request, response) => {
    let bytes = 0
    request.on('data', (part: Buffer) => (bytes += part.length)).on('end', () => response.end(`${request.url} ${bytes}`))
  })
  port.serve((socket) => void http.emit('connection', socket))
  expect(await (await reply).text()).toBe('/path 100000')
  await port.close()
})

test('the first free port of a list is held; none when all are taken', async () => {
  const first = await holdPort(0)
  const second = await holdFirstFree([first.port, 0])
  expect(second?.port).not.toBe(first.port)
  expect(await holdFirstFree([first.port])).toBeUndefined()
  await first.close()
  await second?.close()
})
