import { once } from 'node:events'
import { fstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { boundPath } from '@sallyport/core/os/bound-path'
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
})
