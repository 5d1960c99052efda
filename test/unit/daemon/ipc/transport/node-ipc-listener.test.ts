import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Closer } from '@sallyport/core/closer'
import { nodeIpcListener, type NodeIpcOptions } from '../../../../../daemon/src/ipc/transport/node-ipc-listener.ts'
import type { ByteChannel } from '../../../../../daemon/src/ipc/transport/transport.ts'

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

/** What a link received, and what became of it. */
class Witness {
  readonly link: ByteChannel
  readonly bytes: Buffer[] = []
  readonly events: string[] = []
  constructor(link: ByteChannel) {
    this.link = link
  }
  onBytes(chunk: Buffer): void {
    this.bytes.push(Buffer.from(chunk))
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

async function listen(options: Partial<NodeIpcOptions> = {}): Promise<Witness[]> {
  const links: Witness[] = []
  const listener = nodeIpcListener({ at: { path }, identify: () => ({ trust: 'directory' }), ...options })
  closers.push(await listener.listen((link) => links[links.push(new Witness(link)) - 1]!))
  return links
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

test('bytes go both ways as they are, to the right one of two', async () => {
  const links = await listen()
  const [one, two] = [await dial(), await dial()]
  await until(() => links.length === 2)
  one.write(Buffer.from([0, 255, 1]))
  two.write('two')
  await until(() => links[0]!.bytes.length > 0 && links[1]!.bytes.length > 0)
  expect(Buffer.concat(links[0]!.bytes)).toEqual(Buffer.from([0, 255, 1]))
  expect(links[1]!.text).toBe('two')
  links[1]!.link.write(Buffer.from('back'))
  const [answer] = (await once(two, 'data')) as [Buffer]
  expect(answer.toString()).toBe('back')
  expect(one.bytesRead).toBe(0)
})

test('the peer is whoever the kernel says', async () => {
  const links = await listen({ identify: () => ({ trust: 'kernel', uid: 7, pid: 8 }) })
  await dial()
  await until(() => links.length === 1)
  expect(links[0]?.link.peer).toEqual({ trust: 'kernel', uid: 7, pid: 8 })
})

describe('the end', () => {
  test('of what the peer sends is told, and what waits can still be written', async () => {
    const links = await listen()
    const socket = await dial({ allowHalfOpen: true })
    await until(() => links.length === 1)
    socket.end('last')
    await until(() => links[0]!.events.includes('end'))
    expect(links[0]!.text).toBe('last')
    links[0]!.link.write(Buffer.from('answer'))
    links[0]!.link.end()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(socket, 'end')
    expect(Buffer.concat(chunks).toString()).toBe('answer')
    await until(() => links[0]!.events.includes('close'))
  })
  test('by a peer that vanishes is told once', async () => {
    const links = await listen()
    const socket = await dial()
    await until(() => links.length === 1)
    socket.destroy()
    await until(() => links[0]!.events.includes('end'))
    links[0]!.link.write(Buffer.from('into the void'))
    links[0]!.link.end()
    await until(() => links[0]!.events.includes('close'))
    links[0]!.link.write(Buffer.from('and again'))
    links[0]!.link.destroy()
    await turn()
    expect(links[0]!.events.filter((event) => event === 'close')).toHaveLength(1)
  })
  test('by us reaches the peer after everything written', async () => {
    const links = await listen()
    const socket = await dial()
    await until(() => links.length === 1)
    let read = 0
    socket.on('data', (chunk: Buffer) => (read += chunk.length))
    links[0]!.link.write(Buffer.alloc(2_000_000))
    links[0]!.link.end()
    await once(socket, 'end')
    expect(read).toBe(2_000_000)
  })
  test('of the listener ends its connections and removes its socket', async () => {
    const links = await listen()
    const socket = await dial()
    await until(() => links.length === 1)
    const closed = once(socket, 'close')
    await closers.pop()?.()
    await closed
    await until(() => links[0]!.events.includes('close'))
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
  })
})

test('a peer that does not read shows as pending bytes, and as a drain when it does', async () => {
  const links = await listen()
  const socket = await dial()
  socket.pause()
  await until(() => links.length === 1)
  const { link, events } = links[0]!
  while (link.write(Buffer.alloc(65_536)));
  expect(link.pendingBytes).toBeGreaterThan(0)
  socket.resume()
  await until(() => events.includes('drain'))
  expect(link.pendingBytes).toBe(0)
})

test('a paused link takes nothing until it is resumed', async () => {
  const links = await listen()
  const socket = await dial()
  await until(() => links.length === 1)
  links[0]!.link.pause()
  socket.write('x')
  for (let count = 0; count < 50; count++) await turn()
  const before = links[0]!.text
  links[0]!.link.resume()
  await until(() => links[0]!.text === 'x')
  expect(before).toBe('')
})

test('an address that is in use is refused, and whoever lives there lives on', async () => {
  const server = createServer().listen(path)
  await once(server, 'listening')
  await expect(listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(statSync(path).isSocket()).toBe(true)
  server.close()
})

test('hundreds at once are all accepted', async () => {
  const links = await listen()
  await Promise.all(Array.from({ length: 400 }, () => dial()))
  await until(() => links.length === 400)
})

test.skipIf(process.platform === 'win32')('the bind runs inside what is put around it', async () => {
  let existedBefore: boolean | undefined
  let existedAfter: boolean | undefined
  await listen({
    aroundBind: (bind) => {
      existedBefore = statSync(path, { throwIfNoEntry: false }) !== undefined
      const bound = bind()
      existedAfter = statSync(path, { throwIfNoEntry: false }) !== undefined
      return bound
    },
  })
  expect([existedBefore, existedAfter]).toEqual([false, true])
})

test.skipIf(process.platform === 'win32')('a process without descriptors left serves those it has', async () => {
  const source = join(import.meta.dirname, '../../../../../daemon/src/ipc/transport/node-ipc-listener.ts')
  const script = `
    const { nodeIpcListener } = await import(${JSON.stringify(source)})
    const echo = (link) => ({ onBytes: (chunk) => void link.write(chunk), onDrain() {}, onEnd: () => link.end(), onClose() {} })
    await nodeIpcListener({ at: { path: ${JSON.stringify(path)} }, identify: () => ({ trust: 'directory' }) }).listen(echo)
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

test('a link that is paused takes nothing from the system, and everything when it goes on', async () => {
  let accepted: Socket | undefined
  const kept = (socket: Socket | undefined) => socket?.readableLength
  const links = await listen({
    identify: (socket) => {
      accepted ??= socket
      return { trust: 'directory' }
    },
  })
  const socket = connect(path)
  sockets.push(socket)
  await once(socket, 'connect')
  while (links[0] === undefined) await turn()
  const [witness] = links
  witness.link.pause()
  const bytes = Buffer.alloc(100_000, 'x')
  socket.write(bytes)
  // Another connection is served from its start to its end meanwhile.
  const other = connect(path)
  sockets.push(other)
  other.end('hello')
  while (links[1]?.events.includes('end') !== true) await turn()
  expect([witness.text, kept(accepted)]).toEqual(['', 0])
  witness.link.resume()
  while (witness.text.length < bytes.length) await turn()
  witness.link.pause()
  witness.link.pause()
  witness.link.resume()
  socket.write('more')
  while (!witness.text.endsWith('more')) await turn()
})
