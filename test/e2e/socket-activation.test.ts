/** A service manager opens the socket and hands it over: the daemon serves it, and leaves the file to its owner. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanEnvironment, type Folders, folders, SMOKE_TARGETS } from './support/daemon.ts'
import { programMade } from './support/program.ts'
import { RawClient } from './support/raw-client.ts'

/** Like a service manager: the descriptor listens, and only the process that inherits it accepts connections. */
function openListening(path: string): number {
  const { socket, bind, listen } = process.getBuiltinModule('node:ffi').dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    bind: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
    listen: { arguments: ['int32', 'int32'], return: 'int32' },
  }).functions
  const [AF_UNIX, SOCK_STREAM, BACKLOG] = [1, 1, 16]
  const address = Buffer.alloc(110)
  address.writeUInt16LE(AF_UNIX, 0)
  address.write(path, 2)
  const fd = socket(AF_UNIX, SOCK_STREAM, 0)
  if (fd < 0 || bind(fd, address, address.length) !== 0 || listen(fd, BACKLOG) !== 0) throw new Error(`cannot listen on ${path}`)
  return fd
}

describe.skipIf(process.platform !== 'linux').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(() => at.remove())

  test('serves the descriptors it was given, and knows the one for Wine by its path', async () => {
    mkdirSync(at.runtime, { recursive: true, mode: 0o700 })
    const path = join(at.runtime, 'discord-ipc-0')
    const winePath = join(at.runtime, 'sallyport-wine-discord-ipc-0')
    const [fd, wineFd] = [openListening(path), openListening(winePath)]

    await programMade()
    const words = ['run', '--json', '--consent', 'allow', '--data-dir', at.data, '--runtime-dir', at.runtime]
    // The shell learns its own pid, which exec keeps: the daemon must see it in LISTEN_PID.
    const child = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=2 exec "$@"', 'sh', ...target.command, ...words], {
      env: { ...cleanEnvironment(), HOME: at.data },
      stdio: ['ignore', 'pipe', 'inherit', fd, wineFd],
    })
    const line = await new Promise<string>((resolve) => child.stdout?.setEncoding('utf8').once('data', resolve))
    closeSync(fd)
    closeSync(wineFd)
    expect(JSON.parse(line)).toMatchObject({ event: 'ready', ipc: ['fd:3'] })

    const client = await RawClient.ready(path)
    expect(await client.call('SET_ACTIVITY', { pid: 1, activity: { state: 'activated' } })).toMatchObject({ data: { state: 'activated' } })
    client.hangUp()
    // It expects an introduction, so a greeting ends the connection there.
    await expect(RawClient.ready(winePath)).rejects.toThrow()
    child.kill('SIGTERM')
    await new Promise((done) => child.once('exit', done))
    expect([path, winePath].map((one) => existsSync(one))).toEqual([true, true])
  })
})
