import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inheritedDescriptors, pathOfDescriptor } from '#daemon/src/ipc/transport/inherited.ts'

describe('descriptors of a service manager', () => {
  test.each([
    ['for this process', { LISTEN_PID: '42', LISTEN_FDS: '2' }, [3, 4]],
    ['for another process', { LISTEN_PID: '41', LISTEN_FDS: '2' }, []],
    ['of which there are none', { LISTEN_PID: '42', LISTEN_FDS: '0' }, []],
    ['of a number that is none', { LISTEN_PID: '42', LISTEN_FDS: 'x' }, []],
    ['unnamed', {}, []],
  ])('%s', (_, environment, expected) => expect(inheritedDescriptors(environment, 42)).toEqual(expected))
})

test.skipIf(process.platform !== 'linux')('the path of a socket is found by its descriptor, including spaces', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'a socket-'))
  const path = join(directory, 'discord-ipc-0')
  const server = createServer() as Server & { readonly _handle: { readonly fd: number } }
  await new Promise<void>((resolve) => server.listen(path, resolve))
  expect(pathOfDescriptor(server._handle.fd)).toBe(path)
  expect(pathOfDescriptor(0)).toBeUndefined()
  expect(pathOfDescriptor(1_000_000)).toBeUndefined()
  await new Promise((resolve) => server.close(resolve))
  rmSync(directory, { recursive: true })
})
