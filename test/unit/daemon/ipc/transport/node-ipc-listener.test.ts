import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Closer } from '@sallyport/core/closer'
import { HeldServer, type HeldServerOptions } from '@sallyport/core/net/held-server'
import { nodeIpcListener } from '#daemon/src/ipc/transport/node-ipc-listener.ts'
import type { ByteChannel, PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'

let directory: string
let path: string
let closers: Closer[]
let sockets: Socket[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'listen-'))
  path = join(directory, 'socket')
  closers = []
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const close of closers) await close()
  rmSync(directory, { recursive: true, force: true })
})

/** Records the events of a channel. */
class Witness {
  readonly channel: ByteChannel
  readonly bytes: Buffer[] = []
  /** The memory that each read went to. */
  readonly memory: ArrayBufferLike[] = []
  readonly events: string[] = []
  constructor(channel: ByteChannel) {
    this.channel = channel
  }
  onBytes(chunk: Buffer): void {
    this.bytes.push(Buffer.from(chunk))
    this.memory.push(chunk.buffer)
  }
  onDrain(): void {
    this.events.push('drain')
  }
  onEnd(): void {
    this.events.push('end')
  }
  onClose(): void {
    this.events.push('close')
  }
  get text(): string {
    return Buffer.concat(this.bytes).toString()
  }
}

const DIRECTORY: PeerIdentity = { trust: 'directory' }

async function listen(identify: HeldServerOptions<PeerIdentity>['identify'] = () => DIRECTORY): Promise<Witness[]> {
  const channels: Witness[] = []
  const held = await HeldServer.listen({ path }, { identify, release: () => {}, onNeeded: () => {} })
  closers.push(await nodeIpcListener({ address: path, held }).listen((channel) => channels[channels.push(new Witness(channel)) - 1]!))
  return channels
}

async function dial(options: { readonly allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const socket = connect({ path, ...options })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function until(condition: () => boolean): Promise<void> {
  for (let count = 0; count < 20_000 && !condition(); count++) await turn()
  expect(condition()).toBe(true)
}

test('bytes pass unchanged in both directions, to the right peer of two', async () => {
  const channels = await listen()
  const [one, two] = [await dial(), await dial()]
  await until(() => channels.length === 2)
  one.write(Buffer.from([0, 255, 1]))
  two.write('two')
  await until(() => channels[0]!.bytes.length > 0 && channels[1]!.bytes.length > 0)
  expect(Buffer.concat(channels[0]!.bytes)).toEqual(Buffer.from([0, 255, 1]))
  expect(channels[1]!.text).toBe('two')
  channels[1]!.channel.write(Buffer.from('back'))
  const [answer] = (await once(two, 'data')) as [Buffer]
  expect(answer.toString()).toBe('back')
  expect(one.bytesRead).toBe(0)
})

test.skipIf(process.platform === 'win32')('all reads of all peers go to one buffer, so that reading makes no garbage', async () => {
  const channels = await listen()
  const [one, two] = [await dial(), await dial()]
  await until(() => channels.length === 2)
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  one.write(sent)
  two.write('two')
  await until(() => channels[0]!.text.length === sent.length && channels[1]!.text === 'two')
  expect(Buffer.concat(channels[0]!.bytes).equals(sent)).toBe(true)
  expect(channels[0]!.memory.length).toBeGreaterThan(3)
  expect(new Set([...channels[0]!.memory, ...channels[1]!.memory]).size).toBe(1)
})

test.each(['flowing', 'paused'])('bytes that came before the connection was served are not overtaken, %s', async (state) => {
  const held = await HeldServer.listen({ path }, { identify: () => DIRECTORY, release: () => {}, onNeeded: () => {} })
  const socket = await dial()
  // More than the stream of a socket that is not served takes, so that the rest is read after it is.
  const sent = Array.from({ length: 60_000 }, (_, index) => String(index)).join(' ')
  socket.write(sent)
  for (let count = 0; count < 20; count++) await turn()
  const channels: Witness[] = []
  const accept = (channel: ByteChannel): Witness => {
    if (state === 'paused') channel.pause()
    return channels[channels.push(new Witness(channel)) - 1]!
  }
  closers.push(await nodeIpcListener({ address: path, held }).listen(accept))
  await until(() => channels.length === 1)
  if (state === 'paused') {
    for (let count = 0; count < 20; count++) await turn()
    channels[0]!.channel.resume()
  }
  await until(() => channels[0]?.text.length === sent.length)
  expect(channels[0]?.text === sent).toBe(true)
  const last = new Set(channels[0]?.memory).size
  socket.write('more')
  await until(() => channels[0]?.text.endsWith('more') === true)
  expect(new Set(channels[0]?.memory).size).toBe(last)
})

test('the peer identity comes from the kernel', async () => {
  const channels = await listen(() => ({ trust: 'kernel', uid: 7, pid: 8 }))
  await dial()
  await until(() => channels.length === 1)
  expect(channels[0]?.channel.peer).toEqual({ trust: 'kernel', uid: 7, pid: 8 })
})

describe('the end', () => {
  test("of the peer's data is reported, and pending bytes can still be written", async () => {
    const channels = await listen()
    const socket = await dial({ allowHalfOpen: true })
    await until(() => channels.length === 1)
    socket.end('last')
    await until(() => channels[0]!.events.includes('end'))
    expect(channels[0]!.text).toBe('last')
    channels[0]!.channel.write(Buffer.from('answer'))
    channels[0]!.channel.end()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(socket, 'end')
    expect(Buffer.concat(chunks).toString()).toBe('answer')
    await until(() => channels[0]!.events.includes('close'))
  })
  test('by a vanished peer is reported once', async () => {
    const channels = await listen()
    const socket = await dial()
    await until(() => channels.length === 1)
    socket.destroy()
    await until(() => channels[0]!.events.includes('end'))
    channels[0]!.channel.write(Buffer.from('into the void'))
    channels[0]!.channel.end()
    await until(() => channels[0]!.events.includes('close'))
    channels[0]!.channel.write(Buffer.from('and again'))
    channels[0]!.channel.destroy()
    await turn()
    expect(channels[0]!.events.filter((event) => event === 'close')).toHaveLength(1)
  })
  test('by the daemon reaches the peer after all written bytes', async () => {
    const channels = await listen()
    const socket = await dial()
    await until(() => channels.length === 1)
    let read = 0
    socket.on('data', (chunk: Buffer) => (read += chunk.length))
    channels[0]!.channel.write(Buffer.alloc(2_000_000))
    channels[0]!.channel.end()
    await once(socket, 'end')
    expect(read).toBe(2_000_000)
  })
  test('of the listener ends its connections and removes its socket', async () => {
    const channels = await listen()
    const socket = await dial()
    await until(() => channels.length === 1)
    const closed = once(socket, 'close')
    await closers.pop()?.()
    await closed
    await until(() => channels[0]!.events.includes('close'))
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  })
})

test('a peer that does not read shows as pending bytes, and as a drain when it does', async () => {
  const channels = await listen()
  const socket = await dial()
  socket.pause()
  await until(() => channels.length === 1)
  const { channel, events } = channels[0]!
  while (channel.write(Buffer.alloc(65_536)));
  expect(channel.pendingBytes).toBeGreaterThan(0)
  socket.resume()
  await until(() => events.includes('drain'))
  expect(channel.pendingBytes).toBe(0)
})

test('a paused channel reads nothing until it is resumed', async () => {
  const channels = await listen()
  const socket = await dial()
  await until(() => channels.length === 1)
  channels[0]!.channel.pause()
  socket.write('x')
  for (let count = 0; count < 50; count++) await turn()
  const before = channels[0]!.text
  channels[0]!.channel.resume()
  await until(() => channels[0]!.text === 'x')
  expect(before).toBe('')
})

test('an address in use is refused, and its server keeps running', async () => {
  const server = createServer().listen(path)
  await once(server, 'listening')
  await expect(listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(statSync(path).isSocket()).toBe(true)
  server.close()
})

test('hundreds of simultaneous connections are accepted', async () => {
  const channels = await listen()
  await Promise.all(Array.from({ length: 400 }, () => dial()))
  await until(() => channels.length === 400)
})

test.skipIf(process.platform === 'win32')('a process without free descriptors serves its existing connections', async () => {
  const source = join(import.meta.dirname, '../../../../../daemon/src/ipc/transport/node-ipc-listener.ts')
  const heldServer = join(import.meta.dirname, '../../../../../daemon/core/src/net/held-server.ts')
  const script = `
    const { HeldServer } = await import(${JSON.stringify(heldServer)})
    const { nodeIpcListener } = await import(${JSON.stringify(source)})
    const echo = (channel) => ({ onBytes: (chunk) => void channel.write(chunk), onDrain() {}, onEnd: () => channel.end(), onClose() {} })
    const address = ${JSON.stringify(path)}
    const held = await HeldServer.listen({ path: address }, { identify: () => ({ trust: 'directory' }), release() {}, onNeeded() {} })
    await nodeIpcListener({ address, held }).listen(echo)
    process.stdout.write('up')`
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    const first = await dial()
    for (let count = 0; count < 200; count++) await dial()
    first.write('still there?')
    const [answer] = (await once(first, 'data')) as [Buffer]
    expect(answer.toString()).toBe('still there?')
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})

test('a paused channel leaves all bytes to the system, and reads them after resume', async () => {
  let accepted: Socket | undefined
  const kept = (socket: Socket | undefined) => socket?.readableLength
  const channels = await listen((socket) => {
    accepted ??= socket
    return DIRECTORY
  })
  const socket = connect(path)
  sockets.push(socket)
  await once(socket, 'connect')
  while (channels[0] === undefined) await turn()
  const [witness] = channels
  witness.channel.pause()
  const bytes = Buffer.alloc(100_000, 'x')
  socket.write(bytes)
  // Another connection is served from its start to its end meanwhile.
  const other = connect(path)
  sockets.push(other)
  other.end('hello')
  while (channels[1]?.events.includes('end') !== true) await turn()
  expect([witness.text, kept(accepted)]).toEqual(['', 0])
  witness.channel.resume()
  while (witness.text.length < bytes.length) await turn()
  witness.channel.pause()
  witness.channel.pause()
  witness.channel.resume()
  socket.write('more')
  while (!witness.text.endsWith('more')) await turn()
})
