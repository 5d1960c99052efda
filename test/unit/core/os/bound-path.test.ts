import { once } from 'node:events'
import { fstatSync, mkdirSync, openSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { boundPath, listenerFault } from '@sallyport/core/os/bound-path'
import { closeAll, openPair, openSocket } from '#test/support/descriptors.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

interface Listening extends Server {
  readonly _handle: { readonly fd: number }
}

const listening = async (path: string): Promise<Listening> => {
  const server = createServer() as Listening
  server.listen(path)
  await once(server, 'listening')
  return server
}

describe.skipIf(process.platform !== 'linux')('the path of a socket', () => {
  let directory: string
  const servers: Server[] = []
  beforeEach(() => (directory = mkdtempSync('/tmp/s ')))
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
    rmSync(directory, { recursive: true })
  })
  const at = async (path: string): Promise<number> => {
    const server = await listening(path)
    servers.push(server)
    return server._handle.fd
  }

  test('is that of its descriptor, not that of rows which other sockets make in the list of the system', async () => {
    const path = join(directory, 'discord-ipc-0')
    const fd = await at(path)
    const inode = fstatSync(fd).ino
    // Each is one socket and two lines. Their order in the list is not ours to choose, so there are many.
    for (let index = 0; index < 50; index++) {
      const folder = `${directory}/${index}\n0: 2 0 1 1 1 ${inode} /x`
      mkdirSync(folder, { recursive: true })
      await at(`${folder}/sallyport-wine-discord-ipc-0`)
    }
    expect(readFileSync('/proc/net/unix', 'utf8')).toContain(`\n0: 2 0 1 1 1 ${inode} /x/sallyport-wine`)
    expect(boundPath(fd)).toBe(path)
  })

  test('may have spaces, other letters, and the greatest length', async () => {
    const long = join(directory, 'ü ').padEnd(107, 'x')
    for (const path of [join(directory, 'a b'), long.slice(0, -1)]) expect(boundPath(await at(path))).toBe(path)
  })

  test('is unknown for sockets without a file, and for what is no socket', async () => {
    expect(boundPath(await at('\0sallyport-wine-test'))).toBeUndefined()
    const tcp = createServer() as Listening
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    servers.push(tcp)
    for (const fd of [tcp._handle.fd, 0, 1_000_000, -1]) expect(boundPath(fd)).toBeUndefined()
  })

  describe('a descriptor is no socket for games', () => {
    const opened: number[] = []
    afterEach(() => closeAll(opened.splice(0)))
    const kept = (fd: number): number => {
      opened.push(fd)
      return fd
    }

    test.each([
      ['a file', () => openSync('/dev/null', 'r'), 'is no socket'],
      ['a socket of IPv4', () => openSocket({ family: 'ipv4' }), 'is a socket of a network'],
      ['a socket of IPv6', () => openSocket({ family: 'ipv6' }), 'is a socket of a network'],
      ['a datagram socket', () => openSocket({ type: 'datagram', path: join(directory, 'd'), isListening: false }), 'is no stream socket'],
      ['a socket of packets', () => openSocket({ type: 'packets', path: join(directory, 'p') }), 'is no stream socket'],
      ['a socket that does not listen', () => openSocket({ path: join(directory, 'n'), isListening: false }), 'does not listen'],
      ['an abstract socket', () => openSocket({ path: `\0${directory}` }), 'has no path in the file system'],
    ])('%s', (_, open, expected) => {
      expect(listenerFault(kept(open()))).toMatch(new RegExp(`^${expected}`))
    })

    test('a connected socket, or a number without one', () => {
      for (const fd of openPair()) expect(listenerFault(kept(fd))).toMatch(/^does not listen/)
      for (const fd of [-1, 1_000_000]) expect(listenerFault(fd)).toMatch(/^is no socket/)
    })

    test('but one that listens at a path is', () => {
      expect(listenerFault(kept(openSocket({ path: join(directory, 'l') })))).toBeUndefined()
    })
  })
})
