import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openNewestPipe } from '#daemon/src/identity/newest-pipe.ts'
import { fakeFfi } from './fake-ffi.ts'

const directory = mkdtempSync(join(tmpdir(), 'newest-'))
afterAll(() => rmSync(directory, { recursive: true }))

const descriptorOf = (socket: Socket): number => (socket as Socket & { _handle: { fd: number } })._handle.fd

describe('the pipe that Node made last', () => {
  // Elsewhere a socket has a descriptor, which says whether it is the right one; on Windows the same functions give the handle.
  test.skipIf(process.platform === 'win32')('is the connection that has just come, also when several come at once', async () => {
    const newest = openNewestPipe(process.getBuiltinModule('node:ffi'), null)
    const server = createServer()
    const asked: { readonly newest: bigint | undefined; readonly descriptor: number }[] = []
    const sockets: Socket[] = []
    server.on('connection', (socket) => {
      asked.push({ newest: newest(), descriptor: descriptorOf(socket) })
      sockets.push(socket)
      if (asked.length === 12) server.emit('all')
    })
    server.listen(join(directory, 'p'))
    await once(server, 'listening')
    const all = once(server, 'all')
    sockets.push(...Array.from({ length: 12 }, () => connect(join(directory, 'p'))))
    await all
    for (const { newest: found, descriptor } of asked) expect(found).toBe(BigInt(descriptor))
    expect(new Set(asked.map(({ descriptor }) => descriptor)).size).toBe(12)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  const LOOP = 0x1000n
  const PIPE = 0x2000n
  const TIMER = 0x3000n
  const PIPE_TYPE = 7
  const functions = {
    uv_handle_get_type: (handle: bigint) => (handle === PIPE ? PIPE_TYPE : 13),
    uv_fileno: (_handle: bigint, found: Buffer) => {
      found.writeBigUInt64LE(0xabcdn)
      return 0
    },
  }
  const words = new Map([
    [LOOP + 24n, TIMER + 32n],
    [TIMER + 8n, LOOP],
    [TIMER + 40n, PIPE + 32n],
    [PIPE + 8n, LOOP],
    [PIPE + 40n, LOOP + 16n],
  ])

  test('is looked for behind what was made after it', () => {
    expect(openNewestPipe(fakeFfi(functions, { words, loop: LOOP }), null)()).toBe(0xabcdn)
  })

  test.each([
    ['the loop has no handles', new Map([[LOOP + 24n, LOOP + 16n]])],
    ['a handle does not name its loop, as in a libuv of another kind', new Map([...words, [TIMER + 8n, 5n]])],
    ['there is no end of other handles', new Map([...words, [TIMER + 40n, TIMER + 32n]])],
  ])('is not known when %s', (_, other) => {
    expect(openNewestPipe(fakeFfi(functions, { words: other, loop: LOOP }), null)()).toBeUndefined()
  })

  test('is not known when it has no handle', () => {
    expect(openNewestPipe(fakeFfi({ ...functions, uv_fileno: () => -4083 }, { words, loop: LOOP }), null)()).toBeUndefined()
  })

  test('cannot be looked for without the functions', () => {
    expect(() => openNewestPipe(fakeFfi({}), null)).toThrow()
  })
})
